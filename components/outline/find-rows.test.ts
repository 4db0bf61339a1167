import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { findRows } from './find-rows'
import { outlineRows } from './outline-rows'

const graph = drawing(
  [
    node('a', 'agent', { name: 'a', title: 'Shop' }),
    node('sql', 'tool:builtin', { tools: ['sql.execute'] }),
    node('math', 'tool:builtin', { tools: ['math.calculate'] }),
    node('p', 'policy:results'),
  ],
  [['sql', 'a'], ['math', 'a'], ['p', 'sql']], // biome-ignore format: side by side
)
const rows = outlineRows(graph, catalog, new Set())
const titles = (query: string) => findRows(rows, query).rows.map(({ title }) => title)

test('without a query every row stays', () => {
  expect(findRows(rows, ' ')).toEqual({ rows, found: [] })
})

test('a match stays with the rows above it, and the best match is known', () => {
  expect(titles('calc')).toEqual(['Shop', 'math.calculate'])
  expect(titles('results')).toEqual(['Shop', 'sql.execute', 'results'])
  expect(findRows(rows, 'sql execute').found).toEqual(['sql'])
})

test('a row is found by words that it does not show', () => {
  const { found } = findRows(rows, 'arithmetic', ({ node: id }) => (id === 'math' ? ['Arithmetic'] : []))
  expect(found).toEqual(['math'])
})

test('nothing matches: no rows', () => {
  expect(findRows(rows, 'zebra')).toEqual({ rows: [], found: [] })
})
