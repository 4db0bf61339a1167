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

/** The names of the unfinished calls, what they wait for when none of them is running, and whether all run in the background. */
export function openCallWords(calls: readonly CallState[]): string {
  const names = [...new Set(calls.map(callName))].join(', ')
  const wait = calls.find((call) => call.wait !== undefined)?.wait
  const isAtWork = calls.some((call) => call.status === 'running' && call.wait === undefined)
  if (wait !== undefined && !isAtWork) return `${names}. ${waitWords(wait)}`
  // The step of such a call is over, so the run waits for nothing else.
  const isBackground = calls.length > 0 && calls.every(({ background }) => background !== undefined)
  return isBackground ? `${names} in the background` : names
}

/** With the persona that makes the call, if it has one. */
function callName({ name, persona }: CallState): string {
  const short = lineOf(name, longestName)
  return persona === undefined ? short : `${lineOf(persona, longestName)} (${short})`
}
