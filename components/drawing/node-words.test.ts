import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { node } from '#lib/graph/drawings.fixture'
import { nodeWords } from './node-words'

test('a card that offers several tools is found by any of their names, and a tool also by its description', () => {
  const several = node('t', 'tool:builtin', { tools: ['sql.*', 'math.calculate'] })
  expect(nodeWords(several, catalog)).toEqual(expect.arrayContaining(['sql.execute', 'math.calculate']))
  const own = node('c', 'tool:code', { name: 'refund', description: 'Gives money back.' })
  expect(nodeWords(own, catalog)).toContain('Gives money back.')
})
