/** One row of the trace as data, with what holds unless it says otherwise. */
import type { Artifact } from '#lib/spec/artifact'
import type { CallState } from '#lib/spec/state'

/** A bar of the waterfall; `end` is null while it still grows. `firstAt` splits a model's bar into waiting and streaming. */
export interface Bar {
  readonly kind: 'step' | 'model' | 'tool' | 'policy'
  readonly start: number
  readonly end: number | null
  readonly firstAt?: number | null
}

export type RowTone = 'plain' | 'working' | 'ok' | 'error' | 'denied' | 'muted'

export interface Row {
  /** Stable over the whole run: what is collapsed and selected is kept by it. */
  readonly id: string
  readonly kind:
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
  readonly depth: 0 | 1 | 2
  /** 0 for rows that stand before and after the steps. */
  readonly step: number
  readonly title: string
  readonly detail: string
  readonly tone: RowTone
  readonly bar: Bar | null
  readonly tokens: number | null
  /** We counted the tokens, for the provider told none. */
  readonly isEstimated?: boolean
  /** US dollars; null where no price is known. */
  readonly cost: number | null
  readonly ms: number | null
  /** One word at the end of the line: which attempt this is. */
  readonly tail?: string
  /** Milliseconds since 1970: when what failed is tried again, while that is awaited. */
  readonly until?: number
  /** Present when the row can be folded away. */
  readonly open?: boolean
  readonly call?: CallState
  readonly artifact?: Artifact
}

type Draft = Pick<Row, 'id' | 'kind' | 'title'> & Partial<Row>

export function row(draft: Draft): Row {
  return { depth: 0, step: 0, detail: '', tone: 'plain', bar: null, ...noFigures, ...draft }
}

const noFigures = { tokens: null, cost: null, ms: null }
