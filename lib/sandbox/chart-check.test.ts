import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { checkSpec } from './chart-check'
import { Undrawable } from './chart-wire'

const sales = new Map([['sales', ['Month', 'Revenue', 'Rev. (net)']]])
const bars = { mark: 'bar', encoding: { x: { field: 'Month' }, y: { field: 'Revenue' } } }

function refusalOf(spec: JsonObject, tables: ReadonlyMap<string, readonly string[]> = sales) {
  try {
    checkSpec(spec, tables)
  } catch (error) {
    if (error instanceof Undrawable) return [error.code, error.message]
    throw error
  }
  return undefined
}

describe('a specification', () => {
  test('without data of its own takes the one table that the call gives', () => {
    expect(checkSpec(bars, sales)).toEqual({ ...bars, data: { name: 'sales' } })
  })

  test.each<[string, JsonObject, string]>([
    ['data from an address', { ...bars, data: { url: 'https://x.test/a.csv' } }, 'spec.data.url'],
    [
      'an address in a lookup',
      { ...bars, transform: [{ lookup: 'id', from: { key: 'id', data: { url: 'file:///etc/passwd' } } }] },
      'spec.transform[0].from.data.url',
    ],
    [
      'a map from an address',
      { data: { url: 'data:,{}', format: { type: 'topojson' } }, mark: 'geoshape' },
      'spec.data.url',
    ],
    ['a link', { ...bars, encoding: { ...bars.encoding, href: { field: 'Month' } } }, 'spec.encoding.href'],
    ['a link of a mark', { ...bars, mark: { type: 'bar', href: 'javascript:alert(1)' } }, 'spec.mark.href'],
    ['an image mark', { ...bars, mark: 'image' }, 'spec.mark'],
    [
      'an image mark in a layer',
      { layer: [bars, { mark: { type: 'image', width: 10 } }] },
      'spec.layer[1].mark',
    ],
    [
      'a loader',
      { ...bars, usermeta: { embedOptions: { loader: { target: '_blank' } } } },
      'spec.usermeta.embedOptions.loader',
    ],
  ])('with %s is refused with its place', (_, spec, place) => {
    const [code, message] = refusalOf(spec) ?? []
    expect(code).toBe('refused')
    expect(message).toMatch(new RegExp(`^${place.replace(/[[\].]/g, '\\$&')} is refused: .*\\.$`))
  })

  test('may have rows with columns that are named like what is refused', () => {
    const values = [{ url: 'https://x.test/', href: '#', type: 'image' }]
    const spec = { data: { values }, mark: 'bar', encoding: { x: { field: 'url' } } }
    expect(checkSpec(spec, new Map())).toEqual(spec)
  })

  test('that names data which are not there says which are', () => {
    expect(refusalOf({ ...bars, data: { name: 'sails' } })).toEqual([
      'spec',
      'spec.data names the data "sails", which are not there. The call gives "sales".',
    ])
    expect(refusalOf({ ...bars, data: { name: 'sales' } }, new Map())?.[1]).toContain(
      'The call gives no files',
    )
  })

  test('that misspells a column says where, and which it could be', () => {
    const spec = { ...bars, encoding: { ...bars.encoding, y: { field: 'revenu' } } }
    expect(refusalOf(spec)).toEqual([
      'spec',
      'spec.encoding.y.field is "revenu", but the data have no such column. Did you mean "Revenue"? The columns are "Month", "Revenue", "Rev. (net)".',
    ])
  })

  test('may use columns that its transforms make', () => {
    const spec = { ...bars, transform: [{ calculate: '1', as: 'one' }], encoding: { x: { field: 'one' } } }
    expect(refusalOf(spec)).toBeUndefined()
  })

  test('may name a column with dots and brackets as it is', () => {
    const spec = checkSpec({ ...bars, encoding: { y: { field: 'Rev. (net)' } } }, sales)
    expect(spec).toMatchObject({ encoding: { y: { field: 'Rev\\. (net)' } } })
  })

  test.each<[string, JsonObject, string]>([
    ['a side of 100,000 pixels', { ...bars, width: 100_000 }, 'spec.width is 100000.'],
    [
      'a sequence of a million rows',
      { ...bars, data: { sequence: { start: 0, stop: 1e6 } } },
      'spec.data.sequence',
    ],
    ['the width of a page', { ...bars, width: 'container' }, 'spec.width is "container"'],
    ['marks of Vega', { marks: [] }, 'This is a Vega specification.'],
    [
      'the schema of Vega',
      { $schema: 'https://vega.github.io/schema/vega/v6.json' },
      'This is a Vega specification.',
    ],
  ])('with %s is refused', (_, spec, begin) => {
    expect(refusalOf(spec)?.[1]).toContain(begin)
  })

  test('nested too deep is refused and overflows nothing', () => {
    let spec: JsonObject = {}
    for (let depth = 0; depth < 5_000; depth++) spec = { layer: [spec] }
    expect(refusalOf(spec)?.[1]).toContain('nested deeper than 60 levels')
  })
})
