/** The filter of the list of runs as the address holds it, as the server takes it, and in words. Pure. */
import type { RunListFilter } from '#components/data/runs'
import { plural } from '#components/run/figures'
import { statusWords } from '#components/run/status-words'
import { dayWords } from '#components/run/when'
import { type RunStatus, runStatus } from '#lib/spec/event'
import { type RunSort, runSort } from '#lib/spec/run-sort'

export interface ListFilter {
  readonly search?: string
  readonly agent?: string
  readonly status?: RunStatus
  readonly model?: string
  readonly tool?: string
  readonly feedback?: 'up' | 'down' | 'any'
  readonly failed?: '1'
  readonly costFrom?: number
  readonly costTo?: number
  /** Days of the person's calendar, both included: `2026-11-22`. */
  readonly since?: string
  readonly until?: string
  readonly sort?: RunSort
}

const dayPattern = /^\d{4}-\d{2}-\d{2}$/
const dayMs = 24 * 60 * 60 * 1_000
export const feedbackWords = { any: 'Rated', up: 'Rated good', down: 'Rated bad' } as const

/** What the address does not hold in a readable form is left out. */
export function readFilter(params: Pick<URLSearchParams, 'get'>): ListFilter {
  const text = (name: string, longest: number) => params.get(name)?.slice(0, longest) || undefined
  const amount = (name: string) => {
    const value = Number(params.get(name) || Number.NaN)
    return Number.isFinite(value) && value >= 0 ? value : undefined
  }
  const day = (name: string) => {
    const value = params.get(name) ?? ''
    return dayPattern.test(value) && !Number.isNaN(startOf(value)) ? value : undefined
  }
  const one = <T extends string>(name: string, options: readonly T[]) =>
    options.find((each) => each === params.get(name))
  return onlyGiven({
    search: text('search', 200),
    agent: text('agent', 64),
    status: one('status', runStatus.options),
    model: text('model', 300),
    tool: text('tool', 200),
    feedback: one('feedback', ['up', 'down', 'any']),
    failed: one('failed', ['1']),
    costFrom: amount('costFrom'),
    costTo: amount('costTo'),
    since: day('since'),
    until: day('until'),
    sort: one('sort', runSort.options),
  })
}

/** The query of the address, without a question mark; empty for no filter. */
export function writeFilter(filter: ListFilter): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(filter))
    if (value !== undefined && !(key === 'sort' && value === 'newest')) params.set(key, String(value))
  return params.toString()
}

export function toQuery({ since, until, ...rest }: ListFilter): RunListFilter {
  return {
    ...rest,
    ...(since !== undefined && { since: startOf(since) }),
    // Days may have 23 or 25 hours, so the end is the beginning of the day after.
    ...(until !== undefined && { until: startOf(dayAfter(until)) }),
  }
}

export function isFiltered({ sort: _, ...filter }: ListFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

/** Leaves out what is undefined: an absent key and an undefined one are different keys of a query. */
export function onlyGiven(
  filter: { readonly [K in keyof ListFilter]: ListFilter[K] | undefined },
): ListFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
}

/** Every filter that is on, in words. */
export function filterWords(filter: ListFilter, agentTitle = 'A deleted agent'): string[] {
  const { search, agent, status } = filter
  return [
    ...(search === undefined ? [] : [`“${search}”`]),
    ...(agent === undefined ? [] : [agentTitle]),
    ...(status === undefined ? [] : [statusWords[status].word]),
    ...chipsOf(filter).map(({ words }) => words),
  ]
}

export interface FilterChip {
  readonly key: string
  readonly words: string
  /** The filter without it. */
  readonly rest: ListFilter
}

/** The filters that have no field of their own in sight. */
export function chipsOf(filter: ListFilter): FilterChip[] {
  const { model, tool, feedback, failed, costFrom, costTo, since, until } = filter
  const chip = (words: string | undefined, ...keys: (keyof ListFilter)[]): FilterChip[] =>
    words === undefined
      ? []
      : [
          {
            key: keys.join(),
            words,
            rest: onlyGiven({ ...filter, ...Object.fromEntries(keys.map((key) => [key, undefined])) }),
          },
        ]
  return [
    ...chip(model, 'model'),
    ...chip(tool && `Called ${tool}`, 'tool'),
    ...chip(failed && 'With failed calls', 'failed'),
    ...chip(feedback && feedbackWords[feedback], 'feedback'),
    ...chip(
      range('Cost', costFrom && `$${costFrom}`, costTo === undefined ? undefined : `$${costTo}`),
      'costFrom',
      'costTo',
    ),
    ...chip(
      range('Started', since && dayWords(since), until === undefined ? undefined : dayWords(until)),
      'since',
      'until',
    ),
  ]
}

function range(what: string, from: string | 0 | undefined, to: string | undefined): string | undefined {
  if (from && to !== undefined) return from === to ? `${what} ${from}` : `${what} ${from} to ${to}`
  if (from) return `${what} from ${from}`
  return to === undefined ? undefined : `${what} up to ${to}`
}

/** "3 runs found": what the list's total means. */
export function totalWords(total: number, filter: ListFilter): string {
  return isFiltered(filter) ? `${plural(total, 'run')} found` : plural(total, 'run')
}

export const statusOptions = runStatus.options.map((each) => ({ value: each, label: statusWords[each].word }))

/** The next order when a head is pressed: highest first, lowest first, newest first. */
export function nextSort(head: 'cost' | 'duration' | 'steps' | 'newest', now: RunSort = 'newest'): RunSort {
  if (head === 'newest') return now === 'newest' ? 'oldest' : 'newest'
  if (now === head) return `${head}_asc`
  return now === `${head}_asc` ? 'newest' : head
}

/** The midnight at which the day begins by the person's clock. */
function startOf(day: string): number {
  return new Date(`${day}T00:00:00`).getTime()
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10)
}
