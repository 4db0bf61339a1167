/**
 * Two runs next to each other: where they first differ, and what each did in every step. Each step is looked at
 * once. Pure.
 */
import { argumentsText, count, duration, plural, usd } from '#components/run/figures'
import { ownMs } from '#components/run/retime'
import { statusWords } from '#components/run/status-words'
import { observationLine } from '#components/trace/call-rows'
import { isObject, type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import { lineOf } from '#lib/spec/line'
import { textOf } from '#lib/spec/message'
import type { CallState, RunState, StepState } from '#lib/spec/state'

/** One thing that a run did in a step. */
export interface Deed {
  readonly kind: 'text' | 'call' | 'result'
  /** For a call and its result. */
  readonly tool?: string
  readonly text: string
  /** A few words for the sentence, where `text` is data: `42 rows: country, total`. */
  short?(): string
  readonly isFailure?: boolean
}

export interface ComparedStep {
  readonly number: number
  /** Null if the run had no such step. */
  readonly a: readonly Deed[] | null
  readonly b: readonly Deed[] | null
  readonly isSame: boolean
}

export interface Figure {
  readonly label: string
  readonly a: string
  readonly b: string
  /** What the second run has more or less; empty if both are the same or cannot be subtracted. */
  readonly change: string
}

export interface Comparison {
  readonly steps: readonly ComparedStep[]
  /** The place in `steps` of the first difference; null if all steps are the same. */
  readonly first: number | null
  /** The first difference in words. */
  readonly words: string
  readonly figures: readonly Figure[]
}

export function compareRuns(a: RunState, b: RunState): Comparison {
  const length = Math.max(a.steps.length, b.steps.length)
  const steps = Array.from({ length }, (_, at) => compareSteps(at + 1, a.steps[at], b.steps[at]))
  const found = steps.findIndex(({ isSame }) => !isSame)
  const first = found < 0 ? null : found
  return { steps, first, words: differenceWords({ a, b, steps, first }), figures: figuresOf(a, b) }
}

function compareSteps(number: number, a: StepState | undefined, b: StepState | undefined): ComparedStep {
  const ofA = a === undefined ? null : deedsOf(a)
  const ofB = b === undefined ? null : deedsOf(b)
  const isSame = ofA !== null && ofB !== null && firstOther(ofA, ofB) === null
  return { number, a: ofA, b: ofB, isSame }
}

/** The step's text, then its calls with their results, in order. */
function deedsOf({ parts = [], calls }: StepState): Deed[] {
  const text = textOf(parts)
  return [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...calls.flatMap(deedsOfCall)]
}

function deedsOfCall({ name, args, rawArgs, result, status }: CallState): Deed[] {
  const call: Deed =
    args === undefined
      ? { kind: 'call', tool: name, text: rawArgs }
      : { kind: 'call', tool: name, text: argumentsText(args), short: () => argumentWords(args) }
  if (result === undefined) return [call]
  const isFailure = status !== 'ok'
  return [
    call,
    { kind: 'result', tool: name, text: result.text, short: () => resultWords(result), isFailure },
  ]
}

/** Arguments with their structure in words: `sql: SELECT 1, filters: 2 values`. */
function argumentWords(args: JsonObject): string {
  return Object.entries(args)
    .map(([key, value]) => `${key}: ${valueWords(value)}`)
    .join(', ')
}

function resultWords(result: NonNullable<CallState['result']>): string {
  const read = tryParseJson(result.text)
  return typeof read === 'object' && read !== null ? valueWords(read) : observationLine(result)
}

/** A list or an object by its size; any other value as it is. */
function valueWords(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${count(value.length)}`
  if (!isObject(value)) return typeof value === 'string' ? value : String(value)
  const keys = Object.keys(value)
  return keys.length === 0 ? 'an empty object' : `an object with ${keys.join(', ')}`
}

/** The place of the first deed that is not the same; null if there is none. */
function firstOther(a: readonly Deed[], b: readonly Deed[]): number | null {
  const length = Math.max(a.length, b.length)
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a[at], b[at]]
    if (one?.kind !== other?.kind || one?.tool !== other?.tool || one?.text !== other?.text) return at
  }
  return null
}

interface Difference {
  readonly a: RunState
  readonly b: RunState
  readonly steps: readonly ComparedStep[]
  readonly first: number | null
}

function differenceWords({ a, b, steps, first }: Difference): string {
  const asked = a.start.input === b.start.input ? '' : 'The questions differ. '
  if (first === null) {
    if (a.answer !== b.answer) return `${asked}Every step is the same, but the answers differ.`
    if (a.status !== b.status) return `${asked}Every step is the same, but the runs ended differently.`
    return asked === ''
      ? 'Both runs took the same steps and gave the same answer.'
      : `${asked}Both runs took the same steps and gave the same answer.`
  }
  const step = steps[first]
  const start = first === 0 ? 'Different from step 1.' : `Same until step ${first + 1}.`
  if (step === undefined) return `${asked}${start}`
  const ofA = step.a ?? []
  const ofB = step.b ?? []
  const at = firstOther(ofA, ofB) ?? 0
  const [wordsA, wordsB] = [deedWords(step.a, at), deedWords(step.b, at)]
  // The beginnings of two long texts, or two lists of one length.
  if (wordsA === wordsB) return `${asked}${start} Then both ${wordsA}, but with different contents.`
  return `${asked}${start} ${endSentence(`Then A ${wordsA}, B ${wordsB}`)}`
}

/** Words that a run wrote may be cut, or may end a sentence of their own. */
function endSentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`
}

/** Characters of arguments or text in the sentence. */
const longest = 90

function deedWords(deeds: readonly Deed[] | null, at: number): string {
  if (deeds === null) return 'had already ended'
  const deed = deeds[at]
  if (deed === undefined) return at === 0 ? 'said nothing' : 'did nothing more in this step'
  const text = lineOf(deed.short?.() ?? deed.text, longest)
  switch (deed.kind) {
    case 'text':
      return `wrote “${text}”`
    case 'call':
      return text === '' ? `called ${deed.tool}` : `called ${deed.tool} with ${text}`
    case 'result':
      return deed.isFailure ? `got an error from ${deed.tool}: ${text}` : `got ${text} from ${deed.tool}`
  }
  return deed.kind satisfies never
}

const failures: ReadonlySet<CallState['status']> = new Set(['error', 'timeout', 'unknown'])

function figuresOf(a: RunState, b: RunState): Figure[] {
  const both = <T>(read: (run: RunState) => T): [T, T] => [read(a), read(b)]
  const calls = ({ calls: all }: RunState) => [...all.values()]
  return [
    { label: 'Status', ...words(both(statusOf)) },
    {
      label: 'Agent',
      ...words(
        both(
          ({ start: { agent } }) =>
            `${agent.name} ${agent.version === 'draft' ? 'draft' : `v${agent.version}`}`,
        ),
      ),
    },
    {
      label: 'Model',
      ...words(both(({ model }) => (model === undefined ? 'none' : `${model.provider}/${model.name}`))),
    },
    {
      label: 'Steps',
      ...amounts(
        both((run) => run.steps.length),
        count,
      ),
    },
    {
      label: 'Calls',
      ...amounts(
        both((run) => run.calls.size),
        count,
      ),
    },
    {
      label: 'Failed calls',
      ...amounts(
        both((run) => calls(run).filter(({ status }) => failures.has(status)).length),
        count,
      ),
    },
    {
      label: 'Tokens in',
      ...amounts(
        both(({ usage }) => usage.input),
        count,
      ),
    },
    {
      label: 'Tokens out',
      ...amounts(
        both(({ usage }) => usage.output),
        count,
      ),
    },
    {
      label: 'Cost',
      ...amounts(
        both(({ costUsd }) => costUsd),
        usd,
      ),
    },
    { label: 'Time', ...amounts(both(ownMs), duration) },
  ]
}

function statusOf({ status }: RunState): string {
  return status === 'new' ? 'Queued' : statusWords[status].word
}

function words([a, b]: [string, string]): Omit<Figure, 'label'> {
  return { a, b, change: '' }
}

function amounts(
  [a, b]: [number | null, number | null],
  text: (value: number) => string,
): Omit<Figure, 'label'> {
  const shown = (value: number | null) => (value === null ? 'not known' : text(value))
  if (a === null || b === null || a === b) return { a: shown(a), b: shown(b), change: '' }
  return { a: shown(a), b: shown(b), change: `${b > a ? '+' : '−'}${text(Math.abs(b - a))}` }
}

/** The steps before the first difference, in words: they are folded away. */
export function sameWords(first: number): string {
  return first === 1 ? 'Step 1 is the same' : `Steps 1 to ${count(first)} are the same`
}

/** "12 more steps" for what is not shown yet. */
export function moreWords(left: number): string {
  return `Show ${plural(left, 'more step')}`
}
