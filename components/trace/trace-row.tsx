'use client'
/** One row of the trace: its place in the tree, its bar on the time axis, its figures, and what it opens to. */
import { memo } from 'react'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { CallDetail } from './call-detail'
import { duration, tokensText, usd } from './figures'
import { FileLink } from './file-link'
import type { Bar, Row } from './row'
import styles from './trace-table.module.css'
import { openHeight } from './windowing'

/** `start` in milliseconds since 1970, `span` in milliseconds; `now` only while the run goes. */
export interface Axis {
  readonly start: number
  readonly span: number
  readonly now: number | null
  readonly ticks: readonly number[]
}

export interface TraceRowProps {
  readonly row: Row
  readonly top: number
  readonly index: number
  readonly axis: Axis
  readonly isOpen: boolean
  readonly isSelected: boolean
  /** Of the tool called. */
  readonly toolIcon: string | undefined
  onChoose(row: Row): void
  onFold(row: Row): void
}

export const TraceRow = memo(function TraceRow({
  row,
  top,
  index,
  axis,
  isOpen,
  isSelected,
  toolIcon,
  onChoose,
  onFold,
}: TraceRowProps) {
  const isFoldable = row.open !== undefined
  return (
    <div className={styles.place} style={{ top }}>
      <div
        role="row"
        aria-level={row.depth + 1}
        aria-rowindex={index + 1}
        aria-expanded={isFoldable ? row.open : undefined}
        aria-selected={isSelected}
        tabIndex={index === 0 || isSelected ? 0 : -1}
        className={styles.row}
        data-kind={row.kind}
        data-tone={row.tone}
        onClick={() => onChoose(row)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          onChoose(row)
        }}
      >
        <div role="gridcell" className={styles.tree} data-depth={row.depth} title={tooltipOf(row)}>
          <span className={styles.fold}>
            {isFoldable && (
              <button
                type="button"
                data-fold=""
                tabIndex={-1}
                aria-label={row.open ? 'Fold' : 'Unfold'}
                onClick={(event) => {
                  event.stopPropagation()
                  onFold(row)
                }}
              >
                <Icon name={row.open ? 'chevron-down' : 'chevron-right'} size={14} />
              </button>
            )}
          </span>
          <RowIcon row={row} toolIcon={toolIcon} />
          <span className={styles.title} data-mono={isMono(row) || undefined}>
            {row.artifact === undefined ? row.title : <FileLink artifact={row.artifact} name={row.title} />}
          </span>
          {row.detail !== '' && <span className={styles.detail}>{row.detail}</span>}
          <Tail row={row} now={axis.now} />
        </div>
        <BarCell bar={row.bar} tone={row.tone} axis={axis} />
        <Figure value={row.tokens === null ? '' : tokensText(row.tokens, row.isEstimated)} />
        <Figure value={row.cost === null ? '' : usd(row.cost)} />
        <Figure value={row.ms === null ? '' : duration(row.ms)} />
      </div>
      {isOpen && (
        <div className={styles.opened} style={{ height: openHeight }}>
          {row.call === undefined ? (
            <pre>{[row.title, row.detail].filter(Boolean).join('\n\n')}</pre>
          ) : (
            <CallDetail call={row.call} raw={false} />
          )}
        </div>
      )}
    </div>
  )
})

function isMono({ kind }: Row): boolean {
  return kind === 'call' || kind === 'observation' || kind === 'file'
}

/** The row in full, with the figures for which a narrow window has no column. */
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

const icons: Partial<Record<Row['kind'], string>> = {
  tools: 'wrench',
  retry: 'rotate-ccw',
  file: 'file-text',
  thought: 'text-align-start',
  ruling: 'shield',
  call: 'hammer',
  observation: 'corner-down-right',
  answer: 'message-square',
  notice: 'circle-x',
}

function RowIcon({ row, toolIcon }: { row: Row; toolIcon: string | undefined }) {
  const isLimit = row.kind === 'notice' && row.tone !== 'error'
  const icon = isLimit ? 'circle-alert' : ((row.kind === 'call' ? toolIcon : undefined) ?? icons[row.kind])
  if (icon === undefined) return null
  return (
    <span className={styles.icon} data-kind={row.kind} data-tone={row.tone}>
      <Icon name={icon} size={14} />
    </span>
  )
}

const tails: Partial<Record<Row['tone'], { icon: string; word: string }>> = {
  ok: { icon: 'check', word: 'ok' },
  error: { icon: 'circle-x', word: 'failed' },
  denied: { icon: 'ban', word: 'denied' },
}

/** State as an icon with its word, at the end of the row's own line. */
function Tail({ row, now }: { row: Row; now: number | null }) {
  if (row.until !== undefined && now !== null) {
    return (
      <span className={styles.tail} data-tone="working">
        <Spinner size={14} />
        {againIn(row.until - now)}
      </span>
    )
  }
  if (row.kind !== 'call')
    return row.tail === undefined ? null : <span className={styles.tail}>{row.tail}</span>
  if (row.tone === 'working') {
    return (
      <span className={styles.tail} data-tone="working">
        <Spinner size={14} />
      </span>
    )
  }
  const tail = tails[row.tone]
  if (tail === undefined)
    return row.call === undefined ? null : <span className={styles.tail}>{row.call.status}</span>
  return (
    <span className={styles.tail} data-tone={row.tone}>
      {row.tone !== 'ok' && row.call?.status}
      <Icon name={tail.icon} size={14} />
      {row.tone === 'ok' && <span className={styles.spoken}>{tail.word}</span>}
    </span>
  )
}

/** In whole seconds, rounded up: nobody reads tenths of a wait. */
function againIn(ms: number): string {
  return ms <= 0 ? 'again now' : `again in ${Math.ceil(ms / 1_000)} s`
}

function BarCell({ bar, tone, axis }: { bar: Bar | null; tone: Row['tone']; axis: Axis }) {
  return (
    <span role="gridcell" className={styles.bars}>
      {axis.ticks.map((each) => (
        <u key={each} style={{ left: percent(each, axis) }} />
      ))}
      {bar !== null && <BarShape bar={bar} tone={tone} axis={axis} />}
      {axis.now !== null && <u data-now="" style={{ left: percent(axis.now - axis.start, axis) }} />}
    </span>
  )
}

function BarShape({ bar, tone, axis }: { bar: Bar; tone: Row['tone']; axis: Axis }) {
  const end = bar.end ?? axis.now ?? axis.start + axis.span
  const left = percent(bar.start - axis.start, axis)
  const width = percent(end - bar.start, axis)
  const isGrowing = bar.end === null && axis.now !== null
  if (bar.kind !== 'model')
    return (
      <i data-bar={bar.kind} data-open={isGrowing || undefined} data-tone={tone} style={{ left, width }} />
    )
  const firstAt = bar.firstAt ?? end
  return (
    <>
      <i data-bar="wait" style={{ left, width: percent(firstAt - bar.start, axis) }} />
      {bar.firstAt != null && (
        <i
          data-bar="model"
          data-open={isGrowing || undefined}
          data-tone={tone}
          style={{ left: percent(firstAt - axis.start, axis), width: percent(end - firstAt, axis) }}
        />
      )}
    </>
  )
}

function percent(ms: number, { span }: Axis): string {
  return `${Math.max(0, (ms / span) * 100).toFixed(3)}%`
}
