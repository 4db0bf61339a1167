import { expect, test } from 'vitest'
import { z } from 'zod'
import { text, tool } from './tool'

test('S0-06 the schema of a tool follows its input: only what has no default and is not optional is required', () => {
  const made = tool({
    name: 'a.b',
    label: 'B',
    description: 'Does b.',
    icon: 'x',
    risk: 'write',
    input: z.object({
      path: z.string().meta({ title: 'Path', description: 'Where.' }),
      mode: z.enum(['fast', 'slow']),
      count: z.int().min(1).default(3),
      notes: z.array(z.string()).optional(),
    }),
    run: async (args) => text(JSON.stringify(args)),
  })
  expect(made.parameters).toEqual({
    type: 'object',
    properties: {
      path: { type: 'string', title: 'Path', description: 'Where.' },
      mode: { type: 'string', enum: ['fast', 'slow'] },
      count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 3 },
      notes: { type: 'array', items: { type: 'string' } },
    },
    required: ['path', 'mode'],
    additionalProperties: false,
  })
  expect([made.effect, made.timeoutSeconds]).toEqual(['effect', 30])
})
