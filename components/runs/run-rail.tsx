'use client'
/** The list of runs next to the open one: at the left, or a menu below the bar in a narrow window. */
import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useRuns } from '#components/data/runs'
import { Elapsed } from '#components/run/elapsed'
import { count, usd } from '#components/run/figures'
import { ForkMark } from '#components/run/fork-mark'
import { RunMark } from '#components/run/run-mark'
import { moment, outcomeWords } from '#components/run/when'
import { Skeleton } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import { Popover } from '#components/ui/popover'
import { lineOf } from '#lib/spec/line'
import type { RunSummary } from '#lib/wire/runs'
import { isFiltered, type ListFilter, toQuery } from './list-filter'
import { RunFilters } from './run-filters'
import styles from './run-rail.module.css'

/** Opening another run of the list renders a new page, but the filter of the list is kept. */
const railFilter = createStore<ListFilter>(() => ({}))

export function RunRail({ currentId, onLeave }: { currentId: string; onLeave(): void }) {
  const filter = useStore(railFilter)
  const runs = useRuns(toQuery(filter))
  const items = runs.data?.pages.flatMap((page) => page.items)
  const total = runs.data?.pages[0]?.total
  const now = Date.now()
  return (
    <aside className={styles.rail} aria-label="Runs">
      <header className={styles.head}>
        <h2>Runs</h2>
        {total !== undefined && <span className={styles.total}>{count(total)}</span>}
        <FilterMenu filter={filter} />
      </header>
      {runs.isError && <ErrorNote error={runs.error} />}
      {runs.isPending && <Loading />}
      <ul>
        {items?.map((each) => (
          <RailItem key={each.id} run={each} isCurrent={each.id === currentId} now={now} onLeave={onLeave} />
        ))}
      </ul>
      {items?.length === 0 && (
        <div className={styles.none}>
          <p>No runs match.</p>
          <Button size="s" onClick={() => railFilter.setState({}, true)}>
            Show all
          </Button>
        </div>
      )}
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

function FilterMenu({ filter }: { filter: ListFilter }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) panel.current?.querySelector('input')?.focus()
  }, [isOpen])
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <span className={styles.filter}>
      <IconButton
        ref={button}
        icon="funnel"
        label={isFiltered(filter) ? 'Filter, on' : 'Filter'}
        size="s"
        pressed={isFiltered(filter) || undefined}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover anchor={button} width={232} onClose={() => setOpen(false)}>
          <div
            ref={panel}
            role="dialog"
            aria-label="Filter the runs"
            className={styles.filters}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return
              event.stopPropagation()
              event.preventDefault()
              close()
            }}
          >
            <RunFilters filter={filter} onChange={(next) => railFilter.setState(next, true)} />
            {isFiltered(filter) && (
              <Button size="s" onClick={() => railFilter.setState({}, true)}>
                Show all
              </Button>
            )}
          </div>
        </Popover>
      )}
    </span>
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
  const { id, status, input, usage, costUsd, startedAt, forkedFrom } = run
  const words = outcomeWords(run)
  return (
    <li>
      <Link
        ref={place}
        href={`/runs/${id}`}
        className={styles.item}
        aria-current={isCurrent ? 'page' : undefined}
        title={lineOf(input, 1_000)}
        onClick={onLeave}
      >
        <span className={styles.first}>
          <RunMark status={status} />
          <span className={styles.question}>
            <Line text={input} />
          </span>
          <ForkMark from={forkedFrom} />
        </span>
        <span className={styles.second}>
          {startedAt !== null && <span>{moment(startedAt, now)}</span>}
          {words === null && startedAt !== null && (
            <span>
              <Elapsed run={run} />
            </span>
          )}
          {words === null && costUsd !== null && usage.input + usage.output > 0 && (
            <span>{usd(costUsd)}</span>
          )}
          {words !== null && <span className={styles.words}>{words}</span>}
        </span>
      </Link>
    </li>
  )
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading the runs">
      {['a', 'b', 'c', 'd'].map((each) => (
        <Skeleton key={each} height={34} />
      ))}
    </div>
  )
}
