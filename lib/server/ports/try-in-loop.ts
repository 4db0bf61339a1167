/**
 * Tries one tool as a run of a single call, so that its body has all that it has in a run. No model decides and no
 * policy holds: the call is put in place of the model's answer. Nothing of the run is stored.
 */
import type { Decisions } from '#lib/agent/call/decisions'
import type { RunDeps } from '#lib/agent/deps'
import type { Artifact } from '#lib/spec/artifact'
import type { AgentRef, CallWait, EventOf, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Block } from '#lib/spec/message'
import type { BoundPolicy } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'
import type { TriedTool } from '#lib/wire/tools'
import type { Assembled } from '../agents/assemble'
import type { LoopFunctions } from '../runs/loop-functions'
import { depsOf } from '../runs/run-deps'
import { createTryQuestions, type TellsQuestions } from './try-questions'

interface LoopContext {
  readonly engine: Pick<LoopFunctions, 'start' | 'fold' | 'run'>
  readonly clock: RunDeps['clock']
  report(error: unknown): void
}

/** What a tool shows while it works, without known secrets. */
export interface ShownInTry extends TellsQuestions {
  text?(text: string): void
  blocks?(blocks: Block[]): void
  /** Null when the wait is over. */
  wait?(wait: CallWait | null): void
  file?(artifact: Artifact): void
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
  const before = { ...plans }
  Object.assign(state, before)
  const { output: _output, ...parts } = assembled
  const alone: Assembled = { ...inForeground(parts), policies: [whole], groups: [], recallers: [] }
  const deps: RunDeps = {
    ...depsOf({ ports, clock }, alone, async () => {}),
    decisions: people,
    report,
  }
  const questions = createTryQuestions({ people, tell, clock, signal, report })
  let finished: EventOf<'call.finished'> | undefined
  let failure: string | undefined
  for (let reason: 'crash' | 'decided' = 'crash'; ; reason = 'decided') {
    for await (const event of engine.run(state, deps, signal, reason)) {
      if (event.type === 'memory.recorded') remember(event)
      tellOf(event, tell)
      questions.heed(event)
      if (event.parent !== undefined) continue
      if (event.type === 'step.started' && state.steps.length === 1)
        engine.fold(state, answered(state, { id, tool, args }))
      if (event.type === 'call.finished' && event.callId === id) finished = event
      if (event.type === 'run.finished') failure = event.error?.message
      if (event.type === 'step.finished') break
    }
    if (finished !== undefined || state.finishedAt !== undefined || signal.aborted) break
    // Nobody is asked anything, so nothing would go on.
    if (state.waiting === 0 && people.isEmpty) break
    await heard(people, signal)
  }
  questions.end()
  // Another try of the agent may have made a plan meanwhile.
  if (state.plan !== before.plan) plans.plan = state.plan
  if (state.pastPlans !== before.pastPlans) plans.pastPlans = state.pastPlans
  return outcomeOf(tool, finished, failure)
}

/** A person who tries a tool waits for its result, also where a model would go on at once. */
function inForeground<A extends Pick<Assembled, 'tools' | 'lister'>>(assembled: A): A {
  const { tools, lister } = assembled
  const only = (bound: readonly BoundTool[]) => bound.map(({ background: _, ...tool }): BoundTool => tool)
  if (lister === undefined) return { ...assembled, tools: only(tools) }
  const listing: typeof lister = (ports) => {
    const list = lister(ports)
    return async (signal) => {
      const now = await list(signal)
      return { ...now, tools: only(now.tools) }
    }
  }
  return { ...assembled, tools: only(tools), lister: listing }
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
