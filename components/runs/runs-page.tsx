'use client'
/** Every run of this server, newest first: filtered by agent and status, refreshed while something runs. */
import { useSearchParams } from 'next/navigation'
import { Suspense } from 'react'
import { useAgents } from '#components/agents/queries'
import { statusWords } from '#components/trace/status-words'
import { Skeleton } from '#components/ui/bits'
import { Button, ButtonLink } from '#components/ui/button'
import { Select } from '#components/ui/field'
import { Empty, ErrorNote } from '#components/ui/notice'
import { type RunStatus, runStatus } from '#lib/spec/event'
import { type RunFilter, useRuns } from './queries'
import { RunTable } from './run-table'
import styles from './runs-page.module.css'

export function RunsPage() {
  return (
    <main className={styles.page}>
      <div className={styles.wrap}>
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
  const isFiltered = filter.agent !== undefined || filter.status !== undefined
  const items = runs.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <header className={styles.head}>
        <h1>Runs</h1>
        <Filters filter={filter} onChange={setFilter} />
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
      {items?.length === 0 && isFiltered && (
        <Empty icon="search" title="No run fits this filter.">
          <Button onClick={() => setFilter({})}>Show all runs</Button>
        </Empty>
      )}
      {items?.length === 0 && !isFiltered && (
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

function Filters({ filter, onChange }: { filter: RunFilter; onChange(filter: RunFilter): void }) {
  const agents = useAgents()
  const known = (agents.data?.items ?? []).map(({ id, name, title }) => ({ value: id, label: title || name }))
  const isUnknown = filter.agent !== undefined && !known.some((each) => each.value === filter.agent)
  return (
    <div className={styles.filters}>
      <Select
        aria-label="Agent"
        value={filter.agent ?? ''}
        onChange={(agent) => onChange({ ...filter, agent: agent || undefined })}
        options={[
          { value: '', label: 'All agents' },
          ...known,
          ...(isUnknown ? [{ value: filter.agent ?? '', label: 'A deleted agent' }] : []),
        ]}
      />
      <Select
        aria-label="Status"
        value={filter.status ?? ''}
        onChange={(status) => onChange({ ...filter, status: readStatus(status) })}
        options={[
          { value: '', label: 'Any status' },
          ...runStatus.options.map((each) => ({ value: each, label: statusWords[each].word })),
        ]}
      />
    </div>
  )
}

/** The filter stands in the address, so that it outlives a reload and can be sent on. */
function useFilter(): [RunFilter, (filter: RunFilter) => void] {
  const params = useSearchParams()
  const agent = params.get('agent') ?? undefined
  const status = readStatus(params.get('status'))
  const change = (next: RunFilter) => {
    const query = new URLSearchParams()
    if (next.agent !== undefined) query.set('agent', next.agent)
    if (next.status !== undefined) query.set('status', next.status)
    window.history.replaceState(null, '', query.size === 0 ? '/runs' : `/runs?${query}`)
  }
  return [{ ...(agent !== undefined && { agent }), ...(status !== undefined && { status }) }, change]
}

function readStatus(value: string | null): RunStatus | undefined {
  return runStatus.options.find((each) => each === value)
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
