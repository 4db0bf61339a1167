'use client'
/** Tests the model of a node in its drawing, and puts the recommended format into the drawing. */
import { useCatalog } from '#components/data/agents'
import { useProviders } from '#components/data/models'
import { freePlace } from '#components/drawing/free-place'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { moveTo } from '#components/drawing/part'
import { Button } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { drawnFormat, formatNodeOf, withFormat } from './drawn'
import type { ModelEntry } from './entry'
import styles from './test-model.module.css'
import { TestResults } from './test-results'
import { useModelTest } from './use-model-test'

/** Renders nothing if the model's provider cannot be reached. */
export function TestHere({ entry }: { entry: ModelEntry }) {
  const at = usePlace(entry)
  const testing = useModelTest(at ?? '')
  const store = useGraphStore()
  const format = useGraph(({ history, catalog }) => drawnFormat(history.present, catalog))
  if (at === null) return null
  const { provider, endpoint, name } = entry
  const body = { model: name, ...(endpoint === undefined && provider !== at && { provider }) }
  return (
    <div className={styles.here}>
      <Button size="s" onClick={() => (testing.isRunning ? testing.stop() : testing.start(body))}>
        {testing.isRunning ? 'Stop' : 'Test this model'}
      </Button>
      {testing.error !== null && <ErrorNote error={testing.error} />}
      <TestResults
        testing={testing}
        action={(best) =>
          best === format ? (
            <p className={shared.quiet}>The agent calls in it already.</p>
          ) : (
            <Button size="s" onClick={() => draw(store, best)}>
              Use it in this agent
            </Button>
          )
        }
      />
    </div>
  )
}

/** An added node gets a free place; all other nodes stay where they are. */
function draw(store: GraphStore, format: string): void {
  const { nodes, catalog, edit } = store.getState()
  const at = freePlace(nodes, { kind: 'protocol' }, catalog)
  edit((graph) => {
    const isThere = formatNodeOf(graph, catalog) !== undefined
    return withFormat(isThere ? graph : moveTo(graph, nodes, new Set()).graph, { format, at }, catalog)
  })
}

/** The name of the provider in Settings; null if none is ready. */
function usePlace({ provider, endpoint }: ModelEntry): string | null {
  const ready = (useProviders().data?.items ?? []).filter((each) => each.ready)
  const shared = useCatalog().data?.providers.find(({ id }) => id === provider)?.endpoint
  const name = endpoint ?? shared ?? provider
  return ready.some((each) => each.name === name) ? name : null
}
