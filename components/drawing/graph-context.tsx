'use client'
/**
 * Provides one drawing to the canvas, inspector and palette inside it; each reader selects only what it
 * needs.
 */
import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { kindOf } from '#lib/graph/kinds'
import type { NodeKind } from '#lib/spec/kind'
import type { GraphState, GraphStore } from './graph-store'

const GraphContext = createContext<GraphStore | null>(null)

export function GraphProvider({ store, children }: { store: GraphStore; children: ReactNode }) {
  return <GraphContext.Provider value={store}>{children}</GraphContext.Provider>
}

export function useGraphStore(): GraphStore {
  const store = useContext(GraphContext)
  if (store === null) throw new Error('no <GraphProvider> around this component')
  return store
}

export function useGraph<T>(select: (state: GraphState) => T): T {
  return useStore(useGraphStore(), select)
}

type Drawn = Pick<GraphState, 'facts' | 'paths' | 'wiring' | 'routes'>

const drawnOf = new WeakMap<GraphStore, StoreApi<Drawn>>()

/**
 * A drag changes the graph store with every move. This store changes only when what cards and wires show may
 * differ, so that thousands of selectors do not run on each move.
 */
function restingDrawing(store: GraphStore): StoreApi<Drawn> {
  let known = drawnOf.get(store)
  if (known === undefined) {
    const made = createStore<Drawn>(() => pick(store.getState()))
    store.subscribe((now, before) => {
      const isSame =
        now.facts === before.facts &&
        now.paths === before.paths &&
        now.wiring === before.wiring &&
        now.routes === before.routes
      if (!isSame) made.setState(pick(now))
    })
    drawnOf.set(store, made)
    known = made
  }
  return known
}

function pick({ facts, paths, wiring, routes }: GraphState): Drawn {
  return { facts, paths, wiring, routes }
}

/** Like `useGraph`, for the selectors of single cards and wires. */
export function useDrawn<T>(select: (state: Drawn) => T): T {
  return useStore(restingDrawing(useGraphStore()), select)
}

export function useKind(kind: string): NodeKind | undefined {
  return useGraph((state) => kindOf(state.catalog, kind))
}
