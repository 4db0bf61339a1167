/** What a run does and did, in one line each: for those who want the answer more than the trace. Pure. */
import { plural, streamedArguments } from '#components/run/figures'
import { longestName, openCallWords, queuedWords } from '#components/run/wait-words'
import { argumentsLine, lineOf } from '#lib/spec/line'
import type { CallState, RunState } from '#lib/spec/state'

/**
 * `Step 2: sql.execute`; null once it is over.
 * @param ahead how many runs begin before it, while it is queued
 */
export function doingNow(state: RunState, ahead?: number): string | null {
  if (state.finishedAt !== undefined) return null
  if (state.status === 'queued') return queuedWords(ahead)
  const step = state.steps.at(-1)
  if (step === undefined) return 'Starting'
  const say = (what: string) => `Step ${step.number}: ${what}`
  const open = step.calls.filter((call) => call.result === undefined)
  const waiting = open.filter((call) => call.status === 'waiting')
  if (waiting.length > 0) return say(`${namesOf(waiting)} waits for you`)
  if (open.length > 0) return say(openCallWords(open))
  if (step.summary) return say('closing with what is known')
  const failed = step.retries.at(-1)
  const isPaused = failed !== undefined && (step.request === undefined || step.request.at <= failed.at)
  if (isPaused) return say('waits, then asks the model again')
  return say(step.live.text === '' ? 'the model is thinking' : 'the model is answering')
}

function namesOf(calls: readonly CallState[]): string {
  return [...new Set(calls.map((call) => lineOf(call.name, longestName)))].join(', ')
}

/** `3 steps, 4 calls`; null where there was nothing but an answer. */
export function didWords(steps: number, calls: number): string | null {
  if (calls === 0 && steps <= 1) return null
  return calls === 0 ? plural(steps, 'step') : `${plural(steps, 'step')}, ${plural(calls, 'call')}`
}

export interface StepLine {
  readonly number: number
  /** What the model said before it called; empty when it said nothing. */
  readonly thought: string
  readonly calls: readonly CallLine[]
}

export interface CallLine {
  readonly id: string
  readonly name: string
  readonly args: string
  readonly status: CallState['status']
  /** Null while it runs. */
  readonly ms: number | null
  /** Why it did not do what it was asked; empty when it did. */
  readonly fault: string
}

/** Steps that called something; what the last one said is the answer and stands below. */
export function stepLines(state: RunState): StepLine[] {
  return state.steps
    .filter((step) => step.calls.length > 0)
    .map(({ number, parts, live, calls }) => ({
      number,
      thought: oneLine(parts === undefined ? live.text : textIn(parts)),
      calls: calls.map(callLine),
    }))
}

function callLine({ id, name, args, rawArgs, status, result, durationMs }: CallState): CallLine {
  const isFault = result !== undefined && status !== 'ok'
  return {
    id,
    name: lineOf(name, longestName),
    args: lineOf(args === undefined ? streamedArguments(rawArgs) : argumentsLine(args)),
    status,
    ms: result === undefined ? null : durationMs,
    fault: isFault ? oneLine(result.text) : '',
  }
}

function textIn(parts: NonNullable<RunState['steps'][number]['parts']>): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

function oneLine(text: string): string {
  return lineOf(text.slice(0, 2_000).trim())
}
