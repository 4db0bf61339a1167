/** Decides what is due in a run: every decision of the loop, as a pure function of the state. */
import type { FinalAnswer, RunEnding, RunError } from '#lib/spec/event'
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import type { Part } from '#lib/spec/message'
import type { Limits, Strategy } from '#lib/spec/policy'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { finishName } from '#lib/spec/tool'
import { type Overrun, overrun } from './overrun'
import { readOutput } from './request/output'
import { endedInBackground, runningInBackground } from './state/background'
import { answerText, isEmpty } from './state/fold'

export type Due =
  | { readonly do: 'begin' }
  | { readonly do: 'step'; readonly said?: string; readonly continues?: true }
  | { readonly do: 'ask'; readonly step: StepState; readonly attempt: number; readonly nudge: boolean }
  /** The stream will not continue. What it sent so far is the answer. */
  | { readonly do: 'answer'; readonly parts: readonly Part[]; readonly finishReason: 'cut' | 'cancelled' }
  | { readonly do: 'calls'; readonly calls: readonly CallState[] }
  /** These calls get a result without running. */
  | {
      readonly do: 'drop'
      readonly calls: readonly CallState[]
      readonly why: string
      readonly over?: Overrun
    }
  /** Only calls in the background are left to wait for. */
  | { readonly do: 'await' }
  | { readonly do: 'close'; readonly step: StepState }
  | { readonly do: 'summarize'; readonly reason: string }
  | {
      readonly do: 'finish'
      readonly status: RunEnding
      readonly answer: string | null
      /** The answer as JSON that fits the output schema. */
      readonly output?: JsonValue
      readonly error: RunError | null
    }
  /** A person must decide before anything continues. */
  | { readonly do: 'wait' }
  | { readonly do: 'rest' }

/** Recoveries in a row after which the run is assumed to bring the server down. */
const poisonousCrashes = 3

/** Steps in a row without a call that could run, after which the model is not asked again. */
const mostInvalidSteps = 3
const invalidCodes: ReadonlySet<string> = new Set([
  'args_json',
  'xml_syntax',
  'args_schema',
  'truncated',
  'invalid_call',
])
const noCallFits = `The calls of ${mostInvalidSteps} steps in a row could not be read or did not fit their tools.`

/** How often in a row the model is asked again for an answer that fits its schema. */
const mostOutputTries = 3

const wordsEndNothing = `Your words alone do not end this run. Go on with your work, or call ${finishName} with your whole answer.`
const continueAnswer: Due = {
  do: 'step',
  said: 'Your answer was cut off, since its tokens were used up. Go on exactly where it ends, in mid-word if need be: repeat nothing of it, and say nothing about this.',
  continues: true,
}
const resultsSince =
  'Since you began this answer, calls in the background have ended. Their results are in the messages above. Give your whole answer again, with what they add.'
const nothingSaid = 'The step limit was reached before there was an answer.'
const cutOff = 'The answer reached the limit of its output tokens, so it may be incomplete.'
const usedUp = 'The model reached the limit of its output tokens before it wrote anything.'
const filtered = 'The provider stopped the answer because of its content rules.'

/**
 * @param stopped the only outside input: a person's cancel, or a time budget without an event yet
 * @param above why the budget of a run around this one is used up
 */
export function next(state: RunState, limits: Limits, stopped?: 'cancel' | 'budget', above?: string): Due {
  if (state.finishedAt !== undefined) return { do: 'rest' }
  const over = above === undefined ? overrun(state, limits, stopped === 'budget') : { reason: above }
  const stop = stopIn(state, stopped === 'cancel') ?? (over && overEnd(state, over))
  if (state.startedAt === undefined) return stop ?? { do: 'begin' }
  const due = begunDue(state, limits, stop)
  if (due.do !== 'finish' && due.do !== 'summarize') return due
  return backgroundDue(state, limits, { due, stop, isStopped: stopped !== undefined }) ?? due
}

function begunDue(state: RunState, limits: Limits, stop: Finish | undefined): Due {
  const step = state.steps.at(-1)
  if (step !== undefined && step.finishedAt === undefined) return withinStep(step, limits, stop)
  // An end that the run reached by itself counts, even when its budget is used up.
  const due = betweenSteps(state, step, limits)
  const isOver = stop?.status === 'budget' && step !== undefined && saysItsEnd(step) && due.do === 'finish'
  if (stop !== undefined) return isOver ? due : stop
  return isUnheard(state, due, limits) ? { do: 'step' } : due
}

/** Whether a person has said something that a run which is about to end can still answer. */
function isUnheard({ steered, steps, hooks = [] }: RunState, due: Due, { maxSteps }: Limits): boolean {
  if (steered === undefined || due.do !== 'finish' || due.status !== 'completed') return false
  // Hooks have seen the answer and may have replaced it, so it is final.
  return steps.length < maxSteps && !hooks.some(({ on }) => on === 'post_reply')
}

interface Ending {
  readonly due: Extract<Due, { do: 'finish' | 'summarize' }>
  readonly stop: Finish | undefined
  /** A person cancelled the run, or its time is over. */
  readonly isStopped: boolean
}

/**
 * What calls in the background leave to do before the run can end. Each is awaited up to its own time limit,
 * unless the run is stopped. A text that was to be the answer is asked for again when results came after its
 * request, since the model has not read them.
 */
function backgroundDue(state: RunState, limits: Limits, { due, stop, isStopped }: Ending): Due | undefined {
  const calls = runningInBackground(state)
  if (calls.length > 0) {
    const isCutOff = stop !== undefined && (isStopped || stop.status !== 'budget')
    return isCutOff ? { do: 'drop', calls, why: whyOf(stop) } : { do: 'await' }
  }
  const last = state.steps.at(-1)
  const isText = due.do === 'finish' && due.status === 'completed' && last !== undefined && !last.final
  if (!isText || stop !== undefined || due.error !== null || last.number >= limits.maxSteps) return undefined
  return endedInBackground(state).length === 0 ? undefined : { do: 'step', said: resultsSince }
}

interface Finish extends Extract<Due, { do: 'finish' }> {
  readonly over?: Overrun
}

function overEnd(state: RunState, over: Overrun): Finish {
  const { reason } = over
  const message = `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.`
  return { do: 'finish', status: 'budget', answer: lastText(state), error: { code: 'budget', message }, over }
}

/** Whether this step ends the run by itself, whatever is left of the budget. */
function saysItsEnd(step: StepState): boolean {
  if (step.fault !== undefined || step.finishReason === 'filter') return true
  if (step.final !== undefined) return true
  const isWhole = step.finishReason !== 'cut' && step.finishReason !== 'cancelled'
  return isWhole && step.calls.length === 0 && !isEmpty(step)
}

function stopIn(state: RunState, cancelled: boolean): Finish | undefined {
  // The cancel is on record even when the server stopped before it could write the run's end.
  if (cancelled || state.steps.at(-1)?.finishReason === 'cancelled') return cancelledFinish(state)
  if (state.halted !== undefined) return failedFinish(state.halted.code, state.halted.message)
  if (state.crashes < poisonousCrashes) return undefined
  const message = `The server stopped ${state.crashes} times in a row during this step, so the run was ended.`
  return failedFinish('poison', message)
}

function withinStep(step: StepState, { strategy }: Limits, stop: Finish | undefined): Due {
  if (step.parts === undefined) return dueWithoutAnswer(step, stop)
  const calls = step.calls.filter(
    ({ result, background }) => result === undefined && background === undefined,
  )
  if (calls.length > 0) {
    if (stop !== undefined)
      return { do: 'drop', calls, why: whyOf(stop), ...(stop.over && { over: stop.over }) }
    if (step.finishReason === 'filter') return { do: 'drop', calls, why: 'the provider stopped the answer' }
    return isHeld(calls, strategy) ? { do: 'wait' } : { do: 'calls', calls }
  }
  if (stop === undefined && deservesNudge(step)) {
    return { do: 'ask', step, attempt: (step.request?.attempt ?? 0) + 1, nudge: true }
  }
  // A run that is given up leaves the step open. Finishing it would hide the step that crashed the server.
  return stop?.status === 'failed' ? stop : { do: 'close', step }
}

/** Calls in the order in which they run: those that end the run come after all others of the step. */
export function inTurn(calls: readonly CallState[]): CallState[] {
  return [...calls.filter(({ ends }) => !ends), ...calls.filter(({ ends }) => ends)]
}

/**
 * When calls run in order, the first that waits holds back those after it. One that ends the run waits for
 * all.
 */
function isHeld(calls: readonly CallState[], strategy: Strategy): boolean {
  const [first, ...rest] = inTurn(calls)
  if (first?.status !== 'waiting') return false
  return strategy !== 'parallel' || rest.every(({ status, ends }) => status === 'waiting' || ends)
}

function dueWithoutAnswer(step: StepState, stop: Finish | undefined): Due {
  const cancelled = stop?.status === 'cancelled'
  // Sealed calls may have run. If the model were asked again, it would make them twice.
  if (step.sealed.length > 0)
    return { do: 'answer', parts: step.sealed, finishReason: cancelled ? 'cancelled' : 'cut' }
  if ((cancelled || stop?.over !== undefined) && step.request !== undefined)
    return { do: 'answer', parts: liveParts(step), finishReason: cancelled ? 'cancelled' : 'cut' }
  return stop ?? { do: 'ask', step, attempt: (step.request?.attempt ?? 0) + 1, nudge: step.nudged }
}

function liveParts({ live }: StepState): Part[] {
  const parts: Part[] = []
  if (live.reasoning !== '') parts.push({ type: 'reasoning', text: live.reasoning })
  if (live.text !== '') parts.push({ type: 'text', text: live.text })
  return parts
}

function deservesNudge(step: StepState): boolean {
  const isOver = step.fault !== undefined || step.finishReason === 'filter'
  return !step.nudged && !step.summary && !isOver && isEmpty(step)
}

function betweenSteps(state: RunState, last: StepState | undefined, limits: Limits): Due {
  if (last === undefined) return { do: 'step' }
  if (last.fault !== undefined)
    // The part of the answer that came before the failed continuation is kept.
    return { ...failedFinish(`model_${last.fault.code}`, last.fault.message), answer: last.before ?? null }
  if (last.finishReason === 'filter')
    return { ...failedFinish('model_filter', filtered), answer: saidIn(last) }
  if (last.final !== undefined) return completedFinish(last.final)
  if (last.summary) return summaryEnd(state, last, limits)
  if (last.calls.length === 0) return textEnd(state, last, limits)
  if (areAllInvalid(state)) return failedFinish('invalid_calls', noCallFits)
  return last.number < limits.maxSteps ? { do: 'step' } : atLimit(state, limits)
}

/** Whether in the last steps in a row no call could be parsed or fitted its tool. */
function areAllInvalid({ steps }: RunState): boolean {
  if (steps.length < mostInvalidSteps) return false
  return steps.slice(-mostInvalidSteps).every(({ calls }) => calls.length > 0 && calls.every(isInvalid))
}

function isInvalid({ code, startedAt }: CallState): boolean {
  return startedAt === undefined && code !== null && invalidCodes.has(code)
}

function summaryEnd(state: RunState, last: StepState, { output }: Limits): Finish {
  const answer = saidIn(last) ?? lastText(state) ?? nothingSaid
  const read = output === undefined ? undefined : readOutput(answer, output)
  return { ...limitEnd(answer), ...(read?.ok && { output: read.value }) }
}

function textEnd(state: RunState, last: StepState, limits: Limits): Due {
  const answer = saidIn(last)
  const isCut = last.finishReason === 'length'
  if (answer === null)
    return failedFinish('empty_response', isCut ? usedUp : 'The model gave an empty answer twice.')
  const { output, finish } = limits
  // If no finish tool is offered, text must end the run, since nothing else can.
  const isOffered = state.tools?.offered.some(({ ends }) => ends) === true
  const endsNothing = output === undefined && finish === 'finish_tool' && isOffered
  if (endsNothing) return stepAgain(state, limits, wordsEndNothing)
  const goesOn = isCut && !isEmpty(last) && mayContinue(state, last, limits)
  if (output !== undefined) return outputEnd(state, { answer, output, limits, goesOn })
  if (goesOn) return continueAnswer
  // Asked to continue, the model may have had nothing more to say.
  const isOpen = isCut || isEmpty(last)
  return completedFinish({ answer }, isOpen ? { code: 'truncated', message: cutOff } : null)
}

function mayContinue({ steps }: RunState, last: StepState, { continues, maxSteps }: Limits): boolean {
  if (last.number >= maxSteps) return false
  const others = steps.slice(-continues).filter(({ before }) => before === undefined)
  return continues > 0 && others.length > 0
}

interface Outcome {
  readonly answer: string
  readonly output: JsonSchema
  readonly limits: Limits
  /** The answer was cut off and may be continued. */
  readonly goesOn: boolean
}

/** Text that fits is the answer. Otherwise the model is asked again, with the reason why it does not fit. */
function outputEnd(state: RunState, { answer, output, limits, goesOn }: Outcome): Due {
  const read = readOutput(answer, output)
  if (read.ok) return completedFinish({ answer, output: read.value })
  if (goesOn) return continueAnswer
  if (triesOf(state) >= mostOutputTries)
    return {
      ...failedFinish('output_invalid', `The answer does not fit the output schema. ${read.fault}`),
      answer,
    }
  return stepAgain(
    state,
    limits,
    `Your answer does not fit the schema it has to fit. ${read.fault} Answer again.`,
  )
}

/** How often in a row the model was asked again. A continuation does not count as another try. */
function triesOf({ steps }: RunState): number {
  let tries = 0
  for (let index = steps.length - 1; index >= 0; index--) {
    const step = steps[index]
    if (step === undefined || step.said === undefined || step.calls.length > 0) break
    if (step.before === undefined) tries += 1
  }
  return tries
}

function stepAgain(state: RunState, limits: Limits, said: string): Due {
  return (state.steps.at(-1)?.number ?? 0) < limits.maxSteps ? { do: 'step', said } : atLimit(state, limits)
}

function completedFinish({ answer, output }: FinalAnswer, error: RunError | null = null): Finish {
  return { do: 'finish', status: 'completed', answer, ...(output !== undefined && { output }), error }
}

function atLimit(state: RunState, { maxSteps, onLimit }: Limits): Due {
  switch (onLimit) {
    case 'summarize':
      if (state.summarizing !== null) return { do: 'step' }
      return { do: 'summarize', reason: `the limit of ${stepCount(maxSteps)} is reached` }
    case 'error':
      return limitEnd(lastText(state), {
        code: 'max_steps',
        message: `No answer within ${stepCount(maxSteps)}.`,
      })
    case 'return_partial':
      return limitEnd(lastText(state))
  }
  return onLimit satisfies never
}

export function stepCount(count: number): string {
  return count === 1 ? '1 step' : `${count} steps`
}

function limitEnd(answer: string | null, error: RunError | null = null): Finish {
  return { do: 'finish', status: 'max_steps', answer, error }
}

function failedFinish(code: string, message: string): Finish {
  return { do: 'finish', status: 'failed', answer: null, error: { code, message } }
}

function cancelledFinish(state: RunState): Finish {
  return { do: 'finish', status: 'cancelled', answer: lastText(state), error: null }
}

function whyOf({ status, over }: Finish): string {
  if (over !== undefined) return over.reason
  return status === 'cancelled' ? 'the run was cancelled' : 'the run failed'
}

function saidIn(step: StepState): string | null {
  const text = answerText(step)
  return text.trim() === '' ? null : text
}

/** The last text for a reader, even if its step also made calls. */
function lastText(state: RunState): string | null {
  for (let index = state.steps.length - 1; index >= 0; index--) {
    const step = state.steps[index]
    const text = step === undefined || step.fault !== undefined ? null : saidIn(step)
    if (text !== null) return text
  }
  return null
}
