/** The words for a call or run that waits in a queue, with how many are ahead. Pure. */
import type { CallWait } from '#lib/spec/event'
import { lineOf } from '#lib/spec/line'
import type { CallState } from '#lib/spec/state'

/** Characters of a tool's name: a model may invent a very long one. */
export const longestName = 100

/** `Waiting for a free sandbox (2 ahead)`. */
export function waitWords({ for: what, ahead }: CallWait): string {
  return `Waiting for a free ${what} (${aheadWords(ahead)})`
}

/** `Queued, 3 ahead`; without the number where it is not known. */
export function queuedWords(ahead: number | undefined): string {
  return ahead === undefined ? 'Queued' : `Queued, ${aheadWords(ahead)}`
}

function aheadWords(ahead: number): string {
  return ahead === 0 ? 'next in line' : `${ahead} ahead`
}

/** The names of the unfinished calls, and what they wait for when none of them is running. */
export function openCallWords(calls: readonly CallState[]): string {
  const names = [...new Set(calls.map((call) => lineOf(call.name, longestName)))].join(', ')
  const wait = calls.find((call) => call.wait !== undefined)?.wait
  const isAtWork = calls.some((call) => call.status === 'running' && call.wait === undefined)
  return wait === undefined || isAtWork ? names : `${names}. ${waitWords(wait)}`
}
