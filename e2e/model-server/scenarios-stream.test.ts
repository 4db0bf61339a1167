/**
 * Tests streams in every form and cut, bodies that are not streams, empty answers, and
 * unknown events and fields.
 */
import { expect } from 'vitest'
import { of } from '#lib/agent/rig.fixture'
import { type Chunking, forms, type Quirk } from './behaviour'
import { done, finding, play, ranBoth, type Scenario } from './scenario'

const words = 'Grüße, Ελλάδα, 日本 👩‍👩‍👧 — it is 42.'
const said = { reasoning: 'Hm, ä 🙂.', ...finding }
const chunkings: readonly Chunking[] = ['whole', 'bytes', { random: 7 }]

play(
  'L14 forms and cuts of a stream',
  forms.flatMap((form) =>
    chunkings.map(
      (chunks): Scenario => ({
        name: `L14 S0-18 events in the form ${form}, in ${describeCut(chunks)}`,
        behaviours: [
          { say: said, form, chunks },
          { say: { text: words }, form, chunks },
        ],
        withoutSockets: chunks !== 'whole',
        expected: {
          answer: words,
          attempts: 2,
          ran: ranBoth,
          check: ({ answers }) =>
            expect(answers[0]).toMatchObject({ text: 'Let me see.', reasoning: 'Hm, ä 🙂.' }),
        },
      }),
    ),
  ),
)

function describeCut(chunks: Chunking): string {
  if (chunks === 'whole') return 'one piece'
  return chunks === 'bytes' ? 'single bytes' : 'random pieces'
}

play('L14 on a socket', [
  {
    name: 'L14 single bytes',
    behaviours: [{ say: { text: 'Ä 🙂' }, chunks: 'bytes' }],
    expected: { answer: 'Ä 🙂', attempts: 1 },
  },
  {
    name: 'L14 random pieces',
    behaviours: [
      { say: said, chunks: { random: 5 } },
      { say: { text: words }, chunks: { random: 6 } },
    ],
    expected: { answer: words, attempts: 2, ran: ranBoth },
  },
])

play('L14 events that are broken', [
  {
    name: 'L14 a line that is no JSON is an error, not left out',
    behaviours: [{ say: finding, fault: { badLineAfter: 3 } }],
    expected: { error: 'model_protocol', attempts: 1 },
  },
  {
    name: 'L14 S0-18 a body of broken JSON',
    settings: { stream: false },
    behaviours: [{ say: finding, fault: { badLineAfter: 3 } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['cut'] },
  },
])

play('L13 something else than a stream', [
  {
    name: 'L13 a web page is an error that shows how it begins',
    behaviours: [{ fault: { instead: 'html' } }],
    expected: { error: 'model_protocol', attempts: 1, message: /web page.*sign in/i },
  },
  {
    name: 'L13 JSON of an answer in place of a stream is taken',
    behaviours: [
      { say: finding, fault: { instead: 'json' } },
      { say: done, fault: { instead: 'json' } },
    ],
    expected: { answer: 'It is 42.', attempts: 2, ran: ranBoth },
  },
  {
    name: 'L13 other JSON is an error',
    behaviours: [{ fault: { instead: 'other json' } }],
    expected: { error: 'model_protocol', attempts: 1, message: /some other service/ },
  },
  {
    name: 'L13 S0-18 a web page where one body was asked for',
    settings: { stream: false },
    behaviours: [{ fault: { instead: 'html' } }],
    expected: { error: 'model_protocol', attempts: 1 },
  },
])

const unheard: readonly Quirk[][] = [
  ['unknown events'],
  ['unknown fields'],
  ['unknown events', 'unknown fields', 'unknown blocks', 'pings between'],
  ['redacted thinking'],
  ['no event names'],
  ['usage absent'],
  ['usage beside choices'],
  ['empty choices'],
  ['null delta', 'null content'],
  ['reasoning'],
]

play(
  'L16 what nobody has heard of',
  unheard.flatMap((quirks): Scenario[] => [
    {
      name: `L16 an answer with ${quirks.join(', ')}: thoughts and strange blocks go back as they came`,
      behaviours: [
        { say: said, quirks },
        { say: finding, quirks },
        { say: done, quirks },
      ],
      expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
    },
  ]),
)

play('L16 thoughts on their way back', [
  {
    name: 'L16 thoughts of every step of a loop stand before their calls',
    behaviours: [
      { say: said },
      { say: said },
      { say: { ...said, text: '' } },
      { say: { reasoning: 'So.', ...done } },
    ],
    expected: { answer: 'It is 42.', attempts: 4, ran: [...ranBoth, ...ranBoth, ...ranBoth] },
  },
  {
    name: 'L16 S0-18 in one piece',
    settings: { stream: false },
    behaviours: [
      { say: said, quirks: ['unknown blocks', 'unknown fields', 'redacted thinking'] },
      { say: said },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
  },
  {
    name: 'L16 thoughts that are not sealed go back as they were said',
    wires: ['responses'],
    settings: { reasoningSummary: 'auto', reasoningEffort: 'low' },
    behaviours: [
      { say: said, quirks: ['reasoning_content'] },
      { say: { ...said, text: '' }, quirks: ['reasoning_content'] },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
  },
  {
    name: 'L16 a model without thoughts is not asked for them',
    wires: ['responses'],
    settings: { name: 'gpt-4.1-mini' },
    behaviours: [{ say: finding }, { say: said }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
  },
  {
    name: 'L16 OpenAI itself is sent nothing of thoughts it does not know',
    wires: ['openai'],
    trial: () => ({ provider: 'openai' }),
    behaviours: [{ say: said }, { say: said, quirks: ['null content'] }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
  },
])

play('L17 answers that say nothing', [
  {
    name: 'L17 E-25 an empty answer is asked for once more',
    behaviours: [{ say: {} }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L17 E-25 only thoughts are no answer',
    behaviours: [{ say: { reasoning: 'Hm.' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L17 E-25 twice nothing ends the run',
    behaviours: [{ say: {} }, { say: { reasoning: 'Hm.' } }, { say: done }],
    expected: { error: 'empty_response', attempts: 2 },
  },
  {
    name: 'L17 E-25 no choices at all, in one piece',
    wires: ['openai'],
    settings: { stream: false },
    behaviours: [{ say: done, quirks: ['empty choices'] }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L17 E-25 an empty answer after tools',
    behaviours: [{ say: finding }, { say: {} }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, ran: ranBoth },
  },
  {
    name: 'L17 a refusal ends the run as filtered, with what was said',
    behaviours: [{ say: { text: 'I would rather not.', finish: 'filter' } }],
    expected: { error: 'model_filter', answer: 'I would rather not.', attempts: 1 },
  },
  {
    name: 'L17 a refusal in words of its own',
    wires: ['openai', 'responses'],
    behaviours: [{ say: { refusal: 'I cannot help with that.' } }],
    expected: { error: 'model_filter', attempts: 1, answer: 'I cannot help with that.' },
  },
])

play('usage', [
  {
    name: 'tokens are as the provider counts them',
    behaviours: [{ say: { ...done, usage: { input: 100, output: 20, cached: 40 } } }],
    expected: {
      attempts: 1,
      check: ({ events }) =>
        expect(of(events, 'run.finished')[0]?.usage).toMatchObject({ input: 100, output: 20, cached: 40 }),
    },
  },
  {
    name: 'tokens are estimated where the provider counts none',
    behaviours: [{ say: done, quirks: ['usage absent'] }],
    expected: {
      attempts: 1,
      check: ({ events }) =>
        expect(of(events, 'model.answered')[0]?.usage).toMatchObject({ estimated: true }),
    },
  },
])
