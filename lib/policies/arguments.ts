/** The policy `arguments`: the arguments of a call must fit a schema in addition to the tool's own. */
import { z } from 'zod'
import { jsonObject } from '#lib/spec/json'
import type { Policy } from '#lib/spec/policy'

const settings = z.object({
  schema: jsonObject.default({}).meta({
    title: 'Schema',
    description:
      'A JSON Schema that the arguments must fit, without preset ones. A call that does not fit is denied.',
  }),
})

export const callArguments: Policy<typeof settings> = {
  id: 'arguments',
  label: 'Check arguments',
  help: 'Denies calls whose arguments do not fit a JSON Schema of yours.',
  keywords: ['arguments', 'validate', 'validation', 'schema', 'parameters', 'input', 'guard', 'restrict'],
  icon: 'braces',
  settings,
  scoped: true,
  says: ({ schema }) => (Object.keys(schema).length === 0 ? undefined : 'Arguments must fit a schema'),
  stages: ['arguments'],
  rule({ schema }, _stage, question) {
    if (question.moment === 'offer') return undefined
    const wrong = question.fits(schema)
    return wrong === undefined
      ? undefined
      : { verdict: 'deny', reason: `its arguments do not fit the schema of the policy: ${wrong}` }
  },
}
