/**
 * The page of states: parts of the product with a recorded run, in which approvals and forks are possible.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { ReactFlowProvider } from '@xyflow/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { TraceDock } from '#components/builder/trace-dock'
import { Canvas } from '#components/canvas/canvas'
import { CommandsProvider } from '#components/commands/commands-context'
import { GraphProvider } from '#components/drawing/graph-context'
import { createGraphStore } from '#components/drawing/graph-store'
import { Inspector } from '#components/inspector/inspector'
import { ForkProvider } from '#components/run/fork-context'
import { RunProvider } from '#components/run/run-context'
import { createRunStore, type FollowedRunStore } from '#components/run/run-store'
import { StepDetail } from '#components/runs/step-detail'
import { fold, start } from '#lib/agent/state/fold'
import type { RunEvent } from '#lib/spec/event'
import type { DecideCall } from '#lib/wire/runs'
import { catalog } from './catalog'
import { graph, origins } from './drawing'
import { decidedRun, endingAt, recordedRun } from './recorded'
import './page.css'

const asked = new URLSearchParams(window.location.search)
const said: object[] = []
// The test reads what the controls have sent.
Object.assign(window, { said })

/** A store with a recorded run, as if its last event had just arrived. */
function recordedStore(events: readonly RunEvent[]): FollowedRunStore {
  const { store, actions } = createRunStore()
  const [first] = events
  if (first?.type !== 'run.queued') throw new Error('a recorded run begins with run.queued')
  const { agent, input, threadId, files } = first
  const state = start({ agent, input, threadId, historyThrough: null, history: [], ...(files && { files }) })
  for (const event of events) fold(state, event)
  store.setState({
    runId: 'recorded',
    threadId: 'thread-12',
    state,
    events,
    seq: events.length,
    connection: 'live',
  })
  const decide = async (callId: string, word: DecideCall) => void said.push({ callId, ...word })
  return { store, actions: { ...actions, decide } }
}

function Page() {
  const isOver = asked.get('view') === 'run'
  const [run] = useState(() => recordedStore(endingAt(isOver ? decidedRun() : recordedRun(), Date.now())))
  const [drawing] = useState(() => {
    const made = createGraphStore({ graph, catalog, origins })
    const chosen = asked.get('select')
    if (chosen !== null) made.getState().select({ nodes: [chosen] })
    return made
  })
  return (
    <RunProvider run={run}>
      <ForkProvider fork={({ step }) => void said.push({ fork: step })}>
        <GraphProvider store={drawing}>
          <ReactFlowProvider>
            <main className="states" data-view={isOver ? 'run' : 'builder'}>
              <h1>Retail analyst</h1>
              <div className="drawing">
                <Canvas />
              </div>
              <div className="side">{isOver ? <Step /> : <Inspector />}</div>
              <div className="dock">
                <TraceDock
                  diagnostics={[]}
                  onSelectNode={() => undefined}
                  onHeight={() => undefined}
                  onReview={(path) => drawing.getState().select({ nodes: [nodeOf(path)] })}
                />
              </div>
            </main>
          </ReactFlowProvider>
        </GraphProvider>
      </ForkProvider>
    </RunProvider>
  )
}

function nodeOf(path: string): string {
  return Object.entries(origins).find(([each]) => each === path)?.[1] ?? path
}

function Step() {
  return <StepDetail runId="recorded" choice={null} hasAsks onChoose={() => undefined} />
}

const theme = asked.get('theme')
if (theme !== null) document.documentElement.dataset.theme = theme
const client = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } },
})
client.setQueryData(['catalog'], catalog)
const root = document.getElementById('root')
if (root !== null)
  createRoot(root).render(
    <QueryClientProvider client={client}>
      <CommandsProvider>
        <Page />
      </CommandsProvider>
    </QueryClientProvider>,
  )
