/** The plan of a run on the wire, and a person's change of it. */
import { z } from 'zod'
import { maxPlanTextChars, maxPlanTitleChars, mostPlanSteps, plan, planStatus } from '#lib/spec/plan'

const title = z.string().trim().min(1).max(maxPlanTitleChars)
const text = z.string().max(maxPlanTextChars).optional()

const editedPlan = z.strictObject({
  title,
  steps: z
    .array(
      z.strictObject({
        text: title,
        status: planStatus,
        note: text,
        description: text,
        expected: text,
        outcome: text,
      }),
    )
    .max(mostPlanSteps),
  /** Sent back as it was read; it cannot be changed. */
  id: z.string().max(64).optional(),
  description: text,
  expected: text,
  outcome: text,
  ended: z.enum(['done', 'abandoned']).optional(),
})

/** `revision` is that of the plan that the person has changed. */
export const editPlan = z.strictObject({ revision: z.int().positive(), plan: editedPlan })
export type EditPlan = z.infer<typeof editPlan>

export const heldPlan = plan.extend({
  revision: z.int().positive(),
  by: z.enum(['model', 'person']),
})
