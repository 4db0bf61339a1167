'use client'
/** The list of runs next to the open one: at the left, or a menu below the bar in a narrow window. */
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useAgents } from '#components/data/agents'
import { useRuns } from '#components/data/runs'
import { Elapsed } from '#components/run/elapsed'
import { count, usd } from '#components/run/figures'
import { ForkMark } from '#components/run/fork-mark'
import { MockMark } from '#components/run/mock-mark'
import { RunMark } from '#components/run/run-mark'
import { moment, outcomeWords } from '#components/run/when'
import { Loading } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import { lineOf } from '#lib/spec/line'
import type { RunSummary } from '#lib/wire/runs'
import { FilterMenu } from './filter-menu'
import { lastFilter } from './last-filter'
import { filterWords, isFiltered, type ListFilter, onlyGiven, toQuery, writeFilter } from './list-filter'
import { MoreFields } from './more-filters'
import { RunFilters, type RunFiltersProps } from './run-filters'
import styles from './run-rail.module.css'

export function RunRail({ currentId, onLeave }: { currentId: string; onLeave(): void }) {
  const filter = useStore(lastFilter)
  const runs = useRuns(toQuery(filter))
  const items = runs.data?.pages.flatMap((page) => page.items)
  const total = runs.data?.pages[0]?.total
  const query = writeFilter(filter)
  const now = Date.now()
  return (
    <aside className={styles.rail} aria-label="Runs">
      <header className={styles.head}>
        <h2>
          <Link href={query === '' ? '/runs' : `/runs?${query}`} title="Back to the list with these filters">
            Runs
          </Link>
        </h2>
        {total !== undefined && <span className={styles.total}>{count(total)}</span>}
        <RailFilter filter={filter} />
      </header>
      <FiltersOn filter={filter} />
      {runs.isError && <ErrorNote error={runs.error} />}
      {runs.isPending && <Loading what="the runs" heights={[34, 34, 34, 34]} className={styles.loading} />}
      <ul>
        {items?.map((each) => (
          <RailItem key={each.id} run={each} isCurrent={each.id === currentId} now={now} onLeave={onLeave} />
        ))}
      </ul>
      {items?.length === 0 && (
        <div className={styles.none}>
          <p>No runs match.</p>
          <Button size="s" onClick={clearFilter}>
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
          {(filter.sort ?? 'newest') === 'newest' ? 'Show older runs' : 'Show more runs'}
        </Button>
      )}
    </aside>
  )
}

function RailFilter({ filter }: { filter: ListFilter }) {
  const isOn = isFiltered(filter)
  const change: RunFiltersProps['onChange'] = (changed) =>
    lastFilter.setState(changed(lastFilter.getState()), true)
  return (
    <span className={styles.filter}>
      <FilterMenu
        label="Filter the runs"
        button={(opener) => (
          <IconButton
            icon="funnel"
            label={isOn ? 'Filter, on' : 'Filter'}
            size="s"
            pressed={isOn || undefined}
            {...opener}
          />
        )}
      >
        <RunFilters filter={filter} onChange={change} />
        <MoreFields filter={filter} onChange={change} />
      </FilterMenu>
    </span>
  )
}

/** Which filters are on, and a button that clears them. */
function FiltersOn({ filter }: { filter: ListFilter }) {
  const agents = useAgents()
  if (!isFiltered(filter)) return null
  const agent = agents.data?.items.find(({ id }) => id === filter.agent)
  const words = filterWords(filter, agent?.title || agent?.name).join(', ')
  return (
    <p className={styles.on}>
      <span className={styles.onWords} title={words}>
        <Line text={words} />
      </span>
      <Button size="s" variant="quiet" onClick={clearFilter}>
        Show all
      </Button>
    </p>
  )
}

/** The order of the list is kept. */
function clearFilter(): void {
  lastFilter.setState(({ sort }) => onlyGiven({ sort }), true)
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
  const { id, status, input, usage, costUsd, startedAt, forkedFrom, mocked } = run
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
          <MockMark mocked={mocked} />
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
