/** The orders of a list of runs. `cost`, `duration` and `steps` begin with the highest value. */
import { z } from 'zod'

export const runSort = z.enum([
  'newest',
  'oldest',
  'cost',
  'cost_asc',
  'duration',
  'duration_asc',
  'steps',
  'steps_asc',
])
export type RunSort = z.infer<typeof runSort>
