import { expect, test } from 'vitest'
import { rowsOf } from '#components/trace/rows'
import { answered, begin, callStarted, record, requested, stepStarted } from '#components/trace/run.fixture'
import type { EventBody } from '#lib/spec/event'
import { openCallWords, queuedWords, waitWords } from './wait-words'

const list = { id: 'c1', name: 'schema.list_tables' }
const none: ReadonlySet<string> = new Set()

test('the trace says what a call waits for, before it begins and while it runs', () => {
  const run = record(begin, stepStarted, requested, answered({ calls: [list] }))
  const last = () => rowsOf(run.state, none).at(-1)
  run.tell({ type: 'call.progressed', callId: list.id, wait: { for: 'place', ahead: 0 } })
  expect(last()).toMatchObject({
    kind: 'observation',
    title: 'Waiting for a free place (next in line)',
    tone: 'muted',
  })
  run.tell(callStarted(list, 'tools/0'))
  expect(last()).toMatchObject({ kind: 'call' })
  run.tell({ type: 'call.progressed', callId: list.id, text: 'reading …' })
  run.tell({ type: 'call.progressed', callId: list.id, wait: { for: 'sandbox', ahead: 2 } })
  expect(last()).toMatchObject({ title: 'Waiting for a free sandbox (2 ahead)' })
  run.tell({ type: 'call.progressed', callId: list.id, wait: null })
  expect(last()).toMatchObject({ title: 'reading …' })
})

test('S4-42 a run that waits only for calls in the background says so', () => {
  const run = record(begin, stepStarted, requested, answered({ calls: [list] }))
  run.tell({ ...callStarted(list, 'tools/0'), background: 'Started.' } as EventBody) // cast: the fixture makes a call.started
  const calls = [...run.state.calls.values()]
  expect(openCallWords(calls)).toBe('schema.list_tables in the background')
  expect(openCallWords([])).toBe('')
})

test('a wait says how many are ahead', () => {
  expect(waitWords({ for: 'sandbox', ahead: 1 })).toBe('Waiting for a free sandbox (1 ahead)')
  expect(queuedWords(undefined)).toBe('Queued')
  expect(queuedWords(3)).toBe('Queued, 3 ahead')
})
