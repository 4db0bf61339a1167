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
    description: 'What a tool may do without asking: only read, also write, or anything.',
  }),
  confirm: z.boolean().default(false).meta({
    title: 'Ask a person',
    description:
      'A person decides before each call of a riskier tool. When this is off, riskier tools are refused.',
  }),
})

export const risk: Policy<typeof settings> = {
  id: 'risk',
  label: 'Risk limit',
  help: 'Refuses tools above a level of risk, or asks a person before each call of one.',
  keywords: [
    'risk',
    'danger',
    'safe',
    'guard',
    'permission',
    'restrict',
    'read',
    'write',
    'admin',
    'block',
    'deny',
  ],
  icon: 'shield-alert',
  settings,
  scoped: true,
  inside: (settings) => settings,
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
