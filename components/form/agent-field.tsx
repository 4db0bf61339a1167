'use client'
/** The agent that an entry calls, and the version of it: chosen among the agents of this server. */
import Link from 'next/link'
import { useAgents } from '#components/data/agents'
import { useGraph } from '#components/drawing/graph-context'
import { Property, Select } from '#components/ui/field'
import shared from '#components/ui/shared.module.css'
import { useVersions } from '#components/versions/use-versions'
import type { JsonValue } from '#lib/spec/json'
import type { ControlProps } from './change'
import styles from './form.module.css'

function useAgentNamed(name: JsonValue | undefined) {
  const agents = useAgents()
  return { ...agents, known: agents.data?.items.find((each) => each.name === name) }
}

export function AgentField({ id, label, hint, error, value, onChange }: ControlProps) {
  const { data, isSuccess, known } = useAgentNamed(value)
  // An agent that called itself would have no end.
  const own = useGraph(({ compiledOf }) => compiledOf.nodes.find(({ kind }) => kind === 'agent')?.config.name)
  const items = (data?.items ?? []).filter(({ name }) => name !== own)
  const chosen = typeof value === 'string' ? value : ''
  const isStrange = chosen !== '' && !items.some(({ name }) => name === chosen)
  const options = [
    ...(chosen === ''
      ? [{ value: '', label: items.length > 0 ? 'choose one' : 'there is no other yet' }]
      : []),
    ...(isStrange ? [{ value: chosen, label: isSuccess ? `${chosen} (not on this server)` : chosen }] : []),
    ...items.map(({ name, title }) => ({ value: name, label: title === '' ? name : `${title} (${name})` })),
  ]
  return (
    <>
      <Property label={label} htmlFor={id} error={error} hint={hint}>
        <Select
          id={id}
          value={chosen}
          onChange={(next) => onChange(next === '' ? undefined : next)}
          options={options}
        />
      </Property>
      {known !== undefined && (
        <p className={styles.aside}>
          {known.description === ''
            ? 'It has no description. The model reads it to decide when to call this agent.'
            : known.description}{' '}
          <Link className={shared.link} href={`/agents/${encodeURIComponent(known.id)}`}>
            Open {known.title || known.name}
          </Link>
        </p>
      )}
      {known === undefined && isSuccess && (
        <p className={styles.aside}>
          <Link className={shared.link} href="/">
            Create or import an agent
          </Link>
        </p>
      )}
    </>
  )
}

interface VersionProps extends ControlProps {
  /** The name of the agent. */
  readonly agent: JsonValue | undefined
}

export function AgentVersionField(props: VersionProps) {
  const { known } = useAgentNamed(props.agent)
  if (known === undefined || known.version === null) return <VersionSelect {...props} numbers={[]} />
  return <KnownVersions {...props} agentId={known.id} />
}

function KnownVersions({ agentId, ...props }: VersionProps & { readonly agentId: string }) {
  const versions = useVersions(agentId)
  return <VersionSelect {...props} numbers={versions.data?.map(({ version }) => version) ?? []} />
}

function VersionSelect({
  id,
  label,
  hint,
  error,
  value = 'published',
  onChange,
  numbers,
}: ControlProps & { readonly numbers: readonly number[] }) {
  const [newest] = numbers
  const isStrange = typeof value === 'number' && !numbers.includes(value)
  const options = [
    {
      value: 'published',
      label: newest === undefined ? 'newest published' : `newest published (now version ${newest})`,
    },
    { value: 'draft', label: 'draft, as it is drawn now' },
    ...(isStrange ? [{ value: String(value), label: `version ${value} (not published)` }] : []),
    ...numbers.map((each) => ({ value: String(each), label: `version ${each}` })),
  ]
  return (
    <Property label={label} htmlFor={id} error={error} hint={hint}>
      <Select
        id={id}
        value={String(value)}
        onChange={(next) => onChange(/^\d+$/.test(next) ? Number(next) : next)}
        options={options}
      />
    </Property>
  )
}
