import { describe, expect, test } from 'vitest'
import { addRow, changeRow, removeRow, rowsOf } from './parameter-rows'

const schema = {
  type: 'object',
  properties: { city: { type: 'string', description: 'A city.', maxLength: 9 }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
}

describe('the parameters of a tool as a table', () => {
  test('have a row each, in their order', () => {
    expect(rowsOf(schema)).toEqual([
      { name: 'city', type: 'string', description: 'A city.', isRequired: true },
      { name: 'days', type: 'integer', description: '', isRequired: false },
    ])
    expect(rowsOf(undefined)).toEqual([])
  })

  test.each([[{ type: 'string' }], [{ type: 'object', properties: { a: true } }], ['text'], [{ oneOf: [] }]])(
    '%j is no table',
    (other) => expect(rowsOf(other)).toBeUndefined(),
  )

  test('a row is renamed in its place, with all that the table does not show', () => {
    expect(changeRow(schema, 'city', { name: 'place' })).toEqual({
      type: 'object',
      properties: {
        place: { type: 'string', description: 'A city.', maxLength: 9 },
        days: { type: 'integer' },
      },
      required: ['place'],
      additionalProperties: false,
    })
  })

  test('a type and a description can be taken away, and a parameter can become optional', () => {
    expect(changeRow(schema, 'city', { type: '', description: '', isRequired: false })).toEqual({
      type: 'object',
      properties: { city: { maxLength: 9 }, days: { type: 'integer' } },
      additionalProperties: false,
    })
  })

  test('a row is added as a required text, and removed again', () => {
    const more = addRow(schema, 'unit')
    expect(rowsOf(more)?.at(-1)).toEqual({ name: 'unit', type: 'string', description: '', isRequired: true })
    expect(removeRow(more, 'unit')).toEqual(schema)
    expect(removeRow(removeRow(schema, 'city'), 'days')).toEqual({
      type: 'object',
      additionalProperties: false,
    })
  })
})
