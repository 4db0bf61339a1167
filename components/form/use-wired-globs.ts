'use client'
/** The patterns that a policy's wires represent: those of the tool entries it is wired to. */
import { useMemo } from 'react'
import { useGraph } from '#components/drawing/graph-context'
import { kindOf } from '#lib/graph/kinds'
import { globsOf } from '#lib/graph/scope'
import { useFormNode } from './form-context'

const none: readonly string[] = []

/** Empty for a policy over the whole agent, and for a form that belongs to no policy. */
export function useWiredGlobs(): readonly string[] {
  const about = useFormNode()
  const id = about?.kind.scoped === true ? about.node.id : undefined
  const graph = useGraph((state) => (id === undefined ? null : state.history.present))
  const catalog = useGraph((state) => state.catalog)
  return useMemo(() => {
    if (graph === null) return none
    const ends = new Set(graph.edges.flatMap(({ from, to }) => (from.node === id ? [to.node] : [])))
    const globs = graph.nodes.flatMap((node) => {
      const kind = ends.has(node.id) ? kindOf(catalog, node.kind) : undefined
      return kind === undefined ? [] : globsOf(node.config, kind)
    })
    return [...new Set(globs)]
  }, [graph, catalog, id])
}
