/** Where a run stands, in one sentence for who cannot see the canvas. Pure. */

import { statusWords } from '#components/run/status-words'
import { longestName } from '#components/run/wait-words'
import { isWithheld, resultWithheld } from '#components/trace/call-rows'
import { lineOf } from '#lib/spec/line'
import type { RunState } from '#lib/spec/state'

export function runWords(state: RunState | null): string {
  if (state === null || state.status === 'new') return ''
  if (state.finishedAt !== undefined) return `Run ${statusWords[state.status].word.toLowerCase()}.`
  if (state.status === 'queued') return 'Run queued.'
  const step = state.steps.at(-1)
  if (step === undefined) return 'Run started.'
  const waiting = step.calls.find((each) => each.status === 'waiting')
  if (waiting !== undefined) return `Step ${step.number}: ${lineOf(waiting.name, longestName)} waits for you.`
  const running = step.calls
    .filter((each) => each.status === 'running')
    .map((each) => lineOf(each.name, longestName))
  if (running.length > 0)
    return `Step ${step.number}: ${running.join(', ')} ${running.length === 1 ? 'is' : 'are'} running.`
  const failed = step.calls.find((each) => each.status === 'error' || each.status === 'denied')
  if (failed !== undefined) {
    const how = failed.status === 'denied' ? 'was denied' : 'failed'
    return `Step ${step.number}: ${lineOf(failed.name, longestName)} ${isWithheld(failed) ? resultWithheld : how}.`
  }
  return step.answeredAt === undefined ? `Step ${step.number}: the model is answering.` : ''
}
