'use client'
/** The tools that an entry offers, each with its description and its arguments in words. */
import { useMemo, useState } from 'react'
import { strings } from '#components/drawing/describe'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { denyTool } from '#components/drawing/part'
import { spanWords } from '#components/drawing/span-words'
import { useAuthority } from '#components/drawing/use-authority'
import { Chip } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import { kindOf } from '#lib/graph/kinds'
import { policyDenying, rulePolicies } from '#lib/graph/tool-rules'
import type { CatalogTool } from '#lib/spec/catalog'
import type { JsonSchema } from '#lib/spec/json'
import inspector from './inspector.module.css'
import styles from './tools-offered.module.css'
import { WallFacts } from './wall-facts'

/** Rows shown at first; a click shows the others. */
const few = 6

export function ToolsOffered({ node, tools }: { node: string; tools: readonly CatalogTool[] }) {
  const [isAll, setAll] = useState(false)
  const withheld = useWithheld(node)
  const [only] = tools
  if (tools.length === 1 && only !== undefined)
    return (
      <section className={inspector.section} aria-label="The tool">
        <h3 className={inspector.heading}>
          Inputs
          {withheld.has(only.name) && <span className={inspector.end}>withheld</span>}
        </h3>
        <Facts tool={only} />
        <Parameters tool={only} />
      </section>
    )
  const shown = isAll ? tools : tools.slice(0, few)
  return (
    <section className={inspector.section} aria-label="The tools">
      <h3 className={inspector.heading}>
        Its tools<span className={inspector.end}>{tools.length}</span>
      </h3>
      <ul className={shared.list}>
        {shown.map((each) => (
          <li key={each.name}>
            <Offered tool={each} isWithheld={withheld.has(each.name)} />
          </li>
        ))}
      </ul>
      {shown.length < tools.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {tools.length - shown.length} more
        </button>
      )}
    </section>
  )
}

const none: ReadonlySet<string> = new Set()

/** The tools of a node that its agent's policies hide from the model. */
function useWithheld(node: string): ReadonlySet<string> {
  const entry = useGraph((state) => state.paths.get(node))
  const { data, hasErrors } = useAuthority()
  const withheld = data?.authority?.withheld
  return useMemo(() => {
    if (withheld === undefined || hasErrors) return none
    return new Set(withheld.filter((each) => each.entry === entry).map(({ name }) => name))
  }, [withheld, entry, hasErrors])
}

function Offered({ tool, isWithheld }: { tool: CatalogTool; isWithheld: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={inspector.item}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={12} className={styles.chevron} />
        <Icon name={tool.icon} size={14} className={styles.icon} />
        <span className={styles.name}>
          {tool.label} <code className={styles.apiName}>{tool.name}</code>
        </span>
        {isWithheld ? (
          <span className={styles.withheld}>
            <Icon name="ban" size={12} />
            withheld
          </span>
        ) : (
          <span className={styles.risk}>{tool.risk}</span>
        )}
      </button>
      {isOpen && (
        <div className={styles.open}>
          <p className={shared.plain}>{tool.description}</p>
          <Facts tool={tool} />
          <Parameters tool={tool} />
          <Denial tool={tool.name} />
        </div>
      )}
    </>
  )
}

/** Denies this tool and leaves the other tools of its card allowed, or leads to the policy that denies it. */
function Denial({ tool }: { tool: string }) {
  const store = useGraphStore()
  const denying = useGraph(({ history, catalog }) => policyDenying(history.present, catalog, tool)?.id)
  const canDeny = useGraph(({ catalog }) => kindOf(catalog, rulePolicies.never) !== undefined)
  if (denying !== undefined)
    return (
      <Button
        size="s"
        icon="shield"
        className={styles.denial}
        onClick={() => store.getState().select({ nodes: [denying] })}
      >
        Show the policy that denies it
      </Button>
    )
  if (!canDeny) return null
  return (
    <Button size="s" icon="ban" className={styles.denial} onClick={() => denyTool(store, tool)}>
      Never allow this tool
    </Button>
  )
}

const effects = { read: 'reads only', idempotent: 'may be repeated', effect: 'acts once' } as const

function Facts({ tool: { risk, effect, timeoutSeconds, walled } }: { tool: CatalogTool }) {
  return (
    <>
      <div className={styles.facts}>
        <Chip>Risk: {risk}</Chip>
        <Chip>{effects[effect]}</Chip>
        <Chip>{spanWords(timeoutSeconds)} at most</Chip>
      </div>
      {walled !== undefined && <WallFacts kind={walled} />}
    </>
  )
}

function Parameters({ tool: { parameters } }: { tool: CatalogTool }) {
  const required = new Set(parameters.required ?? [])
  const all = Object.entries(parameters.properties ?? {})
  if (all.length === 0) return <p className={shared.quiet}>It takes no arguments.</p>
  return (
    <dl className={styles.parameters}>
      {all.map(([key, schema]) => (
        <div key={key} className={styles.parameter}>
          <dt>
            <span className={styles.key}>{key}</span>
            <span className={styles.type}>{typeWords(schema)}</span>
            {required.has(key) && schema.default === undefined && (
              <span className={styles.must}>required</span>
            )}
          </dt>
          <dd>{aboutOf(schema)}</dd>
        </div>
      ))}
    </dl>
  )
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'yes or no',
  object: 'object',
  array: 'list',
}

export function typeWords(schema: JsonSchema): string {
  if (schema.enum !== undefined) return 'one of'
  const branches = schema.anyOf ?? schema.oneOf
  if (branches !== undefined) return branches.map(typeWords).join(' or ')
  const types = Array.isArray(schema.type) ? schema.type : strings([schema.type])
  const words = types.map((each) => typeNames[each] ?? each).join(' or ') || 'any'
  const items = schema.items === undefined ? '' : ` of ${typeWords(schema.items)}`
  return `${words}${items}`
}

/** The description, choices, bounds and default, as sentences. */
function aboutOf(schema: JsonSchema): string {
  const { minimum, maximum, description = '' } = schema
  const bounds =
    typeof minimum === 'number' && typeof maximum === 'number'
      ? `${figure(minimum)} to ${figure(maximum)}.`
      : typeof minimum === 'number'
        ? `At least ${figure(minimum)}.`
        : typeof maximum === 'number'
          ? `At most ${figure(maximum)}.`
          : ''
  const choices = schema.enum === undefined ? '' : `${schema.enum.map((each) => String(each)).join(', ')}.`
  const fallback = schema.default === undefined ? '' : `Default: ${JSON.stringify(schema.default)}.`
  return [description, choices, bounds, fallback].filter((each) => each !== '').join(' ')
}

const figure = (value: number) => value.toLocaleString('en-US')
