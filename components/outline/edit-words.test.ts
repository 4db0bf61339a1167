import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { addNode, connect, removeNodes, setParked, shiftNode } from '#lib/graph/edit'
import { editWords } from './edit-words'

const agent = node('a', 'agent', { name: 'a', title: 'Shop' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })
const math = node('math', 'tool:builtin', { tools: ['math.calculate'] })
const graph = drawing([agent, sql, math], [['sql', 'a'], ['math', 'a']]) // biome-ignore format: side by side

test('an added part is told with where it is wired', () => {
  const added = addNode(graph, { kind: 'policy:steps', wire: true }, catalog).graph
  expect(editWords(graph, added, catalog)).toBe('steps added and wired to the agent.')
  const loose = addNode(graph, { kind: 'policy:steps' }, catalog).graph
  expect(editWords(graph, loose, catalog)).toBe('steps added, not wired yet.')
})

test('deleting, switching, wiring and moving each have their words', () => {
  expect(editWords(graph, removeNodes(graph, ['sql'], catalog).graph, catalog)).toBe('sql.execute deleted.')
  const off = setParked(graph, ['sql'], true, catalog).graph
  expect(editWords(graph, off, catalog)).toBe('sql.execute switched off.')
  expect(editWords(off, graph, catalog)).toBe('sql.execute switched on.')
  expect(editWords(graph, shiftNode(graph, 'math', -1, catalog).graph, catalog, new Set(['math']))).toBe(
    'math.calculate is 1 of 2 now.',
  )
  const loose = drawing([agent, sql])
  const wired = connect(loose, { node: 'sql', port: 'tool' }, { node: 'a', port: 'tools' }, catalog).graph
  expect(editWords(loose, wired, catalog)).toBe('sql.execute wired to the agent.')
  expect(editWords(wired, loose, catalog)).toBe('Wire removed: sql.execute to the agent.')
})

test('letters typed and cards moved say nothing', () => {
  const typed = { ...graph, nodes: [{ ...agent, config: { name: 'b' } }, sql, math] }
  expect(editWords(graph, typed, catalog)).toBe('')
  expect(editWords(graph, graph, catalog)).toBe('')
})
