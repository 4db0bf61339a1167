'use client'
/** The findings about the drawing, one per row: what is wrong, where, and how to fix it. */
import { useEffect, useRef } from 'react'
import { describeNode } from '#components/drawing/describe'
import { useGraph } from '#components/drawing/graph-context'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import type { Diagnostic } from '#lib/spec/errors'
import { FixButtons } from './fix-buttons'
import styles from './problems.module.css'

const signs: Record<Diagnostic['severity'], { icon: string; word: string }> = {
  error: { icon: 'circle-alert', word: 'Error' },
  warning: { icon: 'triangle-alert', word: 'Warning' },
  info: { icon: 'info', word: 'Note' },
}

export interface ProblemsProps {
  readonly diagnostics: readonly Diagnostic[]
  onSelectNode(node: string): void
}

/** Findings beyond these are only counted, because a person fixes them one at a time. */
const most = 200

export function Problems({ diagnostics, onSelectNode }: ProblemsProps) {
  const { list, fixedAt } = useFocusAfterFix(diagnostics)
  if (diagnostics.length === 0)
    return (
      <p
        className={styles.none}
        ref={(each) => (fixedAt.current === null ? undefined : each?.focus())}
        tabIndex={-1}
      >
        No problems: this agent can run.
      </p>
    )
  return (
    <ul ref={list} className={styles.problems} aria-label="Problems">
      {diagnostics.slice(0, most).map((each, at) => (
        <Problem
          key={`${each.code} ${each.node ?? ''} ${each.path ?? ''} ${each.message}`}
          diagnostic={each}
          onSelectNode={onSelectNode}
          onFixed={() => {
            fixedAt.current = at
          }}
        />
      ))}
      <li className={styles.foot}>
        {diagnostics.length > most && `${diagnostics.length - most} more come after these. `}
        Problems never block editing. An error keeps the agent from running until it is fixed.
      </li>
    </ul>
  )
}

function Problem({
  diagnostic,
  onSelectNode,
  onFixed,
}: {
  diagnostic: Diagnostic
  onSelectNode(node: string): void
  onFixed(): void
}) {
  const { severity, message, node, path } = diagnostic
  const { icon, word } = signs[severity]
  return (
    <li className={styles.row} data-severity={severity}>
      <button
        type="button"
        className={styles.what}
        disabled={node === undefined}
        onClick={() => node !== undefined && onSelectNode(node)}
      >
        <span className={styles.sign} data-severity={severity}>
          <Icon name={icon} />
          <span className={shared.unseen}>{word}: </span>
        </span>
        <span>{message}</span>
        <span className={styles.node}>{node !== undefined && <NodeName id={node} />}</span>
        <code className={shared.cut}>{path}</code>
      </button>
      <FixButtons diagnostic={diagnostic} onFixed={onFixed} />
    </li>
  )
}

function NodeName({ id }: { id: string }) {
  const node = useGraph((state) => state.history.present.nodes.find((each) => each.id === id))
  const catalog = useGraph((state) => state.catalog)
  if (node === undefined) return null
  const { title, family, icon } = describeNode(node, catalog)
  return (
    <>
      <Tile family={family} icon={icon} size="s" />
      <span>{title}</span>
    </>
  )
}

/** A fixed finding disappears with its buttons, so the focus moves to the one that takes its position. */
function useFocusAfterFix(diagnostics: readonly Diagnostic[]) {
  const list = useRef<HTMLUListElement>(null)
  const fixedAt = useRef<number | null>(null)
  useEffect(() => {
    const at = fixedAt.current
    if (at === null || diagnostics.length === 0) return
    fixedAt.current = null
    const rows = list.current?.querySelectorAll<HTMLElement>('li > button:not(:disabled)') ?? []
    if (document.activeElement === document.body) (rows[at] ?? rows[rows.length - 1])?.focus()
  }, [diagnostics])
  return { list, fixedAt }
}
