/** Tests calls as real services send them: ids, indexes and arguments of every kind, streamed or not. */
import { expect } from 'vitest'
import type { Quirk, Said, Wire } from './behaviour'
import type { Outcome } from './rig'
import { done, type Expected, find, finding, play, ranBoth, type Scenario } from './scenario'

const whole: Expected = { answer: 'It is 42.', attempts: 2, ran: ranBoth, check: bothAsked }

function bothAsked({ answers }: Outcome): void {
  const [first] = answers
  expect(first?.text).toBe('Let me see.')
  expect(first?.calls.map(({ id, name, args }) => [id, name, args])).toEqual([
    ['call_1_1', 'data.find', { q: 'a' }],
    ['call_1_2', 'data.find', { q: 'b' }],
  ])
}

const all: readonly Wire[] = ['openai', 'anthropic', 'responses']
/** The wires on which every piece names its call in more than one way. */
const openais: readonly Wire[] = ['openai', 'responses']
const one: readonly Wire[] = ['openai']

const streamedOnly: ReadonlySet<Quirk> = new Set([
  'interleaved',
  'id first, name later',
  'index missing',
  'index all zero',
  'name repeated',
  'whole args',
  'args in pieces',
  'role in every delta',
  'null delta',
  'input at start',
  'no event names',
  'finish repeated',
])

const strange: readonly (readonly [readonly Wire[], readonly Quirk[]])[] = [
  [all, []],
  [all, ['ids missing']],
  [all, ['ids empty']],
  [all, ['ids null']],
  [all, ['ids repeated']],
  [openais, ['index missing']],
  [one, ['index missing', 'ids missing', 'whole args']],
  [all, ['index from one']],
  [one, ['index all zero']],
  [all, ['interleaved']],
  [all, ['interleaved', 'ids missing']],
  [all, ['interleaved', 'args in pieces', 'index from one']],
  [one, ['id first, name later']],
  [one, ['id first, name later', 'interleaved']],
  [one, ['name repeated']],
  [all, ['whole args']],
  [all, ['args in pieces']],
  [openais, ['args as object']],
  [['anthropic'], ['input at start']],
  [all, ['call replayed']],
  [all, ['finish stop with calls']],
  [one, ['finish repeated']],
  [one, ['null content', 'null delta', 'role in every delta']],
  [all, ['usage absent']],
]

/** S0-18 the same list, streamed and in one piece. */
function strangely(stream: boolean): Scenario[] {
  return strange
    .filter(([, quirks]) => stream || !quirks.some((each) => streamedOnly.has(each)))
    .map(([wires, quirks]) => {
      const ids = quirks.includes('call replayed') || quirks.includes('ids repeated') ? 'E-19 ' : ''
      const named = quirks.some((each) => /^ids (missing|empty|null)/.test(each)) ? 'E-20 ' : ''
      const words = quirks.length === 0 ? 'as documented' : quirks.join(', ')
      return {
        name: `L12 ${ids}${named}${stream ? '' : 'S0-18 '}two calls, ${words}${stream ? '' : ', in one piece'}`,
        wires,
        settings: { stream },
        behaviours: [
          { say: finding, quirks },
          { say: done, quirks },
        ],
        expected: whole,
      }
    })
}

play('L12 two calls', strangely(true))
play('L12 two calls in one piece', strangely(false))

const asking = (pieces: string[], more: Said = {}): Said => ({
  text: 'Let me see.',
  calls: [{ name: 'data_find', pieces }],
  ...more,
})

play('L12 ids from step to step', [
  {
    name: 'L12 E-19 the same id in every step: each call runs once, each result stands with its own',
    behaviours: [
      { say: { calls: [{ ...find('a'), id: 'call_0' }] } },
      { say: { calls: [{ ...find('b'), id: 'call_0' }] } },
      { say: { calls: [{ ...find('a'), id: 'call_0' }] } },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 4, ran: [{ q: 'a' }, { q: 'b' }, { q: 'a' }] },
  },
  {
    name: 'L12 E-19 one id for two different calls of an answer: both run',
    behaviours: [
      { say: finding, quirks: ['ids repeated'] },
      { say: finding, quirks: ['ids repeated'] },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, ran: [...ranBoth, ...ranBoth] },
  },
  {
    name: 'L12 E-19 the same call twice under two ids: both run',
    behaviours: [{ say: { calls: [find('a'), find('a')] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }, { q: 'a' }] },
  },
  {
    name: 'L12 an id of signs and a length that others refuse',
    behaviours: [{ say: { calls: [{ ...find('a'), id: `call.${'x'.repeat(80)}/1` }] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }] },
  },
  {
    name: 'L12 the older function_call, streamed',
    wires: one,
    behaviours: [{ say: { calls: [find('a')] }, quirks: ['legacy function_call'] }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }] },
  },
  {
    name: 'L12 S0-18 the older function_call, in one piece',
    wires: one,
    settings: { stream: false },
    behaviours: [{ say: { calls: [find('a')] }, quirks: ['legacy function_call'] }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }] },
  },
])

play('L10 arguments that are JSON too early', [
  {
    name: 'L10 a prefix that is JSON is not run: the whole is',
    behaviours: [{ say: asking(['{"q":"a"}', ' ', '\n']) }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }] },
  },
  {
    name: 'L10 an empty object first, then the arguments: run once, or told as invalid, never with the first alone',
    behaviours: [
      { say: asking(['{"q":"a"}', ',"limit":10}']) },
      { say: { calls: [find('b')] } },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, ran: [{ q: 'b' }] },
  },
  {
    name: 'L10 arguments that stall after they are JSON: not run before the end',
    trial: () => ({ waits: (n) => (n === 1 ? { firstContentMs: 300, betweenMs: 300 } : {}) }),
    behaviours: [
      { say: asking(['{"q":"a"}', ' ']), fault: { stallAfter: 4 } },
      { say: asking(['{"q":"b"}']) },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, retried: ['stalled'], ran: [{ q: 'b' }] },
  },
])

const cut = asking(['{"q":"al'], { finish: 'length' })

play('L11 arguments that are cut or wrong', [
  {
    name: 'L11 E-30 cut arguments at the limit of tokens are not run, and the model is told',
    behaviours: [{ say: cut }, { say: { calls: [find('b')] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, ran: [{ q: 'b' }] },
  },
  {
    name: 'L11 E-30 of two calls only the complete one is run',
    behaviours: [
      { say: { calls: [find('a'), { name: 'data_find', pieces: ['{"q":"al'] }], finish: 'length' } },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 2, ran: [{ q: 'a' }] },
  },
  {
    name: 'L11 E-30 a limit that is told as a plain end: cut arguments are not run',
    settings: { maxOutputTokens: 50 },
    behaviours: [
      { say: asking(['{"q":"al'], { usage: { input: 5, output: 50 } }) },
      { say: { calls: [find('b')] } },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, ran: [{ q: 'b' }] },
  },
  {
    name: 'L11 the third answer in a row of nothing but cut arguments ends the run',
    behaviours: Array.from({ length: 12 }, () => ({ say: cut })),
    expected: { error: 'invalid_calls', attempts: 3 },
  },
  {
    name: 'L11 arguments that are no JSON are answered with an error',
    behaviours: [{ say: asking(['{q: a}']) }, { say: { calls: [find('a')] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, ran: [{ q: 'a' }] },
  },
  {
    name: 'E-30 words at the limit of tokens are the answer, marked as truncated',
    behaviours: [{ say: { text: 'It is', finish: 'length' } }],
    expected: { status: 'completed', error: 'truncated', answer: 'It is', attempts: 1 },
  },
])

play('L18 calls of what is not there', [
  {
    name: 'L18 an unknown name is answered with the names there are',
    behaviours: [
      { say: { calls: [{ name: 'data_fnd', args: { q: 'a' } }] } },
      { say: { calls: [find('a')] } },
      { say: done },
    ],
    expected: {
      answer: 'It is 42.',
      attempts: 3,
      ran: [{ q: 'a' }],
      check: ({ events }) => {
        const told = events.find((each) => each.type === 'call.finished')
        expect(told?.type === 'call.finished' ? told.result.text : '').toContain('data.find')
      },
    },
  },
  {
    name: 'L18 a name in other letters is not run',
    behaviours: [{ say: { calls: [{ name: 'DATA_FIND', args: { q: 'a' } }] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L18 a name that no wire takes is not run, and can be told of',
    behaviours: [{ say: { calls: [{ name: 'find all: the "things"', args: { q: 'a' } }] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L18 arguments that do not fit the schema are not run',
    behaviours: [{ say: { calls: [{ name: 'data_find', args: { q: ['a'], other: 1 } }] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
  {
    name: 'L18 an empty name',
    behaviours: [{ say: { calls: [{ name: '', args: { q: 'a' } }] } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2 },
  },
])
