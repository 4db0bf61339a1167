/**
 * What a person searches for in the trace: which rows match the text, and which kinds of rows are shown.
 * Pure.
 */

import { argumentsText } from '#components/run/figures'
import { isSettled } from '#lib/agent/state/reading'
import type { JsonObject } from '#lib/spec/json'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import type { Row } from './row'
import { headRows, lastRows, rowsOfStep } from './rows'

export const facets = [
  { id: 'errors', label: 'Errors' },
  { id: 'calls', label: 'Calls' },
  { id: 'rulings', label: 'Rulings' },
  { id: 'thoughts', label: 'Thoughts' },
] as const
export type Facet = (typeof facets)[number]['id']

export interface Filter {
  readonly facets: ReadonlySet<Facet>
  /** Name of the tool whose calls are shown; null shows the calls of all tools. */
  readonly tool: string | null
  /** Whether rows that report notes to the model are shown. */
  readonly notes: boolean
}

export const noFilter: Filter = { facets: new Set(), tool: null, notes: true }

/** Null when the filter shows all rows. */
export function keepOf({ facets, tool, notes }: Filter): ((row: Row) => boolean) | null {
  if (facets.size === 0 && tool === null && notes) return null
  const wanted = [...facets]
  return (row) =>
    (notes || !row.isNote) &&
    (tool === null || toolOf(row) === tool) &&
    (wanted.length === 0 || wanted.some((each) => isOf(row, each)))
}

function toolOf({ tool, call }: Row): string | undefined {
  return tool ?? call?.name
}

function isOf({ kind, tone }: Row, facet: Facet): boolean {
  switch (facet) {
    case 'errors':
      return tone === 'error' || kind === 'retry'
    case 'calls':
      return kind === 'call' || kind === 'observation' || kind === 'file'
    case 'rulings':
      return kind === 'ruling' || tone === 'denied'
    case 'thoughts':
      return kind === 'thought' || kind === 'answer'
    default:
      return facet satisfies never
  }
}

export interface Match {
  readonly id: string
  readonly step: number
}

const nothingFolded: ReadonlySet<string> = new Set()

/** Matches in finished steps, for the latest search. */
type MatchCache = WeakMap<StepState, { readonly key: object; readonly found: readonly Match[] }>

/** Searches the rows, folded or not; for the same search, finished steps are searched only once. */
export function createSearch(): (state: RunState, look: SearchLook) => Match[] {
  const known: MatchCache = new WeakMap()
  return (state, look) => [
    ...matchesIn(headRows(state, nothingFolded), look),
    ...state.steps.flatMap((step) => matchesOfStep(state, step, look, known)),
    ...matchesIn(lastRows(state), look),
  ]
}

/** Must be the same object as long as the search is the same. */
export interface SearchLook {
  readonly query: string
  readonly keep: ((row: Row) => boolean) | null
}

function matchesOfStep(
  state: RunState,
  step: StepState,
  look: SearchLook,
  known: MatchCache,
): readonly Match[] {
  const kept = known.get(step)
  if (kept?.key === look) return kept.found
  const found = matchesIn(rowsOfStep(state, step, nothingFolded), look)
  if (isSettled(step)) known.set(step, { key: look, found })
  return found
}

function matchesIn(rows: readonly Row[], { query, keep }: SearchLook): Match[] {
  const pattern = patternOf(query)
  return rows
    .filter((each) => (keep === null || keep(each)) && wordsOf(each).some((words) => pattern.test(words)))
    .map(({ id, step }) => ({ id, step }))
}

/** Ignores case without copying the searched text, which may be megabytes long. */
function patternOf(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

/** All the text that a row represents. */
export function wordsOf(row: Row): readonly string[] {
  const { title, detail, words = '', call } = row
  const more =
    call === undefined
      ? words
      : row.kind === 'call'
        ? argumentsOf(call)
        : (call.result?.text ?? call.progress.text)
  return [`${title} ${detail}`, more]
}

/** Complete arguments do not change, so they are formatted once. */
const written = new WeakMap<JsonObject, string>()

function argumentsOf({ args, argsText, rawArgs }: CallState): string {
  if (args === undefined) return argsText || rawArgs
  const known = written.get(args)
  if (known !== undefined) return known
  const text = argumentsText(args)
  written.set(args, text)
  return text
}
