import { expect, test } from 'vitest'
import { type KnownTurn, RecentTurns } from './recent-turns'

const turnOf = (text: string): KnownTurn => ({ messages: [{ role: 'user', text }], truncated: undefined })

test('a turn is given back as it was kept, and an unknown one is not', () => {
  const turns = new RecentTurns()
  turns.keep('run_1', turnOf('a'))
  expect(turns.get('run_1')).toMatchObject(turnOf('a'))
  expect(turns.get('run_2')).toBeUndefined()
})

test('beyond the limit the turn that was used longest ago is dropped', () => {
  // A message takes 100 tokens in addition to its text and its overhead.
  const turns = new RecentTurns(250)
  turns.keep('run_1', turnOf('a'))
  turns.keep('run_2', turnOf('b'))
  turns.get('run_1')
  turns.keep('run_3', turnOf('c'))
  expect(['run_1', 'run_2', 'run_3'].map((id) => turns.get(id) !== undefined)).toEqual([true, false, true])
})

test('a turn that is larger than the limit is not kept, and the next one is', () => {
  const turns = new RecentTurns(250)
  turns.keep('run_1', turnOf('a'.repeat(1_000)))
  turns.keep('run_2', turnOf('b'))
  expect(turns.get('run_1')).toBeUndefined()
  expect(turns.get('run_2')).toBeDefined()
})
