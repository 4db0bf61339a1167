import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { wireChoices } from './wire-choices'

const graph = drawing(
  [
    node('a', 'agent', { name: 'a' }),
    node('sql', 'tool:builtin', { tools: ['sql.execute'] }),
    node('math', 'tool:builtin', { tools: ['math.calculate'] }),
    node('r', 'policy:results'),
  ],
  [
    ['sql', 'a'],
    ['r', 'a'],
  ],
)
const labels = (id: string) => wireChoices(graph, catalog, id).map((each) => each.label)

test('a policy may go to every tool, and its wire can be removed', () => {
  expect(labels('r')).toEqual([
    'Connect to sql.execute',
    'Connect to math.calculate',
    'Remove the wire to the agent',
  ])
})

test('the agent can be connected from a part that is not wired', () => {
  expect(labels('a')[0]).toBe('Connect from math.calculate')
})

test('a choice is one edit', () => {
  const [choice] = wireChoices(graph, catalog, 'math')
  expect(choice?.label).toBe('Connect to the agent')
  expect(choice?.apply(graph, catalog).graph.edges).toHaveLength(3)
})
