/** The menu items that set a usual rule on a tool: never allow it, ask first, limit its calls. */
import type { GraphStore } from '#components/drawing/graph-store'
import { addToolRule } from '#components/drawing/part'
import type { MenuItem } from '#components/ui/menu-list'
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import { defaultMostCalls, ruleInForce, rulePolicies, type ToolRule } from '#lib/graph/tool-rules'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

const allRules: readonly ToolRule[] = ['never', 'ask', 'calls']

/** The rules whose policy this server has. */
export function rulesOf(catalog: Catalog): ToolRule[] {
  return allRules.filter((rule) => kindOf(catalog, rulePolicies[rule]) !== undefined)
}

interface RuleWords {
  readonly label: string
  readonly icon: string
  readonly help: string
  /** The help on a card that has more than one tool: the rule covers all of them. */
  helpOfMany(tools: number): string
  readonly isSet: string
}

const words: Readonly<Record<ToolRule, RuleWords>> = {
  never: {
    label: 'Never allow',
    icon: 'ban',
    help: 'Hidden from the model, and refused if it is called.',
    helpOfMany: (tools) =>
      `All ${tools} tools of this card are hidden from the model, and refused if called.`,
    isSet: 'It is denied already.',
  },
  ask: {
    label: 'Ask me first',
    icon: 'hand',
    help: 'You approve, change or reject each call.',
    helpOfMany: (tools) => `You approve, change or reject each call of its ${tools} tools.`,
    isSet: 'You are asked already.',
  },
  calls: {
    label: `At most ${defaultMostCalls} calls`,
    icon: 'gauge',
    help: 'In each run. You can change the number.',
    helpOfMany: () => 'In each run. You can change the number.',
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
  const { label, icon, help: helpOfOne, helpOfMany, isSet } = words[rule]
  const tools = toolsOf(graph, catalog, entry)
  const help = tools > 1 ? helpOfMany(tools) : helpOfOne
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

/** How many tools the card with this id offers. */
function toolsOf(graph: GraphDocument, catalog: Catalog, entry: string): number {
  const node = graph.nodes.find(({ id }) => id === entry)
  const kind = node && kindOf(catalog, node.kind)
  return node === undefined || kind === undefined ? 0 : entryTools(node, kind, catalog).length
}
