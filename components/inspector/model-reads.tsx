'use client'
/** What the model reads of the tools, in a format that a person chooses, with the form of a call. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#components/data/client'
import { useDrawnAgent } from '#components/drawing/drawn-agent'
import { useAuthority } from '#components/drawing/use-authority'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Select } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { JsonText, PlainText } from '#components/ui/json-text'
import shared from '#components/ui/shared.module.css'
import type { ToolRendering, ToolRenderings } from '#lib/wire/tool-renderings'
import inspector from './inspector.module.css'
import styles from './model-reads.module.css'

/** Asked only when a person opens it. `entry` limits it to the tools of one part. */
export function ModelReads({ entry }: { entry?: string | undefined }) {
  const agentId = useDrawnAgent()
  const [isOpen, setOpen] = useState(false)
  if (agentId === null) return null
  return (
    <section className={inspector.section} aria-label="What the model reads">
      <h3 className={inspector.heading}>
        <button type="button" className={styles.open} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} />
          What the model reads
        </button>
      </h3>
      {isOpen && <Renderings agentId={agentId} entry={entry} />}
    </section>
  )
}

function Renderings({ agentId, entry }: { agentId: string; entry: string | undefined }) {
  const { rested, hasErrors } = useAuthority()
  const { data, isPending, isError, refetch } = useQuery({
    queryKey: ['tool-renderings', agentId, rested.text],
    queryFn: ({ signal }) => api.agents.toolRenderings(agentId, rested.graph, signal),
    enabled: rested.text !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (hasErrors)
    return (
      <p className={shared.quiet}>The drawing has errors, listed under Problems. Fix them to see this.</p>
    )
  if (isError)
    return (
      <Button size="s" icon="rotate-ccw" onClick={() => void refetch()}>
        The server did not answer. Try again
      </Button>
    )
  if (isPending) return <Skeleton height={12} width="60%" />
  const items = data.items.filter((each) => entry === undefined || each.entry === entry)
  if (items.length === 0) return <p className={shared.quiet}>Nothing: no tool is offered to the model.</p>
  return <Chosen items={items} />
}

/** Tools shown at first; a click shows the others. */
const few = 3

const keyOf = ({ format, provider = '' }: ToolRendering) => `${format} ${provider}`
const labelOf = ({ provider, label }: ToolRendering) =>
  provider === undefined ? label : `Function calls, ${label}`

function Chosen({ items }: { items: ToolRenderings['items'] }) {
  const all = items[0]?.renderings ?? []
  const [chosen, setChosen] = useState(() => (all[0] === undefined ? '' : keyOf(all[0])))
  const [isAll, setAll] = useState(false)
  const shown = isAll ? items : items.slice(0, few)
  return (
    <div className={styles.reads}>
      <Select
        aria-label="Format"
        value={chosen}
        onChange={setChosen}
        options={all.map((each) => ({ value: keyOf(each), label: labelOf(each) }))}
      />
      {shown.map(({ name, renderings }) => {
        const one = renderings.find((each) => keyOf(each) === chosen) ?? renderings[0]
        return one === undefined ? null : <One key={name} name={name} rendering={one} />
      })}
      {shown.length < items.length && (
        <Button size="s" onClick={() => setAll(true)}>
          {`${items.length - shown.length} more`}
        </Button>
      )}
    </div>
  )
}

function One({ name, rendering: { text, call, provider } }: { name: string; rendering: ToolRendering }) {
  return (
    <div className={styles.tool}>
      <div className={styles.name}>
        <span className={shared.cut}>{name}</span>
        <CopyButton label={`Copy what the model reads of ${name}`} text={() => text} />
      </div>
      {provider === undefined ? <PlainText text={text} /> : <JsonText text={text} />}
      {call !== undefined && call !== '' && (
        <>
          <p className={shared.quiet}>A call is written like this:</p>
          <PlainText text={call} />
        </>
      )}
    </div>
  )
}
