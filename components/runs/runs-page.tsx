'use client'
/**
 * All runs of this server, newest first: filtered by text, agent and status, and refreshed while any is
 * running.
 */
import { useSearchParams } from 'next/navigation'
import { Suspense, useMemo } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { type RunListFilter, useRuns } from '#components/data/runs'
import { plural } from '#components/run/figures'
import { Skeleton } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { Empty, ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { isFiltered, RunFilters, type RunFiltersProps, readStatus } from './run-filters'
import { RunTable } from './run-table'
import styles from './runs-page.module.css'
import { walkRows } from './walk-rows'

export function RunsPage() {
  return (
    <main className={shared.page}>
      <div className={shared.pageList}>
        <Suspense fallback={<Loading />}>
          <Runs />
        </Suspense>
      </div>
    </main>
  )
}

function Runs() {
  const [filter, setFilter] = useFilter()
  const runs = useRuns(filter)
  const items = runs.data?.pages.flatMap((page) => page.items)
  const total = runs.data?.pages[0]?.total
  const isNone = items?.length === 0 && !isFiltered(filter)
  useRowCommands()
  return (
    <>
      <header className={styles.head}>
        <h1 className={shared.pageTitle}>Runs</h1>
        {total !== undefined && !isNone && (
          <span className={styles.total} role="status">
            {isFiltered(filter) ? `${plural(total, 'run')} found` : plural(total, 'run')}
          </span>
        )}
        {!isNone && (
          <div className={styles.filters}>
            <RunFilters filter={filter} onChange={setFilter} />
          </div>
        )}
      </header>
      {runs.isError && (
        <ErrorNote error={runs.error}>
          <Button size="s" onClick={() => void runs.refetch()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {runs.isPending && <Loading />}
      {items !== undefined && items.length > 0 && <RunTable runs={items} />}
      {items?.length === 0 && isFiltered(filter) && (
        <Empty icon="search" title="No run fits this filter.">
          <Button onClick={() => setFilter(() => ({}))}>Show all runs</Button>
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
          Show older runs
        </Button>
      )}
    </>
  )
}

function useRowCommands(): void {
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
        label: 'Run before',
        group: 'Runs',
        keys: ['K', 'ArrowUp'],
        isUnlisted: true,
        run: () => walkRows(-1),
      },
      {
        id: 'runs.search',
        label: 'Search in questions',
        group: 'Runs',
        icon: 'search',
        keys: ['/'],
        run: () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
      },
    ],
    [],
  )
  useCommands(commands)
}

/** The filter is in the address, so that it survives a reload and can be shared. */
function useFilter(): [RunListFilter, RunFiltersProps['onChange']] {
  const params = useSearchParams()
  const change: RunFiltersProps['onChange'] = (changed) => {
    // Read from the address, because the page's search parameters are updated a moment later.
    const next = changed(filterIn(new URLSearchParams(window.location.search)))
    const query = new URLSearchParams()
    for (const [key, value] of Object.entries(next)) if (value !== undefined) query.set(key, value)
    window.history.replaceState(null, '', query.size === 0 ? '/runs' : `/runs?${query}`)
  }
  return [filterIn(params), change]
}

function filterIn(params: Pick<URLSearchParams, 'get'>): RunListFilter {
  const agent = params.get('agent') ?? undefined
  const status = readStatus(params.get('status'))
  const search = params.get('search')?.slice(0, 200) || undefined
  return {
    ...(agent !== undefined && { agent }),
    ...(status !== undefined && { status }),
    ...(search !== undefined && { search }),
  }
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading the runs">
      {['a', 'b', 'c', 'd', 'e'].map((each) => (
        <Skeleton key={each} height={32} />
      ))}
    </div>
  )
}
