'use client'
/** The menu that adds a policy to a tool: the three usual rules first, then every policy that fits a tool. */
import { useMemo } from 'react'
import { ruleItem, rulesOf } from '#components/canvas/rule-items'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import { addPart } from '#components/drawing/part'
import { firstSentence } from '#components/ui/first-sentence'
import type { MenuItem } from '#components/ui/menu'
import { kindOf } from '#lib/graph/kinds'
import type { GraphNode } from '#lib/spec/graph'

export function usePolicyItems(node: GraphNode): readonly MenuItem[] {
  const store = useGraphStore()
  const graph = useGraph((state) => state.history.present)
  const catalog = useGraph((state) => state.catalog)
  return useMemo(() => {
    const port = kindOf(catalog, node.kind)?.in.find((each) => each.accepts === 'policy')?.name
    if (port === undefined) return []
    const rules = rulesOf(catalog).map((rule) => ruleItem(rule, { store, graph, catalog, entry: node.id }))
    const policies = catalog.kinds
      .filter((each) => each.scoped === true)
      .map(
        ({ kind, label, icon, help }, index): MenuItem => ({
          label,
          icon,
          help: firstSentence(help),
          beginsGroup: index === 0,
          run: () => void addPart({ store, part: { kind }, from: { node: node.id, port, end: 'target' } }),
        }),
      )
    return [...rules, ...policies]
  }, [catalog, graph, node.id, node.kind, store])
}
