/** One row of the trace as data, with what holds unless it says otherwise. */
import type { Artifact } from '#lib/spec/artifact'
import { lineLength, lineOf } from '#lib/spec/line'
import type { CallState } from '#lib/spec/state'

/** A bar of the waterfall; `end` is null while it still grows. `firstAt` splits a model's bar into waiting and streaming. */
export interface Bar {
  readonly kind: 'step' | 'model' | 'tool' | 'policy' | 'wait'
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
  /** Stable over the whole run: what is collapsed and selected is kept by it. */
  readonly id: string
  readonly kind: RowKind
  readonly depth: 0 | 1 | 2
  /** 0 for rows that stand before and after the steps. */
  readonly step: number
  readonly title: string
  readonly detail: string
  readonly tone: RowTone
  readonly bar: Bar | null
  /** Bars beside it: a wait before a call ran, and all that a folded step holds. */
  readonly beside?: readonly Bar[]
  /** Milliseconds since 1970: when it came to be; null where that is not known. */
  readonly at: number | null
  readonly tokens: number | null
  /** We counted the tokens, for the provider told none. */
  readonly isEstimated?: boolean
  /** US dollars; null where no price is known. */
  readonly cost: number | null
  readonly ms: number | null
  /** A few words at the end of the line: which attempt this is, what a folded step brought. */
  readonly tail?: string
  /** Milliseconds since 1970: when what failed is tried again, while that is awaited. */
  readonly until?: number
  /** While a person is waited for: when that ends, or null when they may take any time. */
  readonly expiresAt?: number | null
  /** Taken over by a fork: it happened in another run. */
  readonly isCopied?: boolean
  /** Tells of words that the model was told beside the dialogue. */
  readonly isNote?: boolean
  /** Present when the row can be folded away. */
  readonly open?: boolean
  /** All that the line tells the beginning of. */
  readonly words?: string
  /** The tool it belongs to, where it is not the call itself. */
  readonly tool?: string
  readonly call?: CallState
  readonly artifact?: Artifact
}

type Draft = Pick<Row, 'id' | 'kind' | 'title'> & Partial<Row>

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

/** What a line that was cut tells the beginning of; a call has its own words. */
function wordsOf({ words, call, title, detail = '' }: Draft): string | undefined {
  if (words !== undefined || call !== undefined) return words
  return Math.max(title.length, detail.length) <= lineLength
    ? undefined
    : [title, detail].filter(Boolean).join('\n\n')
}

const noFigures = { tokens: null, cost: null, ms: null }

/** Whether two rows show the same; bars are compared by what they are. */
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

/** Whether a bar of it still grows. */
export function isMoving({ bar, beside }: Row): boolean {
  return bar?.end === null || beside?.some((each) => each.end === null) === true
}
