/** The state of a run in one sentence, for people who cannot see the canvas. Pure. */

import { statusWords } from '#components/run/status-words'
import { longestName } from '#components/run/wait-words'
import { isWithheld, resultWithheld } from '#components/trace/call-rows'
import { phaseOf } from '#lib/agent/state/reading'
import { lineOf } from '#lib/spec/line'
import type { CallState, RunState, StepState } from '#lib/spec/state'

export function runWords(state: RunState | null): string {
  if (state === null) return ''
  const phase = phaseOf(state)
  switch (phase.at) {
    case 'new':
      return ''
    case 'ended':
      return `Run ${statusWords[phase.status].word.toLowerCase()}.`
    case 'queued':
      return 'Run queued.'
    case 'starting':
      return 'Run started.'
    case 'waiting':
      return `Step ${phase.step.number}: ${namesOf(phase.waiting.slice(0, 1))} waits for you.`
    case 'calling':
      return callingWords(phase.step, phase.open)
    case 'retrying':
    case 'thinking':
    case 'answering':
      return stepWords(phase.step)
  }
  return phase satisfies never
}

function callingWords(step: StepState, open: readonly CallState[]): string {
  const running = open.filter((each) => each.status === 'running')
  if (running.length === 0) return stepWords(step)
  return `Step ${step.number}: ${namesOf(running)} ${running.length === 1 ? 'is' : 'are'} running.`
}

function stepWords(step: StepState): string {
  const failed = step.calls.find((each) => each.status === 'error' || each.status === 'denied')
  if (failed !== undefined) {
    const how = failed.status === 'denied' ? 'was denied' : 'failed'
    return `Step ${step.number}: ${namesOf([failed])} ${isWithheld(failed) ? resultWithheld : how}.`
  }
  return step.answeredAt === undefined ? `Step ${step.number}: the model is answering.` : ''
}

function namesOf(calls: readonly CallState[]): string {
  return calls.map(({ name }) => lineOf(name, longestName)).join(', ')
}
