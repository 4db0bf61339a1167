import { describe, expect, test } from 'vitest'
import type { InputQuestion } from '#lib/spec/input'
import { formOf, replyOf } from './elicitation'

const asked = (more: Partial<InputQuestion> = {}): InputQuestion => ({
  ...{ inputId: 'question', from: 'tool', question: 'Which day?' },
  ...more,
})
const form = (properties: Record<string, object>, more: object = {}) =>
  asked({ schema: { type: 'object', properties, ...more } as InputQuestion['schema'] })

describe('a question as a form of an MCP client', () => {
  test('has one field for an answer in words', () => {
    expect(formOf(asked())).toEqual({
      message: 'Which day?',
      requestedSchema: {
        type: 'object',
        properties: { answer: { type: 'string', title: 'Answer' } },
        required: ['answer'],
      },
    })
    expect(replyOf(asked(), { action: 'accept', content: { answer: 'Monday' } })).toEqual({
      action: 'answer',
      text: 'Monday',
    })
  })

  test('has a menu for choices, and a field for another answer', () => {
    const question = asked({ choices: ['Monday', 'Friday'] })
    expect(formOf(question)?.requestedSchema).toMatchObject({
      properties: { answer: { enum: ['Monday', 'Friday'] }, other: { type: 'string' } },
      required: [],
    })
    expect(replyOf(question, { action: 'accept', content: { answer: 'Friday', other: ' ' } }).text).toBe(
      'Friday',
    )
    expect(replyOf(question, { action: 'accept', content: { answer: 'Friday', other: 'Sunday' } }).text).toBe(
      'Sunday',
    )
  })

  test('is a form of its own without the keywords that the protocol does not have', () => {
    const question = form(
      {
        day: { type: 'string', title: 'Day', pattern: 'x', format: 'color' },
        guests: { type: 'integer', minimum: 1 },
      },
      { required: ['day'], additionalProperties: false },
    )
    expect(formOf(question)?.requestedSchema).toEqual({
      type: 'object',
      properties: { day: { type: 'string', title: 'Day' }, guests: { type: 'integer', minimum: 1 } },
      required: ['day'],
    })
    expect(replyOf(question, { action: 'accept', content: { day: 'Monday', guests: 2 } })).toEqual({
      action: 'answer',
      values: { day: 'Monday', guests: 2 },
    })
  })

  test.each<[string, InputQuestion]>([
    ['a question of a server that the agent uses', asked({ from: 'server', server: 'files' })],
    ['an address to open', asked({ url: 'https://example.com' })],
    ['a form with a field inside of a field', form({ place: { type: 'object', properties: {} } })],
    ['a form with a list', form({ days: { type: 'array', items: { type: 'string' } } })],
    ['a form with a menu of numbers', form({ n: { type: 'integer', enum: [1, 2] } })],
    ['a form without fields', form({})],
  ])('is none for %s', (_, question) => {
    expect(formOf(question)).toBeUndefined()
  })

  test.each(['decline', 'cancel'] as const)('a client that says %s gives no answer', (action) => {
    expect(replyOf(asked(), { action, content: { answer: 'Monday' } })).toEqual({ action })
  })
})
