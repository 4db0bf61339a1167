/** The toolkit of the plan: one plan of the run, kept by the tools of one of two sets of verbs. */
import { z } from 'zod'
import type { Toolkit } from '#lib/spec/toolkit'
import { planNotebook } from './plan-notebook'
import { planSteps } from './plan-steps'

const tools = { steps: [planSteps], notebook: planNotebook }

const settings = z.object({
  verbs: z.enum(['steps', 'notebook']).default('steps').meta({
    title: 'Tools',
    description:
      'steps is one tool with a flat list of steps. notebook is eight tools, for subtasks with expected outcomes and earlier plans that can be taken up again.',
  }),
})

export const plan: Toolkit<typeof settings> = {
  id: 'plan',
  label: 'Plan',
  group: 'Plan',
  help: 'The model writes down the steps of a long task and keeps them up to date. Everyone sees the plan live, and can change it while the run goes on.',
  keywords: ['plan', 'steps', 'todo', 'tasks', 'subtasks', 'notebook', 'progress'],
  icon: 'list-checks',
  family: 'tool',
  settings,
  scope: {
    choice: {
      key: 'verbs',
      names: { steps: tools.steps.map(({ name }) => name), notebook: tools.notebook.map(({ name }) => name) },
    },
  },
  tools: [...tools.steps, ...tools.notebook],
  initial: { verbs: 'steps' },
  open: async ({ verbs }) => tools[verbs],
}
