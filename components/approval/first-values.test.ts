import { expect, test } from 'vitest'
import type { JsonSchema } from '#lib/spec/json'
import { firstValues, inFieldOrder } from './first-values'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    size: { type: 'string', default: 'small' },
    isKeen: { type: 'boolean' },
    isLate: { type: 'boolean' },
  },
  required: ['name', 'isKeen'],
}

test('a form begins with its defaults, and with required switches off', () => {
  expect(firstValues(schema)).toEqual({ size: 'small', isKeen: false })
  expect(firstValues({})).toEqual({})
})

test('values are sent in the order of the form, and values that it does not know come last', () => {
  const sent = inFieldOrder(schema, { isKeen: true, more: 1, name: 'Ada', size: 'large' })
  expect(Object.keys(sent)).toEqual(['name', 'size', 'isKeen', 'more'])
})
