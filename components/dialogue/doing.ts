/** What a run is doing and did, one line each, for readers who want the answer more than the trace. Pure. */
import { plural, streamedArguments } from '#components/run/figures'
import { longestName, openCallWords, queuedWords } from '#components/run/wait-words'
import { type Phase, phaseOf } from '#lib/agent/state/reading'
import { argumentsLine, lineOf } from '#lib/spec/line'
import type { CallState, RunState } from '#lib/spec/state'
import type { SteeredWords } from '#lib/wire/runs'

/**
 * For example `Step 2: sql.execute`; null once the run is over.
 * @param ahead how many runs begin before it, while it is queued
 */
export function doingNow(state: RunState, ahead?: number): string | null {
  const phase = phaseOf(state)
  const say = (what: string) => ('step' in phase ? `Step ${phase.step.number}: ${what}` : what)
  const sayOfModel = (what: string) =>
    say('step' in phase && phase.step.summary ? 'answering with what it has' : what)
  switch (phase.at) {
    case 'ended':
      return null
    case 'queued':
      return queuedWords(ahead)
    case 'new':
    case 'starting':
      return 'Starting'
    case 'waiting':
      return say(`${namesOf(phase.waiting)} waits for you`)
    case 'calling':
      return callingWords(phase)
    case 'retrying':
      return sayOfModel('waiting, then retrying the model')
    case 'thinking':
      return sayOfModel('the model is thinking')
    case 'answering':
      return sayOfModel('the model is writing')
  }
  return phase satisfies never
}

/** The calls at work, although others may wait for a person. */
export function callingWords({ step, open }: Extract<Phase, { at: 'calling' | 'waiting' }>): string {
  return `Step ${step.number}: ${openCallWords(open)}`
}

function namesOf(calls: readonly CallState[]): string {
  return [...new Set(calls.map((call) => lineOf(call.name, longestName)))].join(', ')
}

/** For example `3 steps, 4 calls`; null where there was nothing but an answer. */
export function didWords(steps: number, calls: number): string | null {
  if (calls === 0 && steps <= 1) return null
  return calls === 0 ? plural(steps, 'step') : `${plural(steps, 'step')}, ${plural(calls, 'call')}`
}

/** What a person said to the run while it was under way. */
export interface SaidLine {
  readonly text: string
  /** `unread`: the run ended first. */
  readonly at: 'read' | 'waiting' | 'unread'
  /** The step that read it; null for the others. */
  readonly step: number | null
}

export function saidLines({ steps, steered = [], finishedAt }: RunState): SaidLine[] {
  const read = steps.flatMap(({ number, steered: words = [] }) =>
    words.map(({ text }): SaidLine => ({ text, at: 'read', step: number })),
  )
  const at = finishedAt === undefined ? 'waiting' : 'unread'
  return [...read, ...steered.map(({ text }): SaidLine => ({ text, at, step: null }))]
}

/** The same for a run that has ended, as the server tells it. */
export function storedLines(said: readonly SteeredWords[]): SaidLine[] {
  return said.map(({ text, step }) => ({ text, at: step === null ? 'unread' : 'read', step }))
}

export interface StepLine {
  readonly number: number
  /** What a person said that this step was the first to read; absent when it was nothing. */
  readonly said?: readonly string[]
  /** The model's text before its calls; empty where there was none. */
  readonly thought: string
  readonly calls: readonly CallLine[]
}

export interface CallLine {
  readonly id: string
  readonly name: string
  readonly args: string
  readonly status: CallState['status']
  readonly isInBackground?: true
  /** Null while it runs. */
  readonly ms: number | null
  /** Why the call failed; empty when it succeeded. */
  readonly fault: string
}

/** The steps that made calls or read what a person said. The text of the last step is the answer, which is shown below them. */
export function stepLines(state: RunState): StepLine[] {
  return state.steps
    .filter((step) => step.calls.length > 0 || step.steered !== undefined)
    .map(({ number, parts, live, calls, steered }) => ({
      number,
      ...(steered && { said: steered.map(({ text }) => oneLine(text)) }),
      thought: calls.length === 0 ? '' : oneLine(parts === undefined ? live.text : textIn(parts)),
      calls: calls.map(callLine),
    }))
}

function callLine({ id, name, args, rawArgs, status, result, durationMs, background }: CallState): CallLine {
  const isFault = result !== undefined && status !== 'ok'
  return {
    id,
    name: lineOf(name, longestName),
    args: lineOf(args === undefined ? streamedArguments(rawArgs) : argumentsLine(args)),
    status,
    ...(background !== undefined && { isInBackground: true }),
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
