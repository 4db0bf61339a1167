import { expect, test } from 'vitest'
import type { JsonValue } from '#lib/spec/json'
import { took } from '#lib/spec/took.fixture'
import { type Checked, checkValue } from './check'

const spread = (count: number) => Array.from({ length: count }, (_, index) => index)
const nested = (depth: number): JsonValue => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
const twice = { $ref: '#/$defs/a' }

/** Without a bound on the work, each of these keeps a server busy for seconds or for ever. */
const hostile: [string, Record<string, unknown>, JsonValue][] = [
  ['a pattern that backtracks', { pattern: '^(a+)+$' }, `${'a'.repeat(40_000)}!`],
  [
    'a pattern of keys that backtracks',
    { patternProperties: { '^(\\w+\\s?)*$': false } },
    { [`${'a'.repeat(40_000)}!`]: 1 },
  ],
  ['a pattern of many states', { pattern: '(?:.{0,70}){0,70}$' }, 'a'.repeat(100_000)],
  [
    'many patterns of many states',
    { patternProperties: Object.fromEntries(spread(500).map((at) => [`a{9000}${at}`, true])) },
    { a: 1 },
  ],
  ['the format of an address', { format: 'url' }, `http://${'a-'.repeat(50_000)}`],
  ['the format of an address with names', { format: 'url' }, `http://${'a@'.repeat(50_000)}`],
  ['a long list of unlike items', { uniqueItems: true }, spread(100_000).map((at) => ({ at }))],
  [
    'a long list in a long list of choices',
    { items: { enum: spread(2000).map((at) => ({ at })) } },
    spread(20_000).map((at) => ({ at: -at })),
  ],
  [
    'branches that double at each level',
    {
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: [{ properties: { a: twice } }, { properties: { a: twice } }] } },
    },
    nested(60),
  ],
  [
    'branches that double and all fail',
    {
      $ref: '#/$defs/a',
      $defs: { a: { type: 'object', properties: { a: { oneOf: [twice, twice] } } } },
    },
    nested(60),
  ],
  [
    'branches that double without a value',
    {
      $ref: '#/$defs/a0',
      $defs: Object.fromEntries(
        spread(60)
          .map((at) => [
            `a${at}`,
            { allOf: [{ $ref: `#/$defs/a${at + 1}` }, { $ref: `#/$defs/a${at + 1}` }] },
          ])
          .concat([['a60', true as never]]),
      ),
    },
    1,
  ],
  ['a reference in circles', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
  [
    'a bottomless value',
    { $ref: '#/$defs/a', $defs: { a: { properties: { a: twice }, additionalProperties: false } } },
    nested(5000),
  ],
  ['a bottomless value compared', { const: {} }, nested(5000)],
  ['a bottomless schema', JSON.parse(`${'{"not":'.repeat(5000)}{}${'}'.repeat(5000)}`), 1],
  [
    'many things wrong under a long key',
    { additionalProperties: { items: { type: 'string' } } },
    { ['k'.repeat(100_000)]: spread(20_000) },
  ],
  [
    'many unknown keys',
    { properties: {}, additionalProperties: false },
    Object.fromEntries(spread(50_000).map((at) => [`k${at}`, 1])),
  ],
  [
    'many keywords for each of many items',
    {
      items: { properties: Object.fromEntries(spread(5000).map((at) => [`k${at}`, {}])) },
    },
    spread(5000).map(() => ({})),
  ],
  [
    'unseen keys of many branches',
    {
      allOf: spread(1000).map(() => ({ additionalProperties: true })),
      unevaluatedProperties: false,
    },
    Object.fromEntries(spread(20_000).map((at) => [`k${at}`, 1])),
  ],
]

test.each(hostile)('%s takes a moment, and is never let through unread', (_, schema, value) => {
  let checked: Checked | undefined
  const cost = took(() => {
    checked = checkValue(schema, value)
  })
  expect(cost).toBeLessThan(2500)
  expect(checkValue(schema, value), 'and the answer does not depend on what was asked before').toEqual(
    checked,
  )
})

test('what was found before the work ran out is reported, as not the whole list', () => {
  const branch = { properties: { a: twice } }
  const schema = { required: ['b'], ...branch, $defs: { a: { anyOf: [branch, branch] } } }
  const checked = checkValue(schema, nested(60))
  expect(checked).toMatchObject({ verdict: 'misfit', isWhole: false })
  expect(checked.verdict === 'misfit' && checked.findings[0]).toMatchObject({ keyword: 'required' })
})
