import { expect, test } from 'vitest'
import type { AskedInput } from '#lib/spec/input'
import type { CallState } from '#lib/spec/state'
import { inputBars, inputRows } from './input-rows'

const input = (inputId: string, more: Partial<AskedInput> = {}): AskedInput => ({
  inputId,
  key: inputId,
  from: 'tool',
  question: `What about ${inputId}?`,
  askedAt: 10,
  ...more,
})

const call = (inputs: AskedInput[], more: Partial<CallState> = {}): CallState => ({
  id: 'call_1_1',
  name: 'human.ask',
  argsText: '',
  rawArgs: '{}',
  status: 'waiting',
  node: 'tools/0',
  durationMs: 0,
  attempts: 1,
  code: null,
  progress: { text: '', blocks: null },
  created: [],
  rulings: [],
  startedAt: 5,
  inputs,
  ...more,
})

const words = (of: CallState) => inputRows(1, of).map(({ title, detail }) => [title, detail])
const given = (more: object) => ({
  given: { action: 'answer', at: 30, by: 'person', ...more } as AskedInput['given'],
})

test('a question that waits has one row, which says so by its tone', () => {
  expect(inputRows(1, call([input('a')]))).toMatchObject([
    { title: 'Question', detail: 'What about a?', tone: 'waiting', at: 10 },
  ])
})

test('the reply and the second run of the body have rows of their own', () => {
  const round = { number: 1, of: 2 }
  const asked = [
    input('a', { round, ...given({ text: 'Lisbon' }) }),
    input('b', { round, server: 'shop', ...given({ values: { n: 1 } }) }),
  ]
  expect(words(call(asked)).map(([title]) => title)).toEqual([
    'Question',
    'Your reply',
    'Question of shop',
    'Your reply',
  ])
  expect(words(call(asked, { continued: 1, status: 'running' })).at(-1)?.[0]).toBe('Continued')
})

test.each([
  [given({ action: 'decline', text: 'no' }), ['You declined', 'no']],
  [given({ action: 'cancel' }), ['You cancelled', '']],
  [
    given({ action: 'decline', by: 'timeout', text: 'Nobody replied in time.' }),
    ['Nobody replied', 'Nobody replied in time.'],
  ],
  [given({ action: 'cancel', by: 'cancel' }), ['Question closed', '']],
  [given({ action: 'cancel', by: 'restart' }), ['Question lost', expect.stringContaining('restarted')]],
  [{ refused: 'why', ...given({ action: 'decline', by: 'rule', text: 'why' }) }, ['Not asked', 'why']],
])('%j reads %j', (more, row) => {
  expect(words(call([input('a', more)]))[1]).toEqual(row)
})

test('the bar of a call shows the wait, and the work after it', () => {
  expect(inputBars(call([input('a', given({ text: 'x' }))], { finishedAt: 40 }))).toEqual([
    { kind: 'wait', start: 10, end: 30 },
    { kind: 'tool', start: 30, end: 40 },
  ])
  expect(inputBars(call([input('a')]))).toEqual([{ kind: 'wait', start: 10, end: null }])
  expect(inputBars(call([input('a', { refused: 'why' })]))).toEqual([])
})
