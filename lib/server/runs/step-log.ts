/** One line for the server's log about a finished step: figures and names only, never what was said. */
import type { EventOf } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

export function stepLine(
  runId: string,
  { start, steps }: RunState,
  { step: number, usage, durationMs }: EventOf<'step.finished'>,
): string {
  const step = steps[number - 1]
  const calls = (step?.calls ?? []).map(
    ({ name, status, durationMs: ms }) => `${plain(name)} ${status} ${ms} ms`,
  )
  const of = step === undefined ? '' : `/${step.maxSteps}`
  const what = calls.length === 0 ? 'no calls' : calls.join(', ')
  const tokens = `${usage.input} tokens in, ${usage.output} out`
  return `${runId} ${start.agent.name} step ${number}${of}: ${what}; ${tokens}; ${durationMs} ms`
}

/** A model may write any name, and a line break in it would forge a line of the log. */
function plain(name: string): string {
  const shown = name.replace(/\p{C}/gu, '?')
  return shown.length <= 80 ? shown : `${shown.slice(0, 79)}…`
}
