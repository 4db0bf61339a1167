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

test('S4-39 a nested zod schema becomes the parameters that a model reads', () => {
  const place = z.object({ street: z.string().describe('With its number.'), zip: z.string().optional() })
  const input = z
    .object({
      name: z.string().min(1).meta({ title: 'Name', description: 'Who.' }),
      home: place,
      others: z.array(place).max(3).default([]),
      kind: z.enum(['person', 'firm']),
      note: z.union([z.string(), z.null()]),
    })
    .meta({ title: 'A customer' })
  const { parameters } = tool({
    name: 'customers.add',
    label: 'Add',
    description: 'Adds a customer.',
    icon: 'plus',
    risk: 'write',
    input,
    run: async () => text(''),
  })
  expect(parameters).toMatchInlineSnapshot(`
    {
      "additionalProperties": false,
      "properties": {
        "home": {
          "properties": {
            "street": {
              "description": "With its number.",
              "type": "string",
            },
            "zip": {
              "type": "string",
            },
          },
          "required": [
            "street",
          ],
          "type": "object",
        },
        "kind": {
          "enum": [
            "person",
            "firm",
          ],
          "type": "string",
        },
        "name": {
          "description": "Who.",
          "minLength": 1,
          "title": "Name",
          "type": "string",
        },
        "note": {
          "type": [
            "string",
            "null",
          ],
        },
        "others": {
          "default": [],
          "items": {
            "properties": {
              "street": {
                "description": "With its number.",
                "type": "string",
              },
              "zip": {
                "type": "string",
              },
            },
            "required": [
              "street",
            ],
            "type": "object",
          },
          "maxItems": 3,
          "type": "array",
        },
      },
      "required": [
        "name",
        "home",
        "kind",
        "note",
      ],
      "title": "A customer",
      "type": "object",
    }
  `)
})
