/** The policy `retry`: how often a failed call is tried again before the model gets the failure. */
import { z } from 'zod'
import type { Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  max: z.int().min(1).max(10).default(2).meta({
    title: 'Retries',
    description:
      'Only for tools that change nothing or may run twice, and only when the failure may pass: a time-out, a busy server.',
    unit: 'tries',
  }),
  backoffMs: z.int().min(0).max(60_000).default(500).meta({
    title: 'Wait',
    description: 'Before the first retry; it doubles with each further one.',
    unit: 'ms',
  }),
})

export const retry: Policy<typeof settings> = {
  id: 'retry',
  label: 'Retry',
  help: 'Tries a failed call again where that can do no harm. If there are several, each adds its tries in order.',
  keywords: ['again', 'error', 'fail', 'backoff', 'attempts', 'resilience'],
  icon: 'rotate-ccw',
  settings,
  scoped: true,
  says: ({ max }) => `A failed call that can do no harm is tried again up to ${countOf(max, 'time')}`,
  limitTool({ max, backoffMs }, limits) {
    limits.retries.push({ max, backoffMs })
  },
}
