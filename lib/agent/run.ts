/** The loop: it asks `next` what is due, does it and yields events; the state holds everything else. */
import type { EventBody, ResumeReason, RunEvent, ToolCount } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import { ask } from './answer/ask'
import { assignPersonas, needsPersonas } from './answer/personas'
import { beginningOf } from './beginning'
import { backgroundOf } from './call/background'
import { finishStarted, runCalls } from './call/calls'
import { askBefore, questionBefore } from './call/hooks'
import { hearPeople } from './call/people'
import { closeInputs, closeLostInputs } from './call/questions'
import { droppedReason, finishRefused, overBudget, rulingEvent } from './call/refuse'
import { type RunDeps, stopOf } from './deps'
import { createEngine, type Engine, emitter, NotStored } from './engine'
import { decidersOf } from './limits'
import { type Due, next } from './next'
import type { Overrun } from './overrun'
import { recallAtStart, rememberAtEnd } from './recall'
import type { Ruled } from './request/offer'
import { runningInBackground } from './state/background'
import { copiedThrough } from './state/fork-copied'
import { hookedAnswer } from './state/hook-record'

/**
 * Runs what the state says is left of a run: all of it after `start`, or the rest after a fold of stored
 * events.
 * Every event is folded into `state` before it is yielded. It never throws, and ends with one `run.finished`.
 * It returns without that event in two cases: a signal was aborted with `'drain'`, and the run is to be
 * resumed; or only a person's decision is missing, and the run is to be called again once it is made. Any
 * other abort cancels the run.
 * @param resumed why a run that had begun is resumed; `decided` is not a recovery and leaves no event
 */
export async function* run(
  state: RunState,
  deps: RunDeps,
  signal: AbortSignal,
  resumed: ResumeReason | 'decided' = 'crash',
): AsyncGenerator<RunEvent, void> {
  if (state.finishedAt !== undefined || stopOf(signal) === 'drain') return
  let engine: Engine | undefined
  try {
    engine = createEngine(state, deps, signal, resumed)
    await engine.offering.refresh(signal)
    const refusal = unaffordable(engine)
    if (refusal !== undefined) return yield* endNow(state, engine.deps, refusal)
    // A run that only waits for a person had nothing at work, so there is nothing to resume.
    const { limits } = engine
    const wasBusy = runningInBackground(state).length > 0
    const waits = () =>
      !wasBusy && next(state, limits, stopIn(signal), deps.outer?.overBudget()).do === 'wait'
    // A fork with copied events is already started. Until it has events of its own there is nothing to
    // resume.
    const hasBegun = state.startedAt !== undefined && state.seq > copiedThrough(state.forkedFrom)
    if (hasBegun && resumed !== 'decided' && !waits()) yield engine.emit(resumedEvent(engine, resumed))
    yield* closeLostInputs(engine)
    engine.watchTime()
    if (wasBusy && !engine.signal.aborted) yield* backgroundOf(engine).resume()
    while (stopOf(signal) !== 'drain') {
      if (engine.background !== undefined) yield* engine.background.report()
      for (const said of hearPeople(engine)) yield said
      const stop = stopIn(signal) ?? stopIn(engine.signal)
      const due = next(state, engine.limits, stop, deps.outer?.overBudget())
      if (due.do === 'rest') return
      if (due.do === 'wait') {
        if (!engine.background?.isBusy) return
        await engine.background.pause()
        continue
      }
      const question = questionBefore(engine, due)
      if (question !== undefined && (yield* askBefore(engine, due, { question, signal }))) continue
      yield* act(engine, due)
    }
    if (engine.background?.isBusy) yield* engine.background.breakOff()
  } catch (error) {
    if (!(error instanceof NotStored)) deps.report?.(error)
    yield* endOnBug(state, engine?.deps ?? deps, error)
  } finally {
    engine?.close()
  }
}

/**
 * How much of the time before a resume counts as the run's own, in milliseconds: work that it may have done
 * before the server stopped, without an event. The rest counts as the server's time, or is not real, since
 * the clock may have been set.
 */
const maxUnrecordedMs = 60_000

function resumedEvent({ state, deps }: Engine, reason: ResumeReason): EventBody {
  const awayMs = Math.round(deps.clock.now()) - state.lastAt - maxUnrecordedMs
  return { type: 'run.resumed', reason, attempt: state.resumes + 1, ...(awayMs > 0 && { awayMs }) }
}

function stopIn(signal: AbortSignal): 'cancel' | 'budget' | undefined {
  const stop = stopOf(signal)
  return stop === 'drain' ? undefined : stop
}

/** A budget in dollars needs a known price. */
function unaffordable({ deps, limits }: Engine): Finish | undefined {
  const { usd } = limits.budget
  if (usd === Number.POSITIVE_INFINITY) return undefined
  const { model, price, summaryModel } = deps
  const asked = [{ client: model, price }, ...(summaryModel ? [summaryModel] : [])]
  const unknown = asked.find((each) => each.price === undefined)
  if (unknown === undefined) return undefined
  const { provider, name } = unknown.client
  const message = `The price of ${name} (${provider}) is not known, so a budget of $${usd} cannot be enforced. Set the price in Settings, or remove the limit.`
  return { status: 'failed', answer: null, error: { code: 'price_unknown', message } }
}

async function* act(engine: Engine, due: Due): AsyncGenerator<RunEvent, void> {
  const { state, emit, limits } = engine
  switch (due.do) {
    case 'begin':
      yield emit(startedEvent(engine))
      return
    case 'step':
      if (state.steps.length === 0) yield* recallAtStart(engine)
      yield* changeTools(engine)
      if (needsPersonas(engine)) {
        yield* assignPersonas(engine)
        // The answer may have used up a budget, and the run may have been stopped meanwhile.
        if (state.personas !== undefined || engine.signal.aborted) return
      }
      yield emit({
        type: 'step.started',
        maxSteps: limits.maxSteps,
        ...(due.said && { said: due.said }),
        ...(due.continues && { continues: true }),
      })
      return
    case 'ask':
      yield* ask(engine, due)
      return
    case 'answer':
      yield emit(answerSoFar(due))
      return
    case 'calls':
      yield* runCalls(engine, due.calls)
      return
    case 'drop':
      // Calls that began while the answer streamed, or that are stopped in the background, end first; after
      // that, `next` decides again what is left to drop.
      if (engine.ledger !== undefined) yield* finishStarted(engine)
      else if (engine.background?.isBusy && isOfBackground(due)) yield* engine.background.breakOff()
      else yield* drop(engine, due)
      return
    case 'await':
      await engine.background?.pause()
      return
    case 'close':
      yield emit({
        type: 'step.finished',
        usage: { ...due.step.usage },
        durationMs: engine.sinceStep(due.step),
      })
      return
    case 'summarize':
      yield emit({ type: 'run.summarizing', reason: due.reason })
      return
    case 'finish':
      yield* rememberAtEnd(engine, due)
      yield emit(ending(state, engine.deps, due))
      return
    case 'wait':
    case 'rest':
      return
  }
  due satisfies never
}

function isOfBackground({ calls }: Extract<Due, { do: 'drop' }>): boolean {
  return calls.some(({ background }) => background !== undefined)
}

/** Fixes the tools of the next step. The closing answer is asked for without tools. */
async function* changeTools({ state, offering, emit, signal }: Engine): AsyncGenerator<RunEvent, void> {
  if (state.summarizing !== null) return
  await offering.refresh(signal)
  const change = offering.change()
  if (change !== undefined) yield emit(change)
}

/** Gives calls that have not begun when a budget is used up its ruling, once each. */
function* drop(engine: Engine, { calls, why, over }: Extract<Due, { do: 'drop' }>) {
  const { state, deps, emit } = engine
  const ends = over && endingRuling(state, deps, over)
  for (const call of calls) {
    yield* closeInputs(engine, call)
    if (call.approval !== undefined && call.approval.decided === undefined)
      yield emit({
        type: 'approval.decided',
        callId: call.id,
        decision: 'reject',
        scope: 'call',
        by: 'cancel',
      })
    if (ends === undefined || call.startedAt !== undefined) {
      yield emit(finishRefused(call, droppedReason(call, why)))
      continue
    }
    if (!call.rulings.some((each) => each.ends !== undefined)) yield emit(rulingEvent(call, call.name, ends))
    yield emit(finishRefused(call, overBudget(call, why)))
  }
}

/** The ruling that ended the run, or one of the policy whose budget is used up. */
function endingRuling(state: RunState, { policies }: RunDeps, { by, reason }: Overrun): Ruled | undefined {
  for (const { rulings } of state.steps.at(-1)?.calls ?? [])
    for (const { policy, node, verdict, ends } of rulings)
      if (ends !== undefined) return { policy, node, verdict, reason, ends }
  const decider = by && decidersOf(policies)[by]
  return decider && { policy: decider.use, node: decider.node, verdict: 'limit', reason, ends: 'budget' }
}

function startedEvent({ state, deps, offering }: Engine): EventBody {
  const { agent, input, threadId, historyThrough, forkedFrom } = state.start
  return {
    type: 'run.started',
    agent,
    input,
    threadId,
    historyThrough,
    ...(forkedFrom && { forkedFrom }),
    ...beginningOf(deps, offering.set, offering),
  }
}

function answerSoFar({ parts, finishReason }: Extract<Due, { do: 'answer' }>): EventBody {
  const usage = { input: 0, output: 0 }
  return { type: 'model.answered', parts: [...parts], usage, finishReason, durationMs: 0, firstTokenMs: null }
}

type Finish = Pick<Extract<Due, { do: 'finish' }>, 'status' | 'answer' | 'output' | 'error'>
/** What is needed to end a run properly. */
type EndDeps = Pick<RunDeps, 'clock' | 'redact' | 'interruptReply'>

function ending(
  state: RunState,
  { clock, redact, interruptReply }: EndDeps,
  { status, answer, output, error }: Finish,
): EventBody {
  const finishedAt = Math.max(state.lastAt, Math.round(clock.now()))
  const asked = state.steps.filter((step) => step.request !== undefined && !step.summary)
  const toolCalls = toolCounts(state)
  const said = answer === null || status === 'cancelled' ? undefined : hookedAnswer(state)
  const interrupted = status === 'cancelled' && interruptReply ? { reply: interruptReply } : undefined
  return {
    type: 'run.finished',
    status,
    answer: interrupted === undefined ? (said ?? answer) : withReply(answer, interrupted.reply),
    ...(interrupted && { interrupted }),
    // An answer that a hook replaced need not fit the output schema.
    ...(output !== undefined && said === undefined && { output }),
    usage: { ...state.usage },
    costUsd: state.costUsd,
    steps: asked.length,
    toolCalls: toolCalls.sort((a, b) => (a.name < b.name ? -1 : 1)),
    startedAt: state.startedAt ?? finishedAt,
    finishedAt,
    error: error && { code: error.code, message: redact?.(error.message) ?? error.message },
  }
}

/** What the model had written stays; the agent's reply comes after it. */
function withReply(answer: string | null, reply: string): string {
  return answer === null ? reply : `${answer}\n\n${reply}`
}

function toolCounts({ toolCounts, calls }: RunState): ToolCount[] {
  const renamed = new Map<string, { scopeName: string }>()
  for (const { name, scopeName } of calls.values())
    if (scopeName !== undefined) renamed.set(name, { scopeName })
  return [...toolCounts].map(([name, count]) => ({ name, count, ...renamed.get(name) }))
}

/** A bug ends the run properly, and the error message reveals no internals. */
function* endOnBug(state: RunState, deps: RunDeps, error: unknown): Generator<RunEvent, void> {
  const failure: Finish =
    error instanceof NotStored
      ? {
          status: 'interrupted',
          answer: null,
          error: { code: 'not_stored', message: 'Events of the run could not be stored.' },
        }
      : {
          status: 'failed',
          answer: null,
          error: {
            code: 'internal',
            message: 'An internal error of Loopwright ended the run. The server’s log has the details.',
          },
        }
  yield* endNow(state, deps, failure)
}

/** Ends a run at once, whatever was due in it. Every open call gets its one result first. */
export function* endNow(state: RunState, deps: EndDeps, finish: Finish): Generator<RunEvent, void> {
  const emit = emitter(state, deps)
  const why = 'the run ended because of an error'
  for (const call of new Set([...(state.steps.at(-1)?.calls ?? []), ...runningInBackground(state)])) {
    if (call.result !== undefined || call.status === 'streaming') continue
    yield* closeInputs({ emit, asking: new Map() }, call)
    yield emit(finishRefused(call, droppedReason(call, why)))
  }
  yield emit(ending(state, deps, finish))
}
