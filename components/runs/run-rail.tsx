'use client'
/** The runs beside the one that is open: at the left, or under the bar where the window is narrow. */
import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { usd } from '#components/trace/figures'
import { statusWords } from '#components/trace/status-words'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import type { RunSummary, RunView } from '#lib/http/runs'
import { Elapsed } from './elapsed'
import { useRuns } from './queries'
import { RunMark } from './run-mark'
import styles from './run-rail.module.css'
import { moment } from './when'

export function RunRail({ current, onLeave }: { current: RunView; onLeave(): void }) {
  const [isOwnOnly, setOwnOnly] = useState(false)
  const runs = useRuns(isOwnOnly ? { agent: current.agentId } : {})
  const items = runs.data?.pages.flatMap((page) => page.items)
  const now = Date.now()
  return (
    <aside className={styles.rail} aria-label="Runs">
      <header className={styles.head}>
        <h2>Runs</h2>
        <Button size="s" variant="quiet" pressed={isOwnOnly} onClick={() => setOwnOnly(!isOwnOnly)}>
          This agent only
        </Button>
      </header>
      {runs.isError && <ErrorNote error={runs.error} />}
      {runs.isPending && <Skeleton height={200} />}
      <ul className={styles.items}>
        {items?.map((each) => (
          <RailItem key={each.id} run={each} isCurrent={each.id === current.id} now={now} onLeave={onLeave} />
        ))}
      </ul>
      {runs.hasNextPage && (
        <Button
          size="s"
          variant="quiet"
          className={styles.more}
          disabled={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          Show older runs
        </Button>
      )}
    </aside>
  )
}

interface RailItemProps {
  readonly run: RunSummary
  readonly isCurrent: boolean
  readonly now: number
  onLeave(): void
}

function RailItem({ run, isCurrent, now, onLeave }: RailItemProps) {
  const place = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isCurrent) place.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  const { id, status, input, usage, costUsd, startedAt } = run
  return (
    <li>
      <Link
        ref={place}
        href={`/runs/${id}`}
        className={styles.item}
        aria-current={isCurrent ? 'page' : undefined}
        title={input}
        onClick={onLeave}
      >
        <span className={styles.first}>
          <RunMark status={status} />
          <span className={styles.question}>{input}</span>
        </span>
        <span className={styles.second}>
          {startedAt !== null && <span>{moment(startedAt, now)}</span>}
          {startedAt !== null && (
            <span>
              <Elapsed run={run} />
            </span>
          )}
          {costUsd !== null && usage.input + usage.output > 0 && <span>{usd(costUsd)}</span>}
          {status !== 'completed' && status !== 'running' && (
            <span>{statusWords[status].word.toLowerCase()}</span>
          )}
        </span>
      </Link>
    </li>
  )
}
