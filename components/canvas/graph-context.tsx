'use client'
/** Hands one drawing to the canvas, inspector and palette around it; readers choose narrowly what they look at. */
import { createContext, type ReactNode, useContext } from 'react'
import { useStore } from 'zustand'
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

export function useKind(kind: string): NodeKind | undefined {
  return useGraph((state) => kindOf(state.catalog, kind))
}
