import { expect, test } from 'vitest'
import type { ToolContext } from '#lib/spec/tool'
import { observationGet } from './observation-get'

const whole = 'abcdefghij'.repeat(1_000)
// cast: the tool reads nothing else of its context
const context = {
  resultOf: (id: string) => (id === 'call_2_1' ? { text: whole, isCut: false } : undefined),
} as ToolContext
const get = (args: Record<string, string | number>) =>
  observationGet.run({ call: 'call_2_1', ...args }, context)

test('S1-28 reads a range of an earlier result, and says which part of it that is', async () => {
  const text = `${whole.slice(3, 8)}\n[Characters 3 to 8 of 10000.]`
  expect(await get({ from: 3, length: 5 })).toMatchObject({ ok: true, blocks: [{ text }] })
  expect(await get({ from: 9_995 })).toMatchObject({ ok: true, blocks: [{ text: 'fghij' }] })
})

test('S1-28 reaches only calls of this run, and only as far as their results go', async () => {
  expect(await get({ call: 'call_9_9' })).toMatchObject({ ok: false, code: 'not_found' })
  expect(await get({ from: 10_000 })).toMatchObject({ ok: false, code: 'out_of_range' })
})
