/**
 * The policy `risk`: how risky a tool may be; riskier tools are refused, or a person
 * decides before each call.
 */
import { z } from 'zod'
import type { Policy } from '#lib/spec/policy'
import { risk as risks } from '#lib/spec/tool'

const settings = z.object({
  max: risks.default('write').meta({
    title: 'Most risk',
    description:
      'What a tool may do without a word from anybody: only read, write as well, or anything at all.',
  }),
  confirm: z.boolean().default(false).meta({
    title: 'Ask a person',
    description: 'Before each call of a riskier tool a person is asked; without this such tools are refused.',
  }),
})

export const risk: Policy<typeof settings> = {
  id: 'risk',
  label: 'Risk',
  help: 'Limits what tools may do: those above the limit are hidden from the model, or ask a person first.',
  icon: 'shield-alert',
  settings,
  scoped: true,
  stages: ['risk'],
  says: ({ max, confirm }) =>
    max === 'admin' ? undefined : `Riskier than ${max}: ${confirm ? 'a person is asked' : 'never'}`,
  rule({ max, confirm }, _stage, { tool }) {
    if (risks.options.indexOf(tool.risk) <= risks.options.indexOf(max)) return undefined
    return {
      verdict: confirm ? 'confirm' : 'deny',
      reason: `its risk is ${tool.risk}, and the limit is ${max}`,
    }
  },
}
