'use client'
/** The menu that adds a policy to a tool: the three usual rules first, then every policy that fits a tool. */
import { useMemo } from 'react'
import { useGraph, useGraphStore } from '#components/drawing/graph-context'
import type { GraphStore } from '#components/drawing/graph-store'
import { addPart, addToolRule } from '#components/drawing/part'
import { firstSentence } from '#components/ui/first-sentence'
import type { MenuItem } from '#components/ui/menu'
import { kindOf } from '#lib/graph/kinds'
import { defaultMostCalls, ruleInForce, rulePolicies, type ToolRule } from '#lib/graph/tool-rules'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'

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

const allRules: readonly ToolRule[] = ['never', 'ask', 'calls']

/** The rules whose policy this server has. */
function rulesOf(catalog: Catalog): ToolRule[] {
  return allRules.filter((rule) => kindOf(catalog, rulePolicies[rule]) !== undefined)
}

const words: Readonly<Record<ToolRule, { label: string; icon: string; help: string; isSet: string }>> = {
  never: {
    label: 'Never allow',
    icon: 'ban',
    help: 'Hidden from the model, and refused if it is called.',
    isSet: 'It is denied already.',
  },
  ask: {
    label: 'Ask me first',
    icon: 'hand',
    help: 'You approve, change or reject each call.',
    isSet: 'You are asked already.',
  },
  calls: {
    label: `At most ${defaultMostCalls} calls`,
    icon: 'gauge',
    help: 'In each run. You can change the number.',
    isSet: 'Its calls are limited already. Show the limit.',
  },
}

function ruleItem(
  rule: ToolRule,
  {
    store,
    graph,
    catalog,
    entry,
  }: { store: GraphStore; graph: GraphDocument; catalog: Catalog; entry: string },
): MenuItem {
  const { label, icon, help, isSet } = words[rule]
  const known = ruleInForce(graph, catalog, { rule, entry })
  if (known === undefined) return { label, icon, help, run: () => addToolRule(store, { rule, entry }) }
  // Its number can be changed there; the other two rules have nothing to show.
  const shows = rule === 'calls'
  return {
    label,
    icon,
    help: isSet,
    disabled: !shows,
    run: () => store.getState().select({ nodes: [known.id] }),
  }
}
