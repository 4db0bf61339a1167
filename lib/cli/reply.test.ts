import { describe, expect, test } from 'vitest'
import type { InputQuestion } from '#lib/spec/input'
import { personAt } from './person'
import { replyTo } from './reply'
import { testTerminal } from './terminal.fixture'

async function replied(question: Partial<InputQuestion>, input: string, isInteractive = true) {
  const terminal = testTerminal({ input, isInteractive })
  const person = personAt(terminal, { isAsked: true, signal: new AbortController().signal })
  const reply = await replyTo({ inputId: 'a', from: 'tool', question: 'What?', ...question }, person)
  person.close()
  return { reply, said: terminal.said }
}

const form = {
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City' },
    guests: { type: 'integer', minimum: 1 },
    dogs: { type: 'boolean', default: false },
    size: { enum: ['small', 'large'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['city', 'guests'],
}

describe('a question at the terminal', () => {
  test.each<[string, Partial<InputQuestion>, string, unknown]>([
    ['is answered with text', {}, 'Lisbon\n', { action: 'answer', text: 'Lisbon' }],
    [
      'is answered by the number of a choice',
      { choices: ['a', 'b'] },
      '2\n',
      { action: 'answer', text: 'b' },
    ],
    [
      'takes another answer than the choices',
      { choices: ['a', 'b'] },
      '3\n',
      { action: 'answer', text: '3' },
    ],
    ['is asked again after an empty line', {}, '\nyes\n', { action: 'answer', text: 'yes' }],
    ['can be declined', {}, '/decline\n', { action: 'decline' }],
    ['about an address is answered with Enter', { url: 'https://example.com/' }, '\n', { action: 'answer' }],
    [
      'with a form is answered field by field',
      { schema: form },
      'Lisbon\n4\ny\nlarge\nred, blue\n',
      {
        action: 'answer',
        values: { city: 'Lisbon', guests: 4, dogs: true, size: 'large', tags: ['red', 'blue'] },
      },
    ],
    [
      'with a form takes defaults and leaves empty fields out',
      { schema: form },
      'Lisbon\n4\n\n\n\n',
      { action: 'answer', values: { city: 'Lisbon', guests: 4, dogs: false } },
    ],
    [
      'with a form can be declined in the middle',
      { schema: form },
      'Lisbon\n/decline\n',
      { action: 'decline' },
    ],
  ])('%s', async (_, question, input, expected) => {
    expect((await replied(question, input)).reply).toEqual(expected)
  })

  test('with a form says what is wrong, and asks again', async () => {
    const { reply, said } = await replied({ schema: form }, '\nmany\n\n\n\nLisbon\n4\n\n\n\n')
    expect(reply).toMatchObject({ values: { city: 'Lisbon', guests: 4 } })
    expect(said).toContain('The values do not fit the form')
    expect(said).toMatch(/guests.*expected an? ?integer|guests/)
  })

  test.each(['', 'ignored\n'])('is declined with a sentence where nobody can answer', async (input) => {
    const { reply } = await replied({}, input, input === '')
    expect(reply).toEqual({
      action: 'decline',
      text: 'Nobody can be asked here, since there is no terminal.',
    })
  })
})
