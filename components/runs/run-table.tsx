/** Runs as a table: one row per run, each linked to its run and ticked by a box; its heads sort the list. */
import Link from 'next/link'
import { type ReactNode, useEffect, useRef } from 'react'
import { Elapsed } from '#components/run/elapsed'
import { count, plural, tokensText, usd } from '#components/run/figures'
import { ForkMark } from '#components/run/fork-mark'
import { MockMark } from '#components/run/mock-mark'
import { RunMark } from '#components/run/run-mark'
import { moment, wholeMoment } from '#components/run/when'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { plainMarkdown } from '#components/ui/plain-markdown'
import shared from '#components/ui/shared.module.css'
import { lineOf } from '#lib/spec/line'
import type { RunSort } from '#lib/spec/run-sort'
import type { RunSummary } from '#lib/wire/runs'
import { feedbackWords, nextSort } from './list-filter'
import { type Picks, pick, pickAll, pickedOf } from './picks'
import styles from './run-table.module.css'

export interface RunTableProps {
  readonly runs: readonly RunSummary[]
  readonly sort: RunSort
  onSort(sort: RunSort): void
  readonly picks: Picks
  onPick(picks: Picks): void
}

export function RunTable({ runs, sort, onSort, picks, onPick }: RunTableProps) {
  const now = Date.now()
  const rows = runs.map(({ id }) => id)
  const head = { sort, onSort }
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th className={styles.box}>
            <AllBox
              picked={pickedOf(picks, rows).length}
              of={rows.length}
              onPick={() => onPick(pickAll(picks, rows))}
            />
          </th>
          <th className={styles.status}>Status</th>
          <th>Question</th>
          <th className={styles.agent}>Agent</th>
          <SortHead {...head} by="steps" className={styles.steps}>
            Steps
          </SortHead>
          <th data-figure="" className={styles.figure}>
            Tokens
          </th>
          <SortHead {...head} by="cost" className={styles.figure}>
            Cost
          </SortHead>
          <SortHead {...head} by="duration" className={styles.time}>
            Time
          </SortHead>
          <SortHead {...head} by="newest" className={styles.started}>
            Started
          </SortHead>
        </tr>
      </thead>
      <tbody>
        {runs.map((each) => (
          <RunRow
            key={each.id}
            run={each}
            now={now}
            isPicked={picks.ids.has(each.id)}
            onPick={(isRange) => onPick(pick(picks, { id: each.id, isRange, rows }))}
          />
        ))}
      </tbody>
    </table>
  )
}

interface SortHeadProps {
  readonly by: 'cost' | 'duration' | 'steps' | 'newest'
  readonly sort: RunSort
  onSort(sort: RunSort): void
  readonly className: string | undefined
  readonly children: ReactNode
}

function SortHead({ by, sort, onSort, className, children }: SortHeadProps) {
  const rising = by === 'newest' ? 'oldest' : `${by}_asc`
  const order = sort === by ? 'descending' : sort === rising ? 'ascending' : undefined
  return (
    <th data-figure="" className={className} aria-sort={order ?? 'none'}>
      <button type="button" className={styles.head} onClick={() => onSort(nextSort(by, sort))}>
        {order !== undefined && <Icon name={order === 'ascending' ? 'arrow-up' : 'arrow-down'} size={12} />}
        {children}
      </button>
    </th>
  )
}

function AllBox({ picked, of, onPick }: { picked: number; of: number; onPick(): void }) {
  const box = useRef<HTMLInputElement>(null)
  const isSome = picked > 0 && picked < of
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = isSome
  }, [isSome])
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label="Select all runs on this page"
      checked={of > 0 && picked === of}
      onChange={onPick}
    />
  )
}

interface RunRowProps {
  readonly run: RunSummary
  readonly now: number
  readonly isPicked: boolean
  onPick(isRange: boolean): void
}

function RunRow({ run, now, isPicked, onPick }: RunRowProps) {
  const { id, status, input, answer, error, agent, steps, usage, costUsd, startedAt, forkedFrom, mocked } =
    run
  const { failedCalls, feedback } = run
  const tokens = usage.input + usage.output
  // An answer that was cut off still counts as the answer.
  const isFault = error !== null && (status !== 'completed' || answer === null)
  const outcome = isFault ? error.message : plainMarkdown(answer ?? '')
  const version = agent.version === 'draft' ? 'draft' : `v${agent.version}`
  // The link covers the whole row, so its tooltip contains the text that cells leave out.
  const whole = [
    lineOf(input),
    lineOf(outcome, 500),
    `${lineOf(agent.name)}, ${version}${startedAt === null ? '' : `, ${wholeMoment(startedAt)}`}`,
  ]
  return (
    <tr className={styles.row} data-run={id} data-picked={isPicked || undefined}>
      <td className={styles.box}>
        <input
          type="checkbox"
          aria-label={`Select: ${lineOf(input, 80)}`}
          checked={isPicked}
          onChange={(event) => {
            const { nativeEvent } = event
            onPick(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }}
        />
      </td>
      <td>
        <RunMark status={status} hasWord />
        {failedCalls !== undefined && (
          <span className={styles.failed} title={`${plural(failedCalls, 'call')} of this run failed`}>
            {plural(failedCalls, 'error')}
          </span>
        )}
      </td>
      <td className={styles.question} title={whole.filter((each) => each !== '').join('\n\n')}>
        <div className={styles.asked}>
          <Link href={`/runs/${id}`} data-run-link="">
            <Line text={input} />
          </Link>
          <ForkMark from={forkedFrom} />
          <MockMark mocked={mocked} />
          {feedback !== undefined && (
            <span className={styles.rated}>
              <Icon name={`thumbs-${feedback.rating}`} size={12} />
              <span className={shared.unseen}>{feedbackWords[feedback.rating]}</span>
            </span>
          )}
        </div>
        {outcome !== '' && (
          <div className={styles.outcome} data-error={isFault || undefined}>
            <Line text={outcome} />
          </div>
        )}
      </td>
      <td className={styles.cut}>
        <Line text={agent.name} />
        <small>{version}</small>
      </td>
      <td data-figure="" data-unit={steps === 1 ? 'step' : 'steps'}>
        {steps > 0 && count(steps)}
      </td>
      <td data-figure="" data-unit="tokens">
        {tokens > 0 && tokensText(tokens, usage.estimated)}
      </td>
      <td data-figure="">{costUsd !== null && usage.input + usage.output > 0 && usd(costUsd)}</td>
      <td data-figure="">
        <Elapsed run={run} />
      </td>
      <td data-figure="">{startedAt !== null && moment(startedAt, now)}</td>
    </tr>
  )
}
