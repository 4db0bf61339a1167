/** What the tools of a plan share: the plan as text, and changes of one step. */
import { isClosed, type Plan, type PlanBook, type PlanStatus, type PlanStep } from '#lib/spec/plan'
import { type PlanChange, refuse, type ToolContext, type ToolOutput, text } from '#lib/spec/tool'

/** The words of one set of tools for the statuses of a step. */
export type StatusWords = Readonly<Record<PlanStatus, string>>

/** The plan as the model reads it. Steps are numbered from 0, as its calls number them. */
export function planText(plan: Plan, words: StatusWords): string {
  const about = [
    `Plan: ${plan.title}`,
    ...(plan.description ? [plan.description] : []),
    ...(plan.expected ? [`Expected outcome: ${plan.expected}`] : []),
    ...(plan.ended ? [`The plan has ended: ${words[plan.ended]}.`] : []),
    ...(plan.outcome ? [`Outcome: ${plan.outcome}`] : []),
  ]
  return [...about, ...plan.steps.map((step, index) => stepText(step, index, words))].join('\n')
}

export function stepText(step: PlanStep, index: number, words: StatusWords): string {
  const { text: title, status, description, expected, note, outcome } = step
  const lines = [`${index}. [${words[status]}] ${title}`]
  const add = (label: string, value: string | undefined) => {
    if (value) lines.push(`   ${label}${value.replaceAll('\n', '\n   ')}`)
  }
  add('', description)
  add('Expected outcome: ', expected)
  add('Notes: ', note)
  add('Outcome: ', outcome)
  return lines.join('\n')
}

/** A new id, which no plan of the run has. */
export function nextPlanId({ plan, past }: PlanBook): string {
  const numbers = [...past, ...(plan === undefined ? [] : [plan])].map(({ id }) =>
    Number(id?.slice(prefix.length)),
  )
  return `${prefix}${Math.max(0, ...numbers.filter(Number.isInteger)) + 1}`
}
const prefix = 'plan_'

export function withStep(plan: Plan, index: number, change: Partial<PlanStep>): Plan {
  return { ...plan, steps: plan.steps.map((step, at) => (at === index ? { ...step, ...change } : step)) }
}

/** Why there is no step with this index; undefined when there is one. */
export function outOfRange({ steps }: Plan, index: number): string | undefined {
  if (index < steps.length) return undefined
  if (steps.length === 0) return `There is no step ${index}: the plan has no steps.`
  return `There is no step ${index}: the steps of the plan are 0 to ${steps.length - 1}.`
}

/** The first step after which nothing keeps it from being begun; -1 when all are closed. */
export function firstOpen({ steps }: Plan): number {
  return steps.findIndex((step) => !isClosed(step))
}

export function isAllClosed({ steps }: Plan): boolean {
  return steps.every(isClosed)
}

/** Makes the change, and answers with `said` and what `shown` shows of the plan. */
export async function answerChange(
  { plan: desk }: ToolContext,
  change: PlanChange,
  answer: (plan: Plan) => string,
): Promise<ToolOutput> {
  if (desk === undefined) return refuse(noRun, 'no_run')
  const made = await desk.change(change)
  return typeof made === 'string' ? refuse(made, 'plan') : text(answer(made))
}

export const noRun = 'A plan belongs to a run, and this call is not part of one.'
