/** The plan of a run: its steps and the state of each. */
import { z } from 'zod'

export const planStatus = z.enum(['todo', 'in_progress', 'done', 'blocked', 'abandoned'])
export type PlanStatus = z.infer<typeof planStatus>

function planShape<S extends z.ZodType<string>>(status: S) {
  return z.strictObject({
    title: z.string(),
    steps: z.array(
      z.strictObject({
        text: z.string(),
        status,
        note: z.string().optional(),
        /** What is to be done, in more words. */
        description: z.string().optional(),
        /** What the step is expected to bring, and what it brought. */
        expected: z.string().optional(),
        outcome: z.string().optional(),
      }),
    ),
    /** Tells the plans of a run apart; absent in older events. */
    id: z.string().optional(),
    description: z.string().optional(),
    expected: z.string().optional(),
    outcome: z.string().optional(),
    /** How the plan was ended; absent while it is worked on. */
    ended: z.enum(['done', 'abandoned']).optional(),
  })
}

export const plan = planShape(planStatus)
export type Plan = z.infer<typeof plan>
export type PlanStep = Plan['steps'][number]

/** A plan in an event. Older events have the words `not_started` and `completed`. */
export const storedPlan = planShape(
  z.enum(['not_started', 'in_progress', 'completed', 'blocked', 'todo', 'done', 'abandoned']),
)
type StoredPlan = z.infer<typeof storedPlan>

/** The present plan of a run. */
export interface HeldPlan extends Plan {
  /** 1 for the first plan of the run; it grows with each change. */
  readonly revision: number
  /** Who changed it last. */
  readonly by: 'model' | 'person'
}

/** The present plan of a run, and those that it has replaced, oldest first. */
export interface PlanBook {
  readonly plan?: Plan | undefined
  readonly past: readonly Plan[]
}

/** The most steps of a plan, and the most characters of a step's title and of every other text in it. */
export const mostPlanSteps = 100
export const maxPlanTitleChars = 500
export const maxPlanTextChars = 4_000

export function readPlan(stored: StoredPlan): Plan {
  return { ...stored, steps: stored.steps.map((step) => ({ ...step, status: statusIn(step.status) })) }
}

function statusIn(status: StoredPlan['steps'][number]['status']): PlanStatus {
  if (status === 'not_started') return 'todo'
  return status === 'completed' ? 'done' : status
}

/** Without what the run adds to it. */
export function planAlone({ revision: _revision, by: _by, ...rest }: HeldPlan): Plan {
  return rest
}

/** Whether nothing is left to do in the step. */
export function isClosed({ status }: Pick<PlanStep, 'status'>): boolean {
  return status === 'done' || status === 'abandoned'
}

export function isOpenPlan(plan: Plan | undefined): plan is Plan {
  return plan !== undefined && plan.ended === undefined
}

/** How far a plan is: how many of its steps are done, and the index of the step in progress, -1 if there is none. */
export function planProgress({ steps }: Plan): { done: number; total: number; current: number } {
  return {
    done: steps.filter(({ status }) => status === 'done').length,
    total: steps.length,
    current: steps.findIndex(({ status }) => status === 'in_progress'),
  }
}
