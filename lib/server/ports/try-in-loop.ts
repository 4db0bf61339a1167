/**
 * Tries one tool as a run of a single call, so that its body has all that it has in a run. No model decides and no
 * policy holds: the call is put in place of the model's answer. Nothing of the run is stored.
 */
import type { Decisions } from '#lib/agent/call/decisions'
import type { RunDeps } from '#lib/agent/deps'
import { joinPath } from '#lib/agent/state/inner-path'
import type { Artifact } from '#lib/spec/artifact'
import type { AgentRef, CallWait, EventOf, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { BoundPolicy } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import type { ToolPorts } from '#lib/spec/tool'
import type { TriedTool } from '#lib/wire/tools'
import type { Assembled } from '../agents/assemble'
import type { LoopFunctions } from '../runs/loop-functions'
import { depsOf } from '../runs/run-deps'

interface LoopContext {
  readonly engine: Pick<LoopFunctions, 'start' | 'fold' | 'run'>
  readonly clock: RunDeps['clock']
  report(error: unknown): void
}

/** What a tool shows while it works, without known secrets. */
export interface ShownInTry {
  text?(text: string): void
  blocks?(blocks: Block[]): void
  /** Null when the wait is over. */
  wait?(wait: CallWait | null): void
  file?(artifact: Artifact): void
  /** The tool asks a person. */
  asks?(asked: AskedInTry): void
  /** The question is closed. */
  answered?(callId: string, inputId: string): void
}

/** A question of a tool that is tried. `callId` is that of the call inside which it is asked. */
export interface AskedInTry {
  readonly callId: string
  readonly tool: string
  readonly input: InputQuestion
}

export interface LoopTrial {
  /** Unique among the tries of a thread: another agent works in a folder of this name. */
  readonly id: string
  readonly tool: string
  /** They fit the tool. */
  readonly args: JsonObject
  readonly agent: AgentRef
  readonly thread: string
  readonly assembled: Assembled
  readonly ports: ToolPorts
  readonly signal: AbortSignal
  readonly tell: ShownInTry
  /** The plans that earlier tries have made; the try adds its own. */
  readonly plans: Pick<RunState, 'plan' | 'pastPlans'>
  readonly people: Decisions
  /** Keeps what the tool remembers. */
  remember(event: EventOf<'memory.recorded'>): void
}

const nothing = { input: 0, output: 0 }

/** Results are shown whole. */
const whole: BoundPolicy = {
  use: 'try',
  node: 'try',
  stages: [],
  rule: () => undefined,
  limit: () => {},
  limitTool: (limits) => {
    limits.maxChars = Number.MAX_SAFE_INTEGER
  },
}

/** Runs the tool to its end, its time limit or the abort of the signal. */
export async function tryInLoop(
  { engine, clock, report }: LoopContext,
  { id, tool, args, agent, thread, assembled, ports, signal, tell, plans, people, remember }: LoopTrial,
): Promise<TriedTool> {
  const state = engine.start({ agent, input: '', threadId: thread, historyThrough: null, history: [] })
  Object.assign(state, plans)
  const { output: _output, ...parts } = assembled
  const alone: Assembled = { ...parts, policies: [whole], groups: [], recallers: [] }
  const deps: RunDeps = {
    ...depsOf({ ports, clock }, alone, async () => {}),
    decisions: people,
    report,
  }
  let finished: EventOf<'call.finished'> | undefined
  let failure: string | undefined
  for (let reason: 'crash' | 'decided' = 'crash'; ; reason = 'decided') {
    for await (const event of engine.run(state, deps, signal, reason)) {
      if (event.type === 'memory.recorded') remember(event)
      tellOf(event, tell)
      if (event.parent !== undefined) continue
      if (event.type === 'step.started' && state.steps.length === 1)
        engine.fold(state, answered(state, { id, tool, args }))
      if (event.type === 'call.finished' && event.callId === id) finished = event
      if (event.type === 'run.finished') failure = event.error?.message
      if (event.type === 'step.finished') break
    }
    if (finished !== undefined || state.finishedAt !== undefined || signal.aborted) break
    await heard(people, signal)
  }
  plans.plan = state.plan
  plans.pastPlans = state.pastPlans
  return outcomeOf(tool, finished, failure)
}

/** The call in place of a model's answer. */
function answered(
  { seq, lastAt }: RunState,
  { id, tool, args }: Pick<LoopTrial, 'id' | 'tool' | 'args'>,
): RunEvent {
  const call = { type: 'call', id, name: tool, rawArgs: JSON.stringify(args), args } as const
  return {
    ...{ type: 'model.answered', seq: seq + 1, at: lastAt, step: 1, parts: [call], usage: nothing },
    ...{ finishReason: 'calls', durationMs: 0, firstTokenMs: null },
  } as const
}

/** What a person at the page is told. Of a run inside the call that is what it says and which tools it calls. */
function tellOf(event: RunEvent, tell: ShownInTry): void {
  const at = event.parent
  switch (event.type) {
    case 'call.progressed':
      if (at !== undefined) return
      if (event.text !== undefined) tell.text?.(event.text)
      if (event.blocks !== undefined) tell.blocks?.(event.blocks)
      if (event.wait !== undefined) tell.wait?.(event.wait)
      return
    case 'artifact.created':
      tell.file?.(event.artifact)
      return
    case 'input.requested':
      if (event.refused === undefined) tell.asks?.(asked(event, at))
      return
    case 'approval.requested':
      tell.asks?.(approval(event, at))
      return
    case 'input.given':
      tell.answered?.(joined(event.callId, at), event.inputId)
      return
    case 'approval.decided':
      tell.answered?.(joined(event.callId, at), approvalId)
      return
    case 'model.answered':
      for (const part of at === undefined ? [] : event.parts)
        if (part.type === 'text') tell.text?.(`${part.text}\n`)
      return
    case 'call.started':
      if (at !== undefined) tell.text?.(`It calls ${event.name}.\n`)
      return
    default:
      // Everything else belongs to the run and not to what a person sees of its one call.
      return
  }
}

const joined = (callId: string, parent: string | undefined) =>
  parent === undefined ? callId : joinPath(parent, callId)

function asked(event: EventOf<'input.requested'>, parent: string | undefined): AskedInTry {
  const { callId, tool, inputId, from, server, question, choices, schema, url, expiresAt } = event
  return {
    callId: joined(callId, parent),
    tool,
    input: {
      ...{ inputId, from, question },
      ...(server !== undefined && { server }),
      ...(choices && { choices }),
      ...(schema && { schema }),
      ...(url !== undefined && { url }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
  }
}

const approvalId = 'approval'
const approve = 'Approve'

/** An agent inside the call asks whether one of its own calls may run. */
function approval(event: EventOf<'approval.requested'>, parent: string | undefined): AskedInTry {
  const { callId, tool, args } = event
  const question = `May ${tool} run with these arguments?\n${JSON.stringify(args, null, 2)}`
  const input = { inputId: approvalId, from: 'tool', question, choices: [approve, 'Reject'] } as const
  return { callId: joined(callId, parent), tool, input: { ...input, choices: [...input.choices] } }
}

/** Passes what a person said to the try. */
export function sayToTry(people: Decisions, { callId, input: { inputId } }: AskedInTry, said: InputReply) {
  if (inputId !== approvalId) return people.reply({ callId, inputId, ...said, by: 'person' })
  const decision = said.action === 'answer' && said.text === approve ? 'approve' : 'reject'
  people.push({ callId, decision, scope: 'call', by: 'person' })
}

/** Resolves when a person has said something, or the try is stopped. */
function heard(people: Decisions, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted || !people.isEmpty) return resolve()
    const end = () => {
      unlisten()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const unlisten = people.listen(end)
    signal.addEventListener('abort', end)
  })
}

function outcomeOf(
  name: string,
  finished: EventOf<'call.finished'> | undefined,
  failure = 'The tool was stopped.',
): TriedTool {
  if (finished === undefined) {
    const blocks = [{ type: 'text' as const, text: failure }]
    return { name, status: 'error', code: 'stopped', result: { blocks }, durationMs: 0 }
  }
  const { status, code, result, durationMs, metadata } = finished
  // What it had shown before it failed comes first; the page has that as its output.
  const blocks = status === 'ok' ? result.blocks : result.blocks.slice(-1)
  return {
    name,
    status: status === 'ok' || status === 'timeout' ? status : 'error',
    code,
    result: { blocks },
    ...(metadata && { metadata }),
    durationMs,
  }
}
