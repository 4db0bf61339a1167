import { expect, test } from 'vitest'
import type { CallState, CompletionState } from '#lib/spec/state'
import { completionRows } from './completion-rows'

const asked: CompletionState = {
  at: 5_000,
  purpose: 'Search queries',
  model: { provider: 'openai', name: 'small' },
  prompt: 'Which queries?',
  hash: 'c0ffee',
  text: '["a", "b"]',
  attempts: 1,
  durationMs: 2_000,
  usage: { input: 10, output: 5 },
  costUsd: 0.01,
}
const rowsOf = (...completions: CompletionState[]) =>
  completionRows(3, { id: 'call_1', name: 'digest', completions } as CallState) // cast: the part that is read

test('a question of a call to the model has a row with what it took', () => {
  expect(rowsOf(asked)).toMatchObject([
    {
      title: 'Asked the model: Search queries',
      detail: '["a", "b"]',
      bar: { kind: 'model', start: 3_000, end: 5_000 },
      tokens: 15,
      cost: 0.01,
      ms: 2_000,
      tool: 'digest',
    },
  ])
  expect(rowsOf(asked)[0]?.words).toContain('Which queries?')
})

test('a question that failed says why, one that was cut or repeated says that', () => {
  const [failed, cut, repeated] = rowsOf(
    { ...asked, text: '', error: { code: 'auth', message: 'The key was refused.' } },
    { ...asked, cut: true },
    { ...asked, attempts: 3 },
  )
  expect(failed).toMatchObject({ tone: 'error', detail: 'The key was refused.' })
  expect([cut?.tail, repeated?.tail]).toEqual(['cut at a limit', 'attempt 3'])
})
