/** What an agent would send to its model first, if another agent called it: for a call that is not made. */
import { beginningOf } from '#lib/agent/beginning'
import { createOffering } from '#lib/agent/request/offering'
import { request } from '#lib/agent/request/rerequest'
import type { Result } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import { type JsonObject, tryParseJson } from '#lib/spec/json'
import type { AgentStore } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import { agentInput, agentsNamedIn } from '#lib/toolkits/agent'
import type { DryRun } from '#lib/wire/dry-run'
import { questionOfTask } from '../runs/child-task'
import { sha256 } from '../runs/run-config'
import type { Folding } from '../runs/run-history'
import type { Assembled } from './assemble'
import { findAgent } from './find-agent'

interface FirstRequestContext {
  readonly stores: { readonly agents: AgentStore }
  readonly engine: Folding
  assemble(config: JsonObject): Promise<Result<Assembled>>
  /** The ports of an agent outside any run, with the agents that it can call now. */
  portsOf(assembled: Assembled): ToolPorts
}

/** How long a server of tools may take to answer before the tools that are known are shown. */
const longestListingMs = 10_000

interface Called {
  /** Of the agent that calls. */
  readonly config: JsonObject
  readonly tool: BoundTool | undefined
  readonly args: JsonObject
}

/** Undefined for the call of a tool that is no agent. */
export async function firstRequestInside(
  { stores, engine, assemble, portsOf }: FirstRequestContext,
  { config, tool, args }: Called,
): Promise<DryRun['inside']> {
  const task = agentInput.safeParse(args)
  const named = agentsNamedIn(config).find(({ path }) => path === tool?.node)
  if (named === undefined || tool?.source !== 'agent' || !task.success) return undefined
  const found = findAgent(stores.agents, named)
  if ('problem' in found) return { agent: named.agent, problem: found.problem }
  const { agent } = found
  // The text of a compiled config is a JSON object.
  const assembled = await assemble(JSON.parse(found.config))
  if (!assembled.ok)
    return { agent: agent.name, problem: assembled.error.map(({ message }) => message).join(' ') }
  const { files = [] } = task.data
  const { lister, redact = String } = assembled.value
  const input = redact(questionOfTask({ task: task.data.task, files }))
  const begun = { agent, input, threadId: null, historyThrough: null }
  const start = engine.start({ ...begun, history: [] })
  const toolsNow = lister?.(portsOf(assembled.value))
  const offering = createOffering(start, { ...assembled.value, ...(toolsNow && { toolsNow }) })
  await offering.refresh(AbortSignal.timeout(longestListingMs))
  const step = { type: 'step.started', seq: 2, at: 0, step: 1, maxSteps: 1 } as const
  const events: RunEvent[] = [
    {
      type: 'run.started',
      seq: 1,
      at: Date.now(),
      step: 0,
      ...begun,
      ...beginningOf(assembled.value, offering.set, offering),
    },
    step,
    {
      type: 'model.requested',
      seq: 3,
      at: 0,
      step: 1,
      attempt: 1,
      counts: { messages: 1, tools: 0 },
      tools: [],
      bytes: 1,
      hash: '',
    },
  ]
  const state = events.reduce(engine.fold, start)
  const first = request(state, { ...assembled.value, tools: offering.known, hash: sha256 }, 1)
  if (first === undefined) throw new Error('a step with a request cannot be encoded')
  const { version } = agent
  return { agent: agent.name, version, request: tryParseJson(first.body) ?? first.body }
}
