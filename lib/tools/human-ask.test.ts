import { expect, test } from 'vitest'
import type { InputReply } from '#lib/spec/input'
import { humanAsk } from './human-ask'
import { context } from './tools.fixture'

const form = { type: 'object', properties: { name: { type: 'string' } } }

test('S0-33 asks with choices, with a form, or for a text', async () => {
  for (const [args, asked] of [
    [
      { question: ' Which? ', choices: ['a', 'b'] },
      { question: 'Which?', choices: ['a', 'b'] },
    ],
    [
      { question: 'Who?', form },
      { question: 'Who?', schema: form },
    ],
    [{ question: 'What?' }, { question: 'What?' }],
  ] as const)
    expect(await humanAsk.run(args as never, context())).toEqual({
      ok: 'asks',
      questions: [{ inputId: 'question', from: 'tool', ...asked }],
    })
})

test.each([
  [{ question: ' ' }, /question/],
  [{ question: 'Which?', choices: ['only one'] }, /choices/],
  [{ question: 'Which?', form: { type: 'string' } }, /JSON Schema of type "object"/],
  [{ question: 'Which?', form, choices: ['a', 'b'] }, /not both/],
])('refuses %j', async (args, why) => {
  const output = await humanAsk.run(args as never, context())
  expect(output).toMatchObject({ ok: false, code: 'args_schema', message: expect.stringMatching(why) })
})

test.each<[InputReply, object]>([
  [
    { action: 'answer', text: 'Lisbon' },
    { type: 'text', text: 'Lisbon' },
  ],
  [
    { action: 'answer', values: { name: 'Ada' } },
    { type: 'json', value: { name: 'Ada' } },
  ],
  [
    { action: 'decline', text: 'I do not know' },
    {
      type: 'text',
      text: 'The question was declined: I do not know. Go on without the answer, and do not ask the same again.',
    },
  ],
  [{ action: 'cancel' }, { type: 'text', text: expect.stringMatching(/^The question was closed without/) }],
])('returns the reply %j', async (reply, block) => {
  const answered = { replies: { question: reply } }
  const output = await humanAsk.run({ question: 'Which?' }, { ...context(), answered })
  expect(output).toEqual({ ok: true, blocks: [block] })
})
