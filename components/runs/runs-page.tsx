'use client'
/**
 * All runs of this server: searched, filtered, sorted, deleted and chosen for a comparison; refreshed while any is
 * running.
 */
import { useSearchParams } from 'next/navigation'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { useRuns } from '#components/data/runs'
import { count } from '#components/run/figures'
import { Loading } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { useLatest } from '#components/ui/use-latest'
import { lineOf } from '#lib/spec/line'
import { lastFilter } from './last-filter'
import { PickActions, RemovalStrip } from './list-actions'
import {
  chipsOf,
  isFiltered,
  type ListFilter,
  readFilter,
  toQuery,
  totalWords,
  writeFilter,
} from './list-filter'
import { MoreFilters } from './more-filters'
import { noPicks, pickedOf } from './picks'
import { RunFilters, type RunFiltersProps } from './run-filters'
import { RunTable } from './run-table'
import styles from './runs-page.module.css'
import { useRemoval } from './use-removal'
import { focusedRun, walkRows } from './walk-rows'

const loading = <Loading what="the runs" heights={[32, 32, 32, 32, 32]} className={styles.loading} />

export function RunsPage() {
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        <Suspense fallback={loading}>
          <Runs />
        </Suspense>
      </div>
    </main>
  )
}

function Runs() {
  const [filter, setFilter] = useFilter()
  const runs = useRuns(toQuery(filter))
  const [picks, setPicks] = useState(noPicks)
  const removal = useRemoval()
  const items = runs.data?.pages.flatMap((page) => page.items) ?? []
  const first = runs.data?.pages[0]
  const isNone = first?.total === 0 && !isFiltered(filter)
  const picked = pickedOf(
    picks,
    items.map(({ id }) => id),
  )
  const clear = () => setPicks(noPicks)
  const remove = (ids: readonly string[]) => {
    clear()
    void removal.remove(ids)
  }
  useRowCommands({
    clear,
    remove: () => {
      const ids = picked.length > 0 ? picked : [focusedRun()].filter((id) => id !== undefined)
      if (ids.length > 0) remove(ids)
    },
  })
  return (
    <>
      <header className={styles.head}>
        <h1 className={shared.pageTitle}>Runs</h1>
        {first !== undefined && !isNone && (
          <span className={styles.total} role="status">
            {totalWords(first.total, filter)}
          </span>
        )}
        {!isNone && (
          <div className={styles.filters}>
            <RunFilters filter={filter} onChange={setFilter} />
            <MoreFilters filter={filter} onChange={setFilter} />
          </div>
        )}
      </header>
      <Chips filter={filter} onChange={setFilter} />
      {first?.indexing !== undefined && (
        <p className={shared.quiet} role="status">
          Indexing older runs: {count(first.indexing.done)} of {count(first.indexing.total)}. Until this is
          done, searches and filters do not find all of them.
        </p>
      )}
      {runs.isError && <ErrorNote error={runs.error} onRetry={() => void runs.refetch()} />}
      {picked.length > 0 && <PickActions picked={picked} onClear={clear} onDelete={() => remove(picked)} />}
      <RemovalStrip removal={removal} />
      {runs.isPending && loading}
      {items.length > 0 && (
        <RunTable
          runs={items}
          sort={filter.sort ?? 'newest'}
          onSort={(sort) => setFilter((now) => ({ ...now, sort }))}
          picks={picks}
          onPick={setPicks}
        />
      )}
      {first?.total === 0 && !isNone && (
        <Empty icon="search" title="No runs match.">
          <Button onClick={() => setFilter(() => ({}))}>Clear the filters</Button>
        </Empty>
      )}
      {isNone && (
        <Empty icon="play" title="Nothing has run yet. Open an agent and ask it something.">
          <ButtonLink variant="plain" href="/">
            All agents
          </ButtonLink>
        </Empty>
      )}
      {runs.hasNextPage && (
        <Button
          className={styles.more}
          disabled={runs.isFetchingNextPage}
          onClick={() => void runs.fetchNextPage()}
        >
          {(filter.sort ?? 'newest') === 'newest' ? 'Show older runs' : 'Show more runs'}
        </Button>
      )}
    </>
  )
}

/** The filters that are on and have no field in sight; a press removes one. */
function Chips({ filter, onChange }: RunFiltersProps) {
  const chips = chipsOf(filter)
  if (chips.length === 0 && filter.agent === undefined) return null
  return (
    <ul className={styles.chips} aria-label="Filters that are on">
      {chips.map(({ key, words, rest }) => (
        <li key={key}>
          <button
            type="button"
            className={styles.chip}
            aria-label={`Remove the filter: ${lineOf(words)}`}
            onClick={() => onChange(() => rest)}
          >
            <Line text={words} />
            <Icon name="x" size={14} />
          </button>
        </li>
      ))}
      {filter.agent !== undefined && (
        <li>
          <ButtonLink
            size="s"
            icon="chart-column"
            href={`/agents/${encodeURIComponent(filter.agent)}/insights`}
          >
            Insights of this agent
          </ButtonLink>
        </li>
      )}
    </ul>
  )
}

interface RowActs {
  clear(): void
  /** Deletes the selected runs, or the focused one when none is selected. */
  remove(): void
}

function useRowCommands(acts: RowActs): void {
  const latest = useLatest(acts)
  const commands = useMemo(
    () => [
      {
        id: 'runs.next',
        label: 'Next run',
        group: 'Runs',
        keys: ['J', 'ArrowDown'],
        isUnlisted: true,
        run: () => walkRows(1),
      },
      {
        id: 'runs.previous',
        label: 'Previous run',
        group: 'Runs',
        keys: ['K', 'ArrowUp'],
        isUnlisted: true,
        run: () => walkRows(-1),
      },
      {
        id: 'runs.search',
        label: 'Search in runs',
        group: 'Runs',
        icon: 'search',
        keys: ['/'],
        run: () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
      },
      {
        id: 'runs.delete',
        label: 'Delete the selected runs, or the focused run',
        group: 'Runs',
        keys: ['Delete', 'Backspace'],
        isUnlisted: true,
        run: () => latest.current.remove(),
      },
      {
        id: 'runs.clear',
        label: 'Clear the selection of runs',
        group: 'Runs',
        keys: ['Escape'],
        isUnlisted: true,
        run: () => latest.current.clear(),
      },
    ],
    [],
  )
  useCommands(commands)
}

/** The filter is in the address, so that it survives a reload and can be shared. */
function useFilter(): [ListFilter, RunFiltersProps['onChange']] {
  const params = useSearchParams()
  const change: RunFiltersProps['onChange'] = (changed) => {
    // Read from the address, because the page's search parameters are updated a moment later.
    const query = writeFilter(changed(readFilter(new URLSearchParams(window.location.search))))
    window.history.replaceState(null, '', query === '' ? '/runs' : `/runs?${query}`)
  }
  const filter = readFilter(params)
  const query = writeFilter(filter)
  useEffect(() => lastFilter.setState(readFilter(new URLSearchParams(query)), true), [query])
  return [filter, change]
}
