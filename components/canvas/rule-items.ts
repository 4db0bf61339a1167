/** The menu items that set a usual rule on a tool: never allow it, ask first, limit its calls. */
import type { GraphStore } from '#components/drawing/graph-store'
import { addToolRule } from '#components/drawing/part'
import type { MenuItem } from '#components/ui/menu-list'
import { kindOf } from '#lib/graph/kinds'
import { defaultMostCalls, ruleInForce, rulePolicies, type ToolRule } from '#lib/graph/tool-rules'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

const allRules: readonly ToolRule[] = ['never', 'ask', 'calls']

/** The rules whose policy this server has. */
export function rulesOf(catalog: Catalog): ToolRule[] {
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

export function ruleItem(
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
