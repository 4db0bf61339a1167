import { expect, test } from 'vitest'
import {
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  runFinished,
  stepStarted,
} from '#components/trace/run.fixture'
import { didWords, doingNow, saidLines, stepLines, storedLines } from './doing'

const list = { id: 'c1', name: 'schema.list_tables' }
const query = { id: 'c2', name: 'sql.execute', args: { sql: 'select 1' } }

test('one line says what a run does now', () => {
  const { state, tell } = record(begin)
  expect(doingNow(state)).toBe('Starting')
  tell(stepStarted, requested)
  expect(doingNow(state)).toBe('Step 1: the model is thinking')
  tell(answered({ text: 'I look.', calls: [list, query] }), callStarted(list, 'tools/0'))
  expect(doingNow(state)).toBe('Step 1: schema.list_tables, sql.execute')
  tell(callFinished(list, 'tools/0'))
  expect(doingNow(state)).toBe('Step 1: sql.execute')
  tell({ type: 'call.progressed', callId: query.id, wait: { for: 'place', ahead: 2 } })
  expect(doingNow(state)).toBe('Step 1: sql.execute. Waiting for a free place (2 ahead)')
  tell({ type: 'call.progressed', callId: query.id, wait: null })
  expect(doingNow(state)).toBe('Step 1: sql.execute')
  tell(runFinished('cancelled', null))
  expect(doingNow(state)).toBeNull()
})

test('a run in line says how many are ahead of it, as far as that is known', () => {
  const agent = { id: 'agent_1', name: 'retail-analyst', version: 'draft' as const, configHash: 'h' }
  const { state } = record({ type: 'run.queued', agent, input: 'How much?', threadId: null })
  expect(doingNow(state)).toBe('Queued')
  expect(doingNow(state, 3)).toBe('Queued, 3 ahead')
  expect(doingNow(state, 0)).toBe('Queued, next in line')
})

test('the steps tell each call with its arguments, and why one failed', () => {
  const { state } = record(
    begin,
    stepStarted,
    requested,
    answered({ text: 'I  look.', calls: [query] }),
    callStarted(query, 'tools/1'),
    callFinished(query, 'tools/1', { status: 'error', text: 'no such table' }),
    stepStarted,
    answered({ text: 'It is 1.' }),
    runFinished('completed', 'It is 1.'),
  )
  expect(stepLines(state)).toEqual([
    {
      number: 1,
      thought: 'I look.',
      calls: [
        {
          id: 'c2',
          name: 'sql.execute',
          args: 'sql: select 1',
          status: 'error',
          ms: 41,
          fault: 'no such table',
        },
      ],
    },
  ])
})

test('an answer without a call needs no words beside it', () => {
  expect(didWords(1, 0)).toBeNull()
  expect(didWords(2, 0)).toBe('2 steps')
  expect(didWords(3, 1)).toBe('3 steps, 1 call')
})

test('what a person said is shown with the step that read it, or as not read yet (E-37)', () => {
  const say = (text: string) => ({ type: 'run.steered', text }) as const
  const { state } = record(
    begin,
    say('Only Europe.'),
    { type: 'step.started', maxSteps: 10 },
    say('And last year.'),
  )
  expect(saidLines(state)).toEqual([
    { text: 'Only Europe.', at: 'read', step: 1 },
    { text: 'And last year.', at: 'waiting', step: null },
  ])
  expect(stepLines(state)).toMatchObject([{ number: 1, said: ['Only Europe.'] }])
})

test('words to a run that has ended say which step read them, or that none did (E-37)', () => {
  const said = [
    { text: 'Only Europe.', step: 2 },
    { text: 'And last year.', step: null },
  ]
  expect(storedLines(said)).toEqual([
    { text: 'Only Europe.', at: 'read', step: 2 },
    { text: 'And last year.', at: 'unread', step: null },
  ])
})
