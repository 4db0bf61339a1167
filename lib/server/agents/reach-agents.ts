/** Finds every agent that an agent may call, directly or through others, and what stands against calling them. */
import { deepestAgents, type NamedAgent } from '#lib/spec/agents-port'
import type { ToolEntry } from '#lib/spec/config'
import type { AgentRef } from '#lib/spec/event'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { RunAgent } from '#lib/spec/run-agents'
import { agentKey, agentsNamedIn } from '#lib/toolkits/agent'

/** The most agents that one run may reach. */
export const mostAgents = 100
const tooManyWords = `This agent reaches more than ${mostAgents} others through its calls, which is the most.`

/** An agent that can be called, or why it cannot. */
export type FoundAgent =
  | {
      readonly agent: AgentRef
      readonly config: string
      readonly origins: Readonly<Record<string, string>>
    }
  | {
      readonly problem: string
      readonly code: 'agent_not_found' | 'agent_not_published' | 'agent_unfinished'
    }

/** What is wrong with the entry of the agent that is looked at; `path` is within its config. */
export interface ReachFault {
  readonly code:
    | 'agent_cycle'
    | 'agent_depth'
    | 'agent_count'
    | Extract<FoundAgent, { problem: string }>['code']
  readonly message: string
  readonly path: string
}

export interface Reached {
  readonly agents: readonly RunAgent[]
  /** Faults for which a run is refused: chains of calls without an end, or too long ones. */
  readonly refused: readonly ReachFault[]
  /** Agents that the config itself names and that cannot be called: their tools are not offered. */
  readonly lacking: readonly ReachFault[]
}

type Entries = { readonly tools?: readonly Pick<ToolEntry, 'use'>[] | undefined }

/**
 * @param find is asked once for each name and version
 * @param root.callers the names of the agents that lead to this one, from the first: depth and circles count from there
 */
export function reachAgents(
  root: { readonly name: string; readonly config: Entries; readonly callers?: readonly string[] },
  find: (named: NamedAgent) => FoundAgent,
): Reached {
  const { callers = [] } = root
  const found = new Map<string, RunAgent>()
  /** How many calls deep an agent's own calls can go. */
  const depths = new Map<string, number>()
  const refused: ReachFault[] = []
  const lacking: ReachFault[] = []

  /** Returns how deep calls go from here, or the names that lead back to one of `above`. */
  function visit(
    config: Entries,
    above: readonly string[],
    path: string | undefined,
  ): number | readonly string[] {
    let deepest = 0
    for (const { path: own, ...named } of agentsNamedIn(config)) {
      const at = path ?? own
      const circle = circleWith(named.agent, above)
      const below = circle ?? depthOf(named, above, at)
      if (typeof below === 'number') {
        deepest = Math.max(deepest, below + 1)
        continue
      }
      if (path !== undefined) return below
      refused.push({ code: 'agent_cycle', message: circleWords(below), path: `${own}/agent` })
    }
    return deepest
  }

  function depthOf(named: NamedAgent, above: readonly string[], at: string): number | readonly string[] {
    const key = agentKey(named)
    const known = depths.get(key)
    if (known !== undefined) return known
    const one = find(named)
    if ('problem' in one) {
      found.set(key, { key, problem: one.problem })
      if (above.length === callers.length + 1)
        lacking.push({ code: one.code, message: one.problem, path: `${at}/${pathOf(one.code)}` })
      depths.set(key, 0)
      return 0
    }
    found.set(key, { key, ...one })
    if (found.size > mostAgents) {
      found.set(key, { key, problem: tooManyWords })
      return 0
    }
    const depth = visit(entriesOf(one.config), [...above, named.agent], at)
    if (typeof depth === 'number') depths.set(key, depth)
    // What may be called is followed to its end, so nothing that leads into a circle is left in it.
    else found.set(key, { key, problem: circleWords(depth) })
    return depth
  }

  const named = agentsNamedIn(root.config)
  const depth = visit(root.config, [...callers, root.name], undefined)
  if (found.size > mostAgents)
    refused.push({
      code: 'agent_count',
      message: tooManyWords,
      path: named[0]?.path ?? 'tools',
    })
  if (typeof depth === 'number' && callers.length + depth > deepestAgents)
    for (const { path, ...each } of named) {
      const deep = callers.length + (depths.get(agentKey(each)) ?? 0) + 1
      if (deep > deepestAgents)
        refused.push({
          code: 'agent_depth',
          message: `Through ${each.agent}, calls go ${deep} agents deep. At most ${deepestAgents} are possible.`,
          path: `${path}/agent`,
        })
    }
  return { agents: [...found.values()], refused, lacking }
}

function pathOf(code: Extract<FoundAgent, { problem: string }>['code']): string {
  return code === 'agent_not_found' ? 'agent' : 'version'
}

function circleWith(name: string, above: readonly string[]): readonly string[] | undefined {
  const at = above.indexOf(name)
  return at < 0 ? undefined : [...above.slice(at), name]
}

function circleWords(names: readonly string[]): string {
  const [first = '', ...rest] = names
  return rest.length < 2
    ? `The agent ${first} would call itself, which has no end. Choose another agent.`
    : `${names.join(' calls ')}, which has no end. Take one of these calls out.`
}

function entriesOf(config: string): Entries {
  const read = tryParseJson(config)
  const tools = isObject(read) && Array.isArray(read.tools) ? read.tools : []
  return {
    tools: tools.flatMap((each) =>
      isObject(each) && typeof each.use === 'string' ? [{ ...each, use: each.use }] : [],
    ),
  }
}
