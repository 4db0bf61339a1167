'use client'
/**
 * What the drawn agent may do: the tools it gets, what is withheld and by which policy, its limits, and the
 * cost in tokens.
 */
import { type ReactNode, useState } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { spanWords } from '#components/drawing/span-words'
import { useAuthority } from '#components/drawing/use-authority'
import { useShow } from '#components/drawing/use-show'
import { useDryRun } from '#components/run/dry-run-context'
import { reasonWords } from '#components/run/reason-words'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import type { Authority } from '#lib/wire/authority'
import styles from './authority-section.module.css'
import inspector from './inspector.module.css'

export function AuthoritySection() {
  const { data, isPending, isError, refetch, hasErrors } = useAuthority()
  const authority = data?.authority
  return (
    <section className={inspector.section} aria-label="What it may do" aria-busy={isPending && !hasErrors}>
      <h3 className={inspector.heading}>
        What it may do
        {authority != null && !hasErrors && <span className={inspector.end}>{countOf(authority)}</span>}
      </h3>
      {hasErrors && (
        <p className={shared.quiet}>The drawing has errors, listed under Problems. Fix them to see this.</p>
      )}
      {!hasErrors && isError && (
        <div className={styles.failed}>
          <p className={shared.quiet}>The server did not answer.</p>
          <Button size="s" icon="rotate-ccw" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {!hasErrors && isPending && <Waiting />}
      {!hasErrors && authority === null && (
        <p className={shared.quiet}>Nothing on this server, because it lacks a part that the agent needs.</p>
      )}
      {!hasErrors && authority != null && <AuthorityWords authority={authority} />}
      {!hasErrors && authority != null && <AskPolicies />}
    </section>
  )
}

/** Checks a call against the policies without running it. */
export function AskPolicies({ tool }: { tool?: string }) {
  const open = useDryRun()
  if (open === null) return null
  return (
    <Button size="s" icon="shield" className={styles.ask} onClick={() => open({ tool })}>
      Would a call run?
    </Button>
  )
}

function countOf({ offered, withheld }: Authority): string {
  const tools = offered.length === 1 ? '1 tool' : `${offered.length} tools`
  return withheld.length === 0 ? tools : `${tools}, ${withheld.length} withheld`
}

function Waiting() {
  return (
    <div className={styles.waiting}>
      {[60, 80, 50].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} />
      ))}
    </div>
  )
}

/** Rows shown at first; a click shows the others. */
const few = 8

function AuthorityWords({ authority: { offered, withheld, limits, tokens } }: { authority: Authority }) {
  return (
    <>
      {offered.length === 0 && <p className={shared.quiet}>No tools yet, so it can only talk.</p>}
      <Some
        label="Tools of the agent"
        items={offered}
        draw={(each) => <Offered key={each.name} tool={each} />}
      />
      <Some
        label="Withheld tools"
        items={withheld}
        draw={(each) => <Withheld key={`${each.node} ${each.name}`} tool={each} />}
      />
      {limits.length > 0 && (
        <ul className={styles.limits} aria-label="Limits">
          {limits.map((each) => (
            <li key={`${each.node} ${each.text}`}>
              <Jump node={each.node}>{each.text}</Jump>
            </li>
          ))}
        </ul>
      )}
      {tokens.system + tokens.tools > 0 && <p className={styles.tokens}>{tokenWords(tokens)}</p>}
    </>
  )
}

/** Leaves out what costs nothing. */
function tokenWords({ system, tools }: Authority['tokens']): string {
  const parts = [
    system > 0 && `${figure(system)} tokens of instructions`,
    tools > 0 && `${figure(tools)}${system > 0 ? '' : ' tokens'} of tools`,
  ]
  return `About ${parts.filter((each) => each !== false).join(' and ')} per request.`
}

function Some<T>({ label, items, draw }: { label: string; items: readonly T[]; draw(item: T): ReactNode }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll || items.length <= few + 1 ? items : items.slice(0, few)
  if (items.length === 0) return null
  return (
    <>
      <ul className={styles.list} aria-label={label}>
        {shown.map(draw)}
      </ul>
      {shown.length < items.length && (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {items.length - shown.length} more
        </button>
      )}
    </>
  )
}

const effects = { read: 'reads only', idempotent: 'may be repeated', effect: 'acts once' } as const

/** A click shows the card that offers the tool, where its settings and policies are. */
function Offered({ tool }: { tool: Authority['offered'][number] }) {
  const { name, wireName, entry, risk, effect, timeoutSeconds, tokens, asks } = tool
  return (
    <li title={wireName === name ? name : `${name}, sent to the model as ${wireName}`}>
      <Jump node={entry} className={styles.tool}>
        <span className={styles.name}>{name}</span>
        <span className={styles.figure}>{figure(tokens)} tokens</span>
        <span className={styles.facts}>
          {risk === 'read' && effect === 'read' ? 'reads only' : `${risk}, ${effects[effect]}`},{' '}
          {spanWords(timeoutSeconds)} at most
          {asks && (
            <span className={styles.asks}>
              <Icon name="hand" size={12} />
              asks you first
            </span>
          )}
        </span>
      </Jump>
    </li>
  )
}

function Withheld({ tool: { name, node, policy, reason } }: { tool: Authority['withheld'][number] }) {
  const label = useGraph(
    (state) => state.catalog.kinds.find((each) => each.kind === `policy:${policy}`)?.label ?? policy,
  )
  const words = reasonWords(reason)
  return (
    <li>
      <Jump node={node} className={styles.withheld}>
        <Icon name="ban" size={12} className={styles.ban} />
        <span className={styles.name}>{name}</span>
        {/* The reason of some policies names the policy itself. */}
        {!words.includes(label) && <span className={styles.policy}>{label}</span>}
        <span className={styles.reason}>{words}</span>
      </Jump>
    </li>
  )
}

interface JumpProps {
  /** An entry's path, such as `policies/0`. A default limit belongs to no node. */
  readonly node: string
  readonly className?: string
  readonly children: ReactNode
}

/** Shows the node that a sentence is about. */
function Jump({ node, className, children }: JumpProps) {
  const show = useShow()
  const id = useGraph((state) => state.compiled.origins[node])
  if (id === undefined) return <span className={className ?? styles.limit}>{children}</span>
  return (
    <button type="button" className={className ?? styles.limit} onClick={() => show(id)}>
      {children}
    </button>
  )
}

const figure = (value: number) => value.toLocaleString('en-US')
