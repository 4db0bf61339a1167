/**
 * The three rules that a person sets on a tool most often: never allow it, ask first, and limit its calls. Each
 * extends a policy of the drawing where that changes nothing else, or adds one.
 */
import type { Catalog } from '#lib/spec/catalog'
import { matchesAny } from '#lib/spec/glob'
import type { GraphDocument, GraphNode } from '#lib/spec/graph'
import { readDrawing } from './drawing'
import { type Edited, leaveUnchanged } from './edit/edited'
import { addNode, patchConfig } from './edit/nodes'
import { connect } from './edit/wires'
import { textsOf } from './equal'
import { isAgent, kindOf, portsBetween } from './kinds'
import { globsOf } from './scope'

export type ToolRule = 'never' | 'ask' | 'calls'

/** The policy behind each rule. These are the only policies that the drawing knows by name for this. */
export const rulePolicies: Readonly<Record<ToolRule, string>> = {
  never: 'policy:skills',
  ask: 'policy:approval',
  calls: 'policy:budget',
}

/** How many calls of the tool a run may make when a person limits them by one click. */
export const defaultMostCalls = 3

/** The policy that sets the rule for this tool entry already; undefined when none does. */
export function ruleInForce(
  graph: GraphDocument,
  catalog: Catalog,
  { rule, entry }: { rule: ToolRule; entry: string },
): GraphNode | undefined {
  const policies = livePolicies(graph, catalog, rule)
  const globs = entryGlobs(graph, catalog, entry)
  return policies.find((policy) => {
    switch (rule) {
      case 'never':
        return denies(policy, globs)
      case 'ask':
        return covers(graph, catalog, { policy, entry })
      case 'calls':
        return isOnlyOver(graph, policy, entry) && typeof policy.config.calls === 'number'
    }
    return rule satisfies never
  })
}

/** Sets the rule; a policy that it adds is placed at `at`, and its id is in `added`. */
export function setToolRule(
  graph: GraphDocument,
  { rule, entry, at }: { rule: ToolRule; entry: string; at: { x: number; y: number } },
  catalog: Catalog,
): Edited {
  const globs = entryGlobs(graph, catalog, entry)
  if (globs.length === 0) return leaveUnchanged(graph, 'This part offers no tool yet.')
  if (ruleInForce(graph, catalog, { rule, entry }) !== undefined) return leaveUnchanged(graph)
  const policies = livePolicies(graph, catalog, rule)
  const kind = rulePolicies[rule]
  switch (rule) {
    case 'never':
      return denyTools(graph, { tools: globs, at }, catalog)
    case 'ask': {
      const known = policies.find((each) => isOverEntries(graph, catalog, each))
      return known === undefined
        ? addOver(graph, { kind, entry, at, config: {} }, catalog)
        : wireOver(graph, { policy: known, entry }, catalog)
    }
    case 'calls': {
      const known = policies.find((each) => isOnlyOver(graph, each, entry))
      return known === undefined
        ? addOver(graph, { kind, entry, at, config: { calls: defaultMostCalls } }, catalog)
        : patchConfig(graph, known.id, { calls: defaultMostCalls }, catalog)
    }
  }
  return rule satisfies never
}

/** Denies these tools in the policy that denies others already, or in a new one at `at`. */
export function denyTools(
  graph: GraphDocument,
  { tools, at }: { tools: readonly string[]; at: { x: number; y: number } },
  catalog: Catalog,
): Edited {
  const [known] = livePolicies(graph, catalog, 'never')
  if (known === undefined)
    return addNode(graph, { kind: rulePolicies.never, at, config: { deny: [...tools] }, wire: true }, catalog)
  const deny = [...new Set([...textsOf(known.config.deny), ...tools])]
  return patchConfig(graph, known.id, { deny }, catalog)
}

/** The policy that denies this tool by its name; undefined when none does. */
export function policyDenying(graph: GraphDocument, catalog: Catalog, tool: string): GraphNode | undefined {
  return livePolicies(graph, catalog, 'never').find((each) => denies(each, [tool]))
}

function denies(policy: GraphNode, tools: readonly string[]): boolean {
  const denied = textsOf(policy.config.deny)
  return tools.length > 0 && tools.every((each) => matchesAny(denied, each))
}

function livePolicies(graph: GraphDocument, catalog: Catalog, rule: ToolRule): GraphNode[] {
  const { live } = readDrawing(graph, catalog)
  return graph.nodes.filter((each) => each.kind === rulePolicies[rule] && live.has(each.id))
}

function entryGlobs(graph: GraphDocument, catalog: Catalog, entry: string): string[] {
  const node = graph.nodes.find((each) => each.id === entry)
  const kind = node && kindOf(catalog, node.kind)
  return node === undefined || kind === undefined ? [] : globsOf(node.config, kind)
}

/** Whether the policy is wired to the entry, or covers all tools through the agent. */
function covers(
  graph: GraphDocument,
  catalog: Catalog,
  { policy, entry }: { policy: GraphNode; entry: string },
): boolean {
  if (policy.config.appliesTo !== undefined) {
    const globs = entryGlobs(graph, catalog, entry)
    const typed = textsOf(policy.config.appliesTo)
    return globs.length > 0 && globs.every((each) => matchesAny(typed, each))
  }
  return targets(graph, policy).some((id) => id === entry || isAgentAt(graph, catalog, id))
}

/** Whether the policy is wired to tool entries; one over the agent covers all tools, or those it names. */
function isOverEntries(graph: GraphDocument, catalog: Catalog, policy: GraphNode): boolean {
  const ends = targets(graph, policy)
  return ends.length > 0 && ends.every((id) => !isAgentAt(graph, catalog, id))
}

/** Only then may its numbers change: a limit over several entries counts their calls together. */
function isOnlyOver(graph: GraphDocument, policy: GraphNode, entry: string): boolean {
  const ends = targets(graph, policy)
  return ends.length === 1 && ends[0] === entry
}

function targets(graph: GraphDocument, policy: GraphNode): string[] {
  return graph.edges.flatMap(({ from, to }) => (from.node === policy.id ? [to.node] : []))
}

function isAgentAt(graph: GraphDocument, catalog: Catalog, id: string): boolean {
  return isAgent(kindOf(catalog, graph.nodes.find((each) => each.id === id)?.kind ?? ''))
}

function addOver(
  graph: GraphDocument,
  {
    kind,
    entry,
    at,
    config,
  }: { kind: string; entry: string; at: { x: number; y: number }; config: GraphNode['config'] },
  catalog: Catalog,
): Edited {
  const done = addNode(graph, { kind, at, config }, catalog)
  const policy = done.graph.nodes.find((each) => each.id === done.added[0])
  return policy === undefined
    ? done
    : { ...wireOver(done.graph, { policy, entry }, catalog), added: done.added }
}

function wireOver(
  graph: GraphDocument,
  { policy, entry }: { policy: GraphNode; entry: string },
  catalog: Catalog,
): Edited {
  const target = graph.nodes.find((each) => each.id === entry)
  const ports = target && portsBetween(catalog, policy.kind, target.kind)
  if (ports === undefined) return leaveUnchanged(graph)
  return connect(graph, { node: policy.id, port: ports.from }, { node: entry, port: ports.to }, catalog)
}
