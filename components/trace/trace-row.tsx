'use client'
/**
 * One row of the trace: its place in the tree, its bar on the time axis, its figures, and what opens below
 * it.
 */
import { type CSSProperties, memo } from 'react'
import { FileLink } from '#components/observation/file-link'
import { Marked } from '#components/observation/marked'
import { duration, tokensText, usd } from '#components/run/figures'
import type { ToolMark } from '#components/run/tool-icon'
import { Chip } from '#components/ui/bits'
import { CutName } from '#components/ui/cut-name'
import { TailLine } from '#components/ui/tail-line'
import { OpenedRow } from './opened-row'
import { type Row, sameRow } from './row'
import { Chevron, RowIcon, RowTail } from './row-signs'
import type { Scale } from './time-scale'
import { BarCell, type When } from './trace-bars'
import styles from './trace-table.module.css'

export interface TraceRowProps {
  readonly row: Row
  readonly top: number
  readonly index: number
  /** Where moments are on the axis. */
  readonly scale: Scale
  readonly isLive: boolean
  /** Set only for rows that show a running duration; null for all others. */
  readonly now: number | null
  readonly when: When
  readonly isOpen: boolean
  readonly isSelected: boolean
  /** The arrow keys act on this row. */
  readonly isActive: boolean
  readonly domId: string
  /** The text searched for, marked where it occurs. */
  readonly query: string
  readonly isMatch: boolean
  /** The icon of the called tool. */
  readonly mark: ToolMark
  /** The label of a policy. */
  readonly title: string
  onChoose(row: Row): void
  onFold(row: Row): void
  /** Called with the height in pixels of what is opened below the row. */
  onMeasure(id: string, height: number): void
  /** Only where a person can decide. */
  readonly onReview: ((row: Row) => void) | undefined
}

export const TraceRow = memo(function TraceRow(props: TraceRowProps) {
  const { row, top, index, scale, isLive, now, when, isOpen, isSelected, isActive, onChoose } = props
  return (
    <div className={styles.place} style={{ top }}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles keys for its active row */}
      <div
        role="row"
        id={props.domId}
        data-row={row.id}
        aria-level={row.depth + 1}
        aria-rowindex={index + 1}
        aria-expanded={row.open ?? (isOpen || undefined)}
        aria-selected={isSelected}
        className={styles.row}
        data-kind={row.kind}
        data-tone={row.tone}
        data-when={when}
        data-copied={row.isCopied || undefined}
        data-active={isActive || undefined}
        data-match={props.isMatch || undefined}
        onClick={() => onChoose(row)}
      >
        <TreeCell {...props} />
        <BarCell row={row} scale={scale} isLive={isLive} when={when} />
        <Figure value={row.tokens === null ? '' : tokensText(row.tokens, row.isEstimated)} />
        <Figure value={row.cost === null ? '' : usd(row.cost)} />
        <Figure value={tookOf(row, now)} />
      </div>
      {isOpen && <OpenedRow row={row} onMeasure={props.onMeasure} />}
    </div>
  )
}, isSame)

/** Rows of an unfinished step are rebuilt with each event, so they are compared by what they show. */
function isSame(a: TraceRowProps, b: TraceRowProps): boolean {
  for (const key of Object.keys(b) as (keyof TraceRowProps)[]) {
    // cast: the keys of the props
    if (
      key === 'row' ? !(sameRow(a.row, b.row) && (!b.isOpen || a.row === b.row)) : !Object.is(a[key], b[key])
    )
      return false
  }
  return true
}

function TreeCell(props: TraceRowProps) {
  const { row, now, query, title, when, onFold, onReview } = props
  const hidden = query !== '' && props.isMatch && !shows(title, query) && !shows(row.detail, query)
  return (
    <div
      role="gridcell"
      className={styles.tree}
      data-depth={row.depth}
      style={{ '--depth': row.depth } as CSSProperties}
      title={tooltipOf(row)}
    >
      <span className={styles.fold}>
        {row.open !== undefined && (
          <button
            type="button"
            tabIndex={-1}
            aria-label={row.open ? 'Fold' : 'Unfold'}
            onClick={(event) => {
              event.stopPropagation()
              onFold(row)
            }}
          >
            <Chevron isOpen={row.open} />
          </button>
        )}
      </span>
      <RowIcon row={row} mark={props.mark} />
      <span className={styles.title} data-mono={isMono(row) || undefined}>
        {row.isTail ? (
          <TailLine text={title} className={styles.growing} />
        ) : row.artifact !== undefined ? (
          <FileLink artifact={row.artifact} name={row.title} />
        ) : row.kind === 'call' && query === '' ? (
          <CutName name={title} />
        ) : (
          <Marked text={title} query={query} />
        )}
      </span>
      {row.persona !== undefined && (
        <span className={styles.persona} title="The persona of this call">
          <Chip>{row.persona}</Chip>
        </span>
      )}
      {row.detail !== '' && (
        <span className={styles.detail}>
          <Marked text={row.detail} query={query} />
        </span>
      )}
      <RowTail
        row={row}
        now={now}
        when={when}
        isHidden={hidden}
        onReview={onReview === undefined || row.parent !== undefined ? undefined : () => onReview(row)}
      />
    </div>
  )
}

function shows(text: string, query: string): boolean {
  return text.toLowerCase().includes(query.toLowerCase())
}

function isMono({ kind }: Row): boolean {
  return kind === 'call' || kind === 'observation' || kind === 'file'
}

/** What is still running shows the time since its start, by the run's clock. */
function tookOf({ ms, bar, beside }: Row, now: number | null): string {
  if (ms !== null) return duration(ms)
  const open = [bar, ...(beside ?? [])].find((each) => each?.end === null)
  return open && now !== null ? duration(Math.max(0, now - open.start)) : ''
}

/** The full row, including the figures for which a narrow window has no column. */
function tooltipOf({ title, detail, tail, tokens, isEstimated, cost }: Row): string {
  const figures = [
    tokens === null ? '' : `${tokensText(tokens, isEstimated)} tokens`,
    cost === null ? '' : usd(cost),
  ]
  const words = [title, detail].filter(Boolean).join(' ').slice(0, 400)
  return [words, tail ?? '', ...figures].filter(Boolean).join(', ')
}

function Figure({ value }: { value: string }) {
  return (
    <span role="gridcell" className={styles.figure}>
      {value}
    </span>
  )
}
