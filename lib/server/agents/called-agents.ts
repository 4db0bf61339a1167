/** Checks the agents that a call would set to work, at any depth: what each of them lacks, and what is held back from it. */
import { explainOuter } from '#lib/agent/call/explain'
import { policiesOf } from '#lib/agent/enclosing'
import { offerOf } from '#lib/agent/request/offering'
import { isOfCaller } from '#lib/policies/bind'
import { deepestAgents, type NamedAgent } from '#lib/spec/agents-port'
import type { AgentConfig } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import type { AgentRef } from '#lib/spec/event'
import type { OuterRun } from '#lib/spec/inner-run'
import type { JsonObject } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import type { ToolPorts } from '#lib/spec/tool'
import { listFirstNames } from '#lib/spec/tool-class'
import { agentKey, agent as agentKit, agentsNamedIn } from '#lib/toolkits/agent'
import type { CalledAgent } from '#lib/wire/dry-run'
import type { Folding } from '../runs/run-history'
import { withAgentsNow } from './agents-now'
import type { Assembled } from './assemble'
import { type FoundAgent, mostAgents, reachAgents } from './reach-agents'

export interface CheckContext {
  readonly engine: Pick<Folding, 'start'>
  /** The agent that an entry names. */
  find(named: NamedAgent): FoundAgent
  assemble(config: JsonObject): Promise<Result<Assembled>>
  /** What an agent needs and this place lacks. */
  lacksOf(config: AgentConfig): readonly Diagnostic[]
}

/** An agent that can be called, or why it cannot. */
type Opened =
  | { readonly agent: AgentRef; readonly assembled: Assembled }
  | { readonly problem: string; readonly code: string }

type Named = NamedAgent & { /** Of its entry. */ readonly path: string }

interface Called {
  readonly caller: Pick<Assembled, 'config'>
  /** The names of the agents that lead to the caller, from the first. */
  readonly callers: readonly string[]
  readonly named: Named
  /** What holds in the called agent of those around it. */
  readonly outer: OuterRun
  /** Through which the agents reach those that they call. */
  readonly ports: ToolPorts
  /** The names of the tools that lead to the called agent. */
  readonly through: readonly string[]
}

/** The called agent and those that it reaches, each once, nearest first. */
export async function checkCalled(
  context: CheckContext,
  { caller: { config }, callers, named, outer, ports, through }: Called,
): Promise<CalledAgent[]> {
  const { refused } = reachAgents({ name: config.name, config, callers }, context.find)
  const ofCall = refused.filter(
    ({ code, path }) => code === 'agent_count' || path.startsWith(`${named.path}/`),
  )
  const above = new Set([...callers, config.name])
  const checked: CalledAgent[] = []
  const known = new Set([agentKey(named)])
  const waiting = [{ named: named as NamedAgent, way: [named.agent], through, outer }]
  // The list grows while it is read.
  for (const { named, way, through, outer } of waiting) {
    const opened = await openAgent(context, named)
    if ('problem' in opened) {
      const { code, problem: message } = opened
      checked.push({
        agent: named.agent,
        way,
        through: [...through],
        tools: [],
        findings: [{ severity: 'warning', code, message }],
      })
      continue
    }
    const { agent } = opened
    const assembled = await withCallable(opened.assembled, ports)
    const { offered, withheld } = offerOf({ ...assembled, policies: policiesOf({ ...assembled, outer }) })
    checked.push({
      agent: agent.name,
      version: agent.version,
      way,
      through: [...through],
      // A call of an agent that is out of reach cannot be looked at.
      tools: through.length > deepestAgents ? [] : offered.map(({ name }) => name),
      findings: [...context.lacksOf(assembled.config), ...heldBack(withheld)],
    })
    if (through.length >= deepestAgents) continue
    const own = explainOuter({ ...assembled, state: freshState(context.engine, agent), outer })
    for (const { path, ...next } of agentsNamedIn(assembled.config)) {
      const isRound = above.has(next.agent) || way.includes(next.agent)
      if (isRound || known.has(agentKey(next)) || known.size >= mostAgents) continue
      known.add(agentKey(next))
      const tool = assembled.tools.find(({ node }) => node === path)?.name ?? next.agent
      waiting.push({ named: next, way: [...way, next.agent], through: [...through, tool], outer: own })
    }
  }
  // For these a run is refused before anything is called.
  const stop = ofCall.map(({ code, message }): Diagnostic => ({ severity: 'error', code, message }))
  return checked.map((each, index) => (index > 0 ? each : { ...each, findings: [...stop, ...each.findings] }))
}

/** The agent with its parts. */
export async function openAgent(
  { find, assemble }: Pick<CheckContext, 'find' | 'assemble'>,
  named: NamedAgent,
): Promise<Opened> {
  const found = find(named)
  if ('problem' in found) return found
  // The text of a compiled config is a JSON object.
  const assembled = await assemble(JSON.parse(found.config))
  if (assembled.ok) return { agent: found.agent, assembled: assembled.value }
  const [first] = assembled.error
  return { problem: assembled.error.map(({ message }) => message).join(' '), code: first?.code ?? 'invalid' }
}

/** The entry by which the agent calls another one with this tool. */
export function namedBy(
  { config, tools }: Pick<Assembled, 'config' | 'tools'>,
  name: string,
): Named | undefined {
  const tool = tools.find((each) => each.name === name)
  return agentsNamedIn(config).find(({ path }) => path === tool?.node)
}

/** With the agents that it can call as they are now. One that cannot be called keeps its tool, since calling it tells why. */
export async function withCallable(assembled: Assembled, ports: ToolPorts): Promise<Assembled> {
  const now = await withAgentsNow(assembled, ports)
  const listed = new Set(now.tools.map(({ node }) => node))
  const others = assembled.tools.filter(({ source, node }) => source === agentKit.id && !listed.has(node))
  return others.length === 0 ? now : { ...now, tools: [...now.tools, ...others] }
}

/** The state of a run in which nothing has happened. */
export function freshState({ start }: Pick<Folding, 'start'>, agent: AgentRef = nobody): RunState {
  return start({ agent, input: '', threadId: null, historyThrough: null, history: [] })
}

const nobody: AgentRef = { id: '', name: '', version: 'draft', configHash: '' }

/** One finding for each rule of an agent around this one that withholds tools from it. */
function heldBack(withheld: ReturnType<typeof offerOf>['withheld']): Diagnostic[] {
  const byRule = new Map<string, { node: string; reason: string; names: string[] }>()
  for (const { name, node, reason } of withheld) {
    if (!isOfCaller(node)) continue
    const key = `${node}\n${reason}`
    const rule = byRule.get(key) ?? { node, reason, names: [] }
    rule.names.push(name)
    byRule.set(key, rule)
  }
  return [...byRule.values()].map(({ node, reason, names }) => ({
    severity: 'info',
    code: 'withheld_by_caller',
    message: `${listFirstNames(names)} ${names.length === 1 ? 'is' : 'are'} not offered to it by a rule of the agent that calls it: ${reason}.`,
    path: node,
  }))
}
