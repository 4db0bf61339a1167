/** What a fork keeps and what runs again, in words, and which changes a step allows. Pure. */
import { plural } from '#components/run/figures'
import type { ForkEdit } from '#lib/spec/event'
import type { CallState, CompactionState, StepState } from '#lib/spec/state'

/** `again` repeats the step without a change. */
export type ForkWay = 'again' | ForkEdit

const labels: Record<ForkWay, string> = {
  again: 'Nothing',
  prompt: 'Question',
  reply: 'Reply',
  args: 'Arguments',
  result: 'Result',
  summary: 'Summary',
}

/** The changes that a step allows; `agent` is the one whose step it is, where another one called it. */
export function waysOf(step: StepState, agent?: string): { value: ForkWay; label: string }[] {
  // The task of an agent that another one called is in the arguments of that call.
  const ways: ForkWay[] = agent === undefined ? ['again', 'prompt'] : ['again']
  if (step.request !== undefined) ways.push('reply')
  if (callsFor('args', step).length > 0) ways.push('args')
  if (callsFor('result', step).length > 0) ways.push('result')
  if (summaryOf(step) !== undefined) ways.push('summary')
  return ways.map((value) => ({ value, label: labels[value] }))
}

/** The last cut before the step's request that put a summary in place of earlier steps. */
export function summaryOf({ compacted = [] }: StepState): CompactionState | undefined {
  return compacted.findLast(({ summary }) => summary !== undefined)
}

/** The calls that a change can apply to. */
export function callsFor(way: ForkWay, step: StepState): readonly CallState[] {
  if (way === 'args') return step.parts === undefined ? [] : step.calls
  if (way !== 'result') return []
  // The result of a call in the background is read in a later step, so it cannot be changed in this one.
  return step.calls.filter(({ result, background }) => result !== undefined && background === undefined)
}

export interface ForkOf {
  readonly step: StepState
  readonly call: CallState | undefined
  /** The agent whose step it is, where another one called it. */
  readonly agent?: string | undefined
}

/** What is kept, and what happens next. */
export function forkWords(way: ForkWay, { step, call, agent }: ForkOf): string[] {
  const own = ownWords(way, step, call)
  if (agent === undefined) return own
  const around = `These steps belong to ${agent}, which another agent called. The fork continues that call from this step. Calls that ran at the same time keep their results if they had finished. If not, they run again.`
  const after = `What ${agent} answers is the result of its call, in the trace of the fork. The answer of the fork comes from the agent that made the call.`
  return step.number === 1 && way === 'again'
    ? [`${agent} starts over with the same task.`, around, after]
    : [...own, around, after]
}

function ownWords(way: ForkWay, step: StepState, call: CallState | undefined): string[] {
  const { number } = step
  const before = number === 1 ? null : number === 2 ? 'Step 1 is' : `Steps 1 to ${number - 1} are`
  const kept = before === null ? [] : [`${before} kept and not run again.`]
  switch (way) {
    case 'again':
      return before === null
        ? ['Starts over with the same question.']
        : [...kept, `Step ${number} is sent to the model again.`]
    case 'prompt':
      return ['Starts over with your question, after the same earlier dialogue. No step is kept.']
    case 'reply':
      return [...kept, `At step ${number} your reply is used instead of asking the model.`]
    case 'summary':
      return [
        ...kept,
        `Step ${number} is sent to the model again, with your summary in place of ${stepsIn(step)}.`,
      ]
    case 'args': {
      const others = step.calls.length - 1
      const more =
        others === 0
          ? ''
          : others === 1
            ? ', and so does the other call of the step'
            : `, and so do the ${others} other calls of the step`
      return [...kept, `Step ${number} keeps what the model said. This call runs with your arguments${more}.`]
    }
    case 'result': {
      const due = step.calls.filter((each) => (each.endSeq ?? Infinity) > (call?.endSeq ?? 0)).length
      const more =
        due > 0 ? ` ${plural(due, 'call')} that ended later ${due === 1 ? 'runs' : 'run'} again.` : ''
      return [
        ...kept,
        `Step ${number} keeps its calls up to this one, which is not run: your text is its result.${more}`,
      ]
    }
  }
  return way satisfies never
}

/** The steps that a summary replaces: `steps 1 to 7`. */
export function stepsIn(step: StepState): string {
  const { from = 1, to = 1 } = summaryOf(step) ?? {}
  return from === to ? `step ${from}` : `steps ${from} to ${to}`
}
