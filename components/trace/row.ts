/** One row of the trace as data, and its defaults. */
import type { StepPlace } from '#components/data/client'
import type { Artifact } from '#lib/spec/artifact'
import { lineLength, lineOf } from '#lib/spec/line'
import type { CallState, RecallState } from '#lib/spec/state'

/**
 * A bar of the waterfall; `end` is null while it is growing. `firstAt` splits a model's bar into waiting and
 * streaming.
 */
export interface Bar {
  readonly kind: 'step' | 'model' | 'tool' | 'policy' | 'wait' | 'pause'
  readonly start: number
  readonly end: number | null
  readonly firstAt?: number | null
}

export type RowTone = 'plain' | 'working' | 'waiting' | 'ok' | 'error' | 'denied' | 'muted'

export type RowKind =
  | 'tools'
  | 'step'
  | 'retry'
  | 'thought'
  | 'ruling'
  | 'call'
  | 'observation'
  | 'file'
  | 'answer'
  | 'notice'

export interface Row {
  /** Stable during the whole run: it identifies folded and selected rows. */
  readonly id: string
  readonly kind: RowKind
  /** How far it is indented; rows of a run inside a call are deeper than the call. */
  readonly depth: number
  /** 0 for rows before and after the steps. */
  readonly step: number
  readonly title: string
  readonly detail: string
  readonly tone: RowTone
  readonly bar: Bar | null
  /** Further bars in the same row: the wait before a call ran, or everything in a folded step. */
  readonly beside?: readonly Bar[]
  /** When it happened, in milliseconds since 1970; null where that is not known. */
  readonly at: number | null
  readonly tokens: number | null
  /** The tokens were estimated here, because the provider reported none. */
  readonly isEstimated?: boolean
  /** US dollars; null where no price is known. */
  readonly cost: number | null
  readonly ms: number | null
  /** A few words at the end of the line: the number of the attempt, or the outcome of a folded step. */
  readonly tail?: string
  /** When a failed request is retried, in milliseconds since 1970; only while that wait lasts. */
  readonly until?: number
  /** While it waits for a person: when the wait ends, or null when there is no time limit. */
  readonly expiresAt?: number | null
  /** Copied by a fork: it happened in another run. */
  readonly isCopied?: boolean
  /** Reports a note that was sent to the model outside the chat history. */
  readonly isNote?: boolean
  /** Offers the test of the run's model. */
  readonly isModelTest?: true
  /** For a row of a run inside a call: the ids of the calls around that run, joined by `/`. */
  readonly parent?: string
  /** For a row of a run inside a call: the step of that run; absent for rows of no step. */
  readonly ownStep?: number
  /** What a fork from this row changes. */
  readonly edit?: 'summary'
  /** Present when the row can be folded. */
  readonly open?: boolean
  /** The title is the end of a text that is still growing. */
  readonly isTail?: true
  /** The full text of which the line shows the beginning. */
  readonly words?: string
  /** Who makes the call, as people read it. */
  readonly persona?: string
  /** The tool that the row belongs to, where the row is not a call itself. */
  readonly tool?: string
  readonly call?: CallState
  /** What was found in memory or knowledge, or recorded. */
  readonly recall?: RecallState
  readonly artifact?: Artifact
}

type Draft = Pick<Row, 'id' | 'kind' | 'title'> & Partial<Row>

/** The step that the row belongs to, of the run or of a run inside a call; null for a row of no step. */
export function placeOf({ step, parent, ownStep }: Row): StepPlace | null {
  if (parent === undefined) return step === 0 ? null : { step }
  return ownStep === undefined ? null : { step: ownStep, parent }
}

/** Makes a row. Its title and detail are shown on one line, so both are shortened here and their hidden characters made visible. */
export function row(draft: Draft): Row {
  const at = draft.bar?.start ?? null
  const title = lineOf(draft.title)
  const detail = lineOf(draft.detail ?? '')
  const whole = wordsOf(draft)
  return {
    depth: 0,
    step: 0,
    tone: 'plain',
    bar: null,
    at,
    ...noFigures,
    ...draft,
    title,
    detail,
    ...(whole !== undefined && { words: whole }),
    ...(draft.tail !== undefined && { tail: lineOf(draft.tail) }),
  }
}

/** The full text behind a shortened line; a call shows its own details. */
function wordsOf({ words, call, title, detail = '' }: Draft): string | undefined {
  if (words !== undefined || call !== undefined) return words
  return Math.max(title.length, detail.length) <= lineLength
    ? undefined
    : [title, detail].filter(Boolean).join('\n\n')
}

const noFigures = { tokens: null, cost: null, ms: null }

/** Whether two rows show the same; bars are compared by value. */
export function sameRow(a: Row, b: Row): boolean {
  if (a === b) return true
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof Row> // cast: keys of rows
  for (const key of keys) {
    if (key === 'bar' ? !sameBar(a.bar, b.bar) : key !== 'beside' && a[key] !== b[key]) return false
  }
  const [some = [], others = []] = [a.beside, b.beside]
  return some.length === others.length && some.every((each, index) => sameBar(each, others[index] ?? null))
}

function sameBar(a: Bar | null, b: Bar | null): boolean {
  if (a === null || b === null) return a === b
  return a.kind === b.kind && a.start === b.start && a.end === b.end && a.firstAt === b.firstAt
}

/** Whether one of its bars is still growing. */
export function isMoving({ bar, beside }: Row): boolean {
  return bar?.end === null || beside?.some((each) => each.end === null) === true
}
