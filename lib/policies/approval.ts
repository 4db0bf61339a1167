/** The policy `approval`: a person decides on each call before it runs. */
import { z } from 'zod'
import type { Policy } from '#lib/spec/policy'
import { countOf } from './words'

const settings = z.object({
  timeoutSeconds: z.number().positive().max(604_800).default(900).meta({
    title: 'Time to decide',
    description: 'After this time, the setting below decides. The run waits and costs nothing meanwhile.',
    unit: 's',
  }),
  onTimeout: z.enum(['deny', 'approve']).default('deny').meta({
    title: 'When nobody decides',
    description: 'What happens to the call after that time.',
  }),
})

export const approval: Policy<typeof settings> = {
  id: 'approval',
  label: 'Ask a person',
  help: 'A person approves, changes or rejects each call before it runs. The run waits, also across restarts.',
  keywords: [
    'approval',
    'approve',
    'human',
    'confirm',
    'ask',
    'permission',
    'review',
    'manual',
    'guard',
    'hitl',
  ],
  icon: 'hand',
  settings,
  scoped: true,
  stages: ['approval'],
  says: ({ timeoutSeconds }) => `A person decides before each call, within ${spanOf(timeoutSeconds)}`,
  rule: ({ timeoutSeconds, onTimeout }, _stage, { tool }) => ({
    verdict: 'confirm',
    reason: `a person approves ${tool.name} before it runs`,
    expires: { seconds: timeoutSeconds, after: onTimeout === 'deny' ? 'reject' : 'approve' },
  }),
}

function spanOf(seconds: number): string {
  return seconds % 60 === 0 ? countOf(seconds / 60, 'minute') : countOf(seconds, 'second')
}
