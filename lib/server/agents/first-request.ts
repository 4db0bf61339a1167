/** What an agent would send to its model first, if another agent called it: for a call that is not made. */
import { z } from 'zod'
import { beginningOf } from '#lib/agent/beginning'
import { policiesOf } from '#lib/agent/enclosing'
import { createOffering } from '#lib/agent/request/offering'
import { request } from '#lib/agent/request/rerequest'
import type { Result } from '#lib/spec/errors'
import type { AgentRef, RunEvent } from '#lib/spec/event'
import type { OuterRun } from '#lib/spec/inner-run'
import { type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import type { ToolPorts } from '#lib/spec/tool'
import { agentInput } from '#lib/toolkits/agent'
import { questionOfTask } from '../runs/child-task'
import { sha256 } from '../runs/run-config'
import type { Folding } from '../runs/run-history'
import type { Assembled } from './assemble'

export interface FirstRequestContext {
  readonly engine: Folding
  /** The ports of an agent outside any run, with the agents that it can call now. */
  portsOf(assembled: Assembled): ToolPorts
}

/** How long a server of tools may take to answer before the tools that are known are shown. */
const longestListingMs = 10_000

interface Called {
  readonly agent: AgentRef
  readonly assembled: Assembled
  /** Of the call, as its tool takes them. */
  readonly args: JsonObject
  /** What holds in it of the agents around it. */
  readonly outer: OuterRun
}

export async function firstRequest(
  { engine, portsOf }: FirstRequestContext,
  { agent, assembled, args, outer }: Called,
): Promise<Result<JsonValue, string>> {
  const read = agentInput.safeParse(args)
  if (!read.success) return { ok: false, error: `Its arguments do not fit: ${z.prettifyError(read.error)}` }
  const { task, files = [] } = read.data
  const { lister, redact = String } = assembled
  const input = redact(questionOfTask({ task, files }))
  const begun = { agent, input, threadId: null, historyThrough: null }
  const start = engine.start({ ...begun, history: [] })
  const toolsNow = lister?.(portsOf(assembled))
  const policies = policiesOf({ ...assembled, outer })
  const offering = createOffering(start, { ...assembled, policies, ...(toolsNow && { toolsNow }) })
  await offering.refresh(AbortSignal.timeout(longestListingMs))
  const step = { type: 'step.started', seq: 2, at: 0, step: 1, maxSteps: 1 } as const
  const events: RunEvent[] = [
    {
      type: 'run.started',
      seq: 1,
      at: Date.now(),
      step: 0,
      ...begun,
      ...beginningOf(assembled, offering.set, offering),
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
  const first = request(state, { ...assembled, policies, tools: offering.known, hash: sha256 }, 1)
  if (first === undefined) throw new Error('a step with a request cannot be encoded')
  return { ok: true, value: tryParseJson(first.body) ?? first.body }
}
