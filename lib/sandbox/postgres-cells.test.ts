import { expect, test } from 'vitest'
import { postgresCell } from './postgres-cells'

test.each([
  [null, 23, null],
  ['t', 16, true],
  ['9007199254740993', 20, '9007199254740993'],
  ['42', 20, 42],
  ['12.50', 1700, 12.5],
  ['0.1234567890123456789', 1700, '0.1234567890123456789'],
  ['NaN', 1700, 'NaN'],
  ['-Infinity', 701, '-Infinity'],
  ['1e+300', 701, 1e300],
  ['{"a": [1]}', 3802, { a: [1] }],
  ['2024-03-01', 1082, '2024-03-01'],
  [`\\x${'00'.repeat(40)}`, 17, `\\x${'00'.repeat(32)} (40 bytes)`],
])('%j of the type %i is %j in JSON', (text, type, value) => {
  expect(postgresCell(text, type)).toEqual({ value, cut: false })
})

test('T52 a long text is cut, and says so', () => {
  expect(postgresCell('x'.repeat(30_000), 25)).toMatchObject({ cut: true })
})
