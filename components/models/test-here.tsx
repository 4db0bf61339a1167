'use client'
/** Tests the model of a node where it is drawn, and draws the format that is recommended. */
import { useCatalog } from '#components/data/agents'
import { useProviders } from '#components/data/models'
import { freePlace } from '#components/drawing/free-place'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { moveTo, roundPosition } from '#components/drawing/part'
import { Button } from '#components/ui/button'
import { ErrorNote } from '#components/ui/notice'
import { drawnFormat, formatNodeOf, withFormat } from './drawn'
import type { ModelEntry } from './entry'
import styles from './test-model.module.css'
import { TestResults } from './test-results'
import { useModelTest } from './use-model-test'

/** Nothing where the model's provider can not be asked. */
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
            <p className={styles.drawn}>The agent calls in it already.</p>
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

/** A node that is made goes to a free place, and all others stay where they are. */
function draw(store: GraphStore, format: string): void {
  const { nodes, catalog, edit } = store.getState()
  const at = roundPosition(freePlace(nodes, { kind: 'protocol' }, catalog))
  edit((graph) => {
    const isThere = formatNodeOf(graph, catalog) !== undefined
    return withFormat(isThere ? graph : moveTo(graph, nodes, new Set()).graph, { format, at }, catalog)
  })
}

/** What Settings calls the provider; null where none is ready. */
function usePlace({ provider, endpoint }: ModelEntry): string | null {
  const ready = (useProviders().data?.items ?? []).filter((each) => each.ready)
  const shared = useCatalog().data?.providers.find(({ id }) => id === provider)?.endpoint
  const name = endpoint ?? shared ?? provider
  return ready.some((each) => each.name === name) ? name : null
}
