import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxKeptBytes } from '#lib/spec/artifact'
import type { JsonValue } from '#lib/spec/json'
import { askJson } from './json-query'
import { createWorkspace } from './workspace'

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-json-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function ask(expression: string, value: JsonValue | { readonly raw: string }, timeoutMs?: number) {
  const text =
    typeof value === 'object' && value !== null && 'raw' in value ? String(value.raw) : JSON.stringify(value)
  return askJson({ expression, from: { text } }, new AbortController().signal, timeoutMs)
}

const shop = {
  orders: [
    { id: 'a', total: 5 },
    { id: 'b', total: 50 },
  ],
  toString: 'own',
}

describe('a query', { timeout: 30_000 }, () => {
  test.each<[string, JsonValue]>([
    ['orders[?total > `10`].id', ['b']],
    ['sum(orders[].total)', 55],
    ['{ids: orders[].id}', { ids: ['a', 'b'] }],
    ['missing.deeper', null],
    ['toString', 'own'],
    ['orders[0].constructor', null],
    ['__proto__', null],
  ])('%s', async (expression, value) => {
    const answer = await ask(expression, shop)
    expect(answer).toMatchObject({ ok: true })
    if (answer.ok && expression !== '__proto__') expect(answer.value).toEqual(value)
  })

  test.each([
    ['orders[?total > 10].id', 'at character 17'],
    ['orders[', 'at character 8'],
    ['#', 'at character 1'],
    ['nothing(orders)', 'Unknown function: nothing()'],
    ['sum(orders)', 'Invalid argument type for function sum()'],
  ])('%s says what is wrong and where', async (expression, words) => {
    const answer = await ask(expression, shop)
    expect(answer).toMatchObject({ ok: false, code: 'expression', message: expect.stringContaining(words) })
  })

  test('reads a file of the workspace, and says when it is no JSON', async () => {
    fs.writeFileSync(path.join(folder, 'shop.json'), JSON.stringify(shop))
    fs.writeFileSync(path.join(folder, 'bad.json'), '{"a": 1,}')
    const files = createWorkspace(folder)
    const of = (name: string) =>
      askJson({ expression: 'orders[1].id', from: { path: name, files } }, new AbortController().signal)
    expect(await of('shop.json')).toMatchObject({ ok: true, value: 'b' })
    expect(await of('bad.json')).toMatchObject({
      ok: false,
      code: 'data',
      message: expect.stringMatching(/position 8/),
    })
    expect(await of('gone.json')).toMatchObject({ ok: false, code: 'data' })
    expect(await of('../x.json')).toMatchObject({ ok: false, code: 'data' })
  })

  test('T52 a result that was too long to be kept whole is said to be cut', async () => {
    const of = (text: string) => {
      const artifacts = { readBase64: async () => Buffer.from(text).toString('base64') }
      return askJson({ expression: '@', from: { artifact: 'a', artifacts } }, new AbortController().signal)
    }
    const long = JSON.stringify(Array.from({ length: 40 }, () => 'x'.repeat(150_000)))
    expect(await of(long.slice(0, maxKeptBytes))).toMatchObject({
      ok: false,
      code: 'data',
      message: expect.stringMatching(/^The result was longer than 5 MiB and only that much of it was kept/),
    })
    expect(await of('{"a": 1,}')).toMatchObject({
      code: 'data',
      message: expect.stringMatching(/position 8/),
    })
    expect(await of('[1]')).toMatchObject({ ok: true, value: [1] })
  })

  test('T52 a long result is cut, and what is left is counted', async () => {
    const many = Array.from({ length: 5_000 }, (_, n) => ({ n, text: 'x'.repeat(20) }))
    const items = await ask('[]', many)
    expect(items).toMatchObject({ ok: true, left: { of: 'items', total: 5_000 } })
    if (items.ok) expect(items.value).toHaveLength(items.left?.shown ?? 0)
    const keys = Object.fromEntries(many.map(({ n, text }) => [`k${n}`, text]))
    expect(await ask('@', keys)).toMatchObject({ left: { of: 'keys', total: 5_000 } })
    expect(await ask('@', 'y'.repeat(30_000))).toMatchObject({
      left: { of: 'characters', shown: 20_000, total: 30_000 },
    })
    expect(await ask('@', [['z'.repeat(30_000)]])).toMatchObject({ left: { of: 'characters' } })
  })

  test('T53 an expression that never ends is given up after its time', async () => {
    const list = Array.from({ length: 300 }, (_, n) => n)
    const literal = `\`${JSON.stringify(list)}\``
    const slow = ['map(&', 'map(&', 'map(&', 'map(&[@], $), $), $), @)'].join('').replaceAll('$', literal)
    expect(await ask(slow, list, 1_000)).toMatchObject({
      ok: false,
      code: expect.stringMatching(/timeout|memory/),
    })
    expect(await ask('length(@)', list)).toMatchObject({ ok: true, value: 300 })
  })

  test('JSON that is nested too deep breaks nothing', async () => {
    const deep = await ask('@', { raw: '['.repeat(200_000) + ']'.repeat(200_000) })
    // The JSON of Deno has no such limit.
    expect(deep.ok ? deep.value : deep.code).toEqual(expect.anything())
    expect(await ask('@', [1])).toMatchObject({ ok: true, value: [1] })
  })
})
