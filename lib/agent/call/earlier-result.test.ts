import { expect, test } from 'vitest'
import type { CallState } from '#lib/spec/state'
import { cut } from '../observation/observe'
import { newCall } from '../state/call-fold'
import { start } from '../state/start'
import { earlierResult } from './earlier-result'

const state = start({
  agent: { id: null, name: 'a', version: 'draft', configHash: '' },
  input: '',
  threadId: 't',
  historyThrough: null,
  history: [],
})
const callWith = (more: Partial<CallState>): CallState => ({ ...newCall(state, 'call_1_1', 'x'), ...more })

test('a call without a result has none to read', () => {
  expect(earlierResult(undefined)).toBeUndefined()
  expect(earlierResult(callWith({}))).toBeUndefined()
})

test('a result that was cut is known as such, with the value or the file that has it whole', () => {
  const value = ['x'.repeat(50)]
  const text = cut(JSON.stringify(value), 20)
  const blocks = [{ type: 'json' as const, value }]
  expect(earlierResult(callWith({ result: { text, blocks } }))).toEqual({ text, isCut: true, value })
  expect(earlierResult(callWith({ result: { text, blocks: [] }, artifact: 'a1' }))).toEqual({
    text,
    isCut: true,
    artifact: 'a1',
  })
  expect(earlierResult(callWith({ result: { text: '1', blocks: [] } }))).toEqual({ text: '1', isCut: false })
})

test('what a hook has taken out of a result stays out', () => {
  const result = { text: '["***"]', blocks: [{ type: 'json' as const, value: ['secret'] }] }
  const hook = {
    at: 1,
    node: 'policies/0',
    on: 'post_acting' as const,
    decision: 'continue' as const,
    durationMs: 1,
    changed: { text: result.text },
  }
  const known = { text: result.text, isCut: true }
  expect(earlierResult(callWith({ result, artifact: 'a1', hooks: [hook] }))).toEqual(known)
  expect(earlierResult(callWith({ result, artifact: 'a1', cached: true }))).toEqual(known)
})
