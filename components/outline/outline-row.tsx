'use client'
/** One row of the outline. */
import { memo } from 'react'
import { worst } from '#components/drawing/compiled'
import { useGraph } from '#components/drawing/graph-context'
import { CutName } from '#components/ui/cut-name'
import { Icon } from '#components/ui/icon'
import shared from '#components/ui/shared.module.css'
import { Tile } from '#components/ui/tile'
import styles from './outline.module.css'
import type { OutlineRow } from './outline-rows'

export interface OutlineRowProps {
  readonly id: string
  readonly row: OutlineRow
  readonly isCurrent: boolean
  onPick(key: string): void
  onToggle(key: string, isOpen: boolean): void
}

export const OutlineRowView = memo(DrawnRow, (a, b) => {
  if (a.isCurrent !== b.isCurrent || a.id !== b.id) return false
  const keys = Object.keys(b.row) as (keyof OutlineRow)[] // cast: the keys of a row are those of its type
  return keys.length === Object.keys(a.row).length && keys.every((key) => a.row[key] === b.row[key])
})

function DrawnRow({ id, row, isCurrent, onPick, onToggle }: OutlineRowProps) {
  const { key, node, note, frame, title, caption, family, icon, isOff, level, position, setSize, isOpen } =
    row
  const isSelected = useGraph(
    ({ selection }) =>
      (node !== undefined && selection.nodes.includes(node)) ||
      (note !== undefined && selection.notes.includes(note)) ||
      (frame !== undefined && selection.frames.includes(frame)),
  )
  const isHeading = node === undefined && note === undefined && frame === undefined
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the focus and handles the keys
    <div
      id={id}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={setSize}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      data-current={isCurrent || undefined}
      data-off={isOff || undefined}
      data-heading={isHeading || undefined}
      className={styles.row}
      style={{ paddingLeft: 4 + (level - 1) * 16 }}
      title={[title, caption].filter(Boolean).join(', ')}
      onClick={() => onPick(key)}
    >
      <span
        className={styles.chevron}
        aria-hidden="true"
        onClick={(event) => {
          event.stopPropagation()
          if (isOpen !== undefined) onToggle(key, !isOpen)
        }}
      >
        {isOpen !== undefined && <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />}
      </span>
      {!isHeading && <Tile family={family} icon={icon} size="s" />}
      <span className={styles.title}>{node === undefined ? title : <CutName name={title} />}</span>
      {node !== undefined && <Finding node={node} />}
      {isOff && <span className={styles.off}>off</span>}
    </div>
  )
}

const signs = {
  error: { icon: 'circle-alert', word: 'has an error' },
  warning: { icon: 'triangle-alert', word: 'has a warning' },
  info: undefined,
} as const

function Finding({ node }: { node: string }) {
  const severity = useGraph((state) => worst(state.findings.get(node))?.severity)
  const sign = severity === undefined ? undefined : signs[severity]
  if (sign === undefined) return null
  return (
    <span className={styles.finding} data-severity={severity}>
      <Icon name={sign.icon} size={14} />
      <span className={shared.unseen}>, {sign.word}</span>
    </span>
  )
}
