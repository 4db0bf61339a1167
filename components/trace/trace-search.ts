/** What a person looks for in the trace: which rows hold the words, and which kinds of rows are kept. Pure. */

import { argumentsText } from '#components/run/figures'
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
  /** Name of the tool whose calls are kept; null keeps those of all. */
  readonly tool: string | null
  /** Whether rows are shown that tell of notes to the model. */
  readonly notes: boolean
}

export const noFilter: Filter = { facets: new Set(), tool: null, notes: true }

/** Null where the filter keeps all. */
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

/** Matches of steps that are over, by what was looked for last. */
type Known = WeakMap<StepState, { readonly key: object; readonly found: readonly Match[] }>

/** Looks for words in rows, folded away or not; steps that are over are searched once for the same words. */
export function createSearch(): (state: RunState, look: SearchLook) => Match[] {
  const known: Known = new WeakMap()
  return (state, look) => [
    ...matchesIn(headRows(state, nothingFolded), look),
    ...state.steps.flatMap((step) => matchesOfStep(state, step, look, known)),
    ...matchesIn(lastRows(state), look),
  ]
}

/** The same object as long as the same is looked for. */
export interface SearchLook {
  readonly query: string
  readonly keep: ((row: Row) => boolean) | null
}

function matchesOfStep(state: RunState, step: StepState, look: SearchLook, known: Known): readonly Match[] {
  const kept = known.get(step)
  if (kept?.key === look) return kept.found
  const found = matchesIn(rowsOfStep(state, step, nothingFolded), look)
  if (step.finishedAt !== undefined) known.set(step, { key: look, found })
  return found
}

function matchesIn(rows: readonly Row[], { query, keep }: SearchLook): Match[] {
  const pattern = patternOf(query)
  return rows
    .filter((each) => (keep === null || keep(each)) && wordsOf(each).some((words) => pattern.test(words)))
    .map(({ id, step }) => ({ id, step }))
}

/** Letters large and small alike, with no copy made of what is searched, which may be megabytes. */
function patternOf(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

/** All that a row stands for, in words. */
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

/** Arguments that are complete do not change: they are written out once. */
const written = new WeakMap<JsonObject, string>()

function argumentsOf({ args, argsText, rawArgs }: CallState): string {
  if (args === undefined) return argsText || rawArgs
  const known = written.get(args)
  if (known !== undefined) return known
  const text = argumentsText(args)
  written.set(args, text)
  return text
}
