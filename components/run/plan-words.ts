/** Words and icons for the plan of a run. */
import { type Plan, type PlanStatus, planProgress } from '#lib/spec/plan'

export const planStatusWords: Readonly<Record<PlanStatus, { word: string; icon: string }>> = {
  todo: { word: 'to do', icon: 'circle' },
  in_progress: { word: 'in progress', icon: 'loader-circle' },
  done: { word: 'done', icon: 'circle-check' },
  blocked: { word: 'blocked', icon: 'circle-x' },
  abandoned: { word: 'abandoned', icon: 'circle-minus' },
}

/** How far the plan is: `2 of 5 done`, and how it ended. */
export function planFigures(plan: Plan): string {
  const { done, total } = planProgress(plan)
  const ended = plan.ended === undefined ? '' : plan.ended === 'done' ? ', finished' : ', abandoned'
  return `${done} of ${total} done${ended}`
}

/** The text of the step in progress; empty when there is none. */
export function planNow(plan: Plan): string {
  const { current } = planProgress(plan)
  return plan.ended === undefined ? (plan.steps[current]?.text ?? '') : ''
}

/** The whole plan as text, one line a step. */
export function planLines({ title, steps }: Plan): string {
  return [
    title,
    ...steps.map(({ text, status }, at) => `${at + 1}. ${text}: ${planStatusWords[status].word}`),
  ].join('\n')
}
