/**
 * The measured page: the trace of a run with `?events=` events that is still going; more arrive when the
 * script asks.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { CommandsProvider } from '#components/commands/commands-context'
import { RunProvider } from '#components/run/run-context'
import { createFolder, createRunStore } from '#components/run/run-store'
import { TraceTable } from '#components/trace/trace-table'
import { longRun } from './events'
import '../page.css'
import './page.css'

const amount = Number(new URLSearchParams(window.location.search).get('events'))
const { store, actions } = createRunStore()
const run = longRun(Date.now() - amount, () => 0)
const take = createFolder((known) => store.setState({ ...known, runId: 'bench', connection: 'live' }))
for (let index = 0; index < amount; index++) take(run.next().value)

/** Folds events as they arrive from the server, in groups of one read; returns a function that ends it. */
function feed(perSecond: number): () => number {
  const begun = performance.now()
  let told = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - begun) / 1_000) * perSecond
    for (; told < due; told++) take(run.next().value)
  }, 5)
  return () => {
    clearInterval(timer)
    return told
  }
}

Object.assign(window, { bench: { feed } })

const client = new QueryClient()
client.setQueryData(['catalog'], { version: 'bench', kinds: [], tools: [], providers: [], schema: {} })

createRoot(document.getElementById('root') as HTMLElement).render(
  // cast: the page has such an element
  <QueryClientProvider client={client}>
    <CommandsProvider>
      <RunProvider run={{ store, actions }}>
        <main className="bench">
          <TraceTable />
        </main>
      </RunProvider>
    </CommandsProvider>
  </QueryClientProvider>,
)
