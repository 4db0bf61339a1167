import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { outlineRows, stepFrom } from './outline-rows'

const graph = {
  ...drawing(
    [
      node('p', 'policy:results'),
      node('s', 'policy:steps'),
      node('a', 'agent', { name: 'a', title: 'Shop' }),
      node('sql', 'tool:builtin', { tools: ['sql.execute'] }),
      node('math', 'tool:builtin', { tools: ['math.calculate'] }),
      node('m', 'model', { provider: 'scripted', name: 'demo' }),
      node('loose', 'tool:builtin', { tools: ['time.now'] }),
    ],
    [
      ['m', 'a'],
      ['sql', 'a'],
      ['math', 'a'],
      ['s', 'a'],
      ['p', 'sql'],
      ['p', 'math'],
    ],
  ),
  notes: [{ id: 'n', text: 'Read me\nplease', at: [0, 0] as [number, number] }],
}
const rows = outlineRows(graph, catalog, new Set())

test('the tree mirrors the drawing: agent, model, tools with the policies over them, policies, then what is loose', () => {
  expect(rows.map((each) => `${'  '.repeat(each.level - 1)}${each.title}`)).toEqual([
    'Shop',
    '  demo',
    '  sql.execute',
    '    results',
    '  math.calculate',
    '    results',
    '  steps',
    'Not part of the agent',
    '  time.now',
    'Notes',
    '  Read me',
  ])
})

test('every row has a key of its own, and its place among its neighbours', () => {
  expect(new Set(rows.map((each) => each.key)).size).toBe(rows.length)
  expect(rows.slice(0, 3).map(({ position, setSize }) => [position, setSize])).toEqual([
    [1, 3],
    [1, 4],
    [2, 4],
  ])
})

test('what hangs under a closed row is not there', () => {
  expect(outlineRows(graph, catalog, new Set(['a', 'notes'])).map((each) => each.title)).toEqual([
    'Shop',
    'Not part of the agent',
    'time.now',
    'Notes',
  ])
})

test('arrows walk, open and close as in any tree', () => {
  expect(stepFrom(rows, 'a', 'next')).toEqual({ to: 'm' })
  expect(stepFrom(rows, 'a', 'previous')).toEqual({ to: 'a' })
  expect(stepFrom(rows, 'a', 'in')).toEqual({ to: 'm' })
  expect(stepFrom(rows, 'a', 'out')).toEqual({ open: false })
  expect(stepFrom(rows, 'm', 'out')).toEqual({ to: 'a' })
  expect(stepFrom(rows, 'm', 'in')).toEqual({ to: 'm' })
  expect(stepFrom(rows, null, 'next')).toEqual({ to: 'a' })
  expect(stepFrom(rows, 'a', 'last')).toEqual({ to: 'note n' })
})

test('a drawing of a thousand nodes is read without looking at each for each', () => {
  const many = Array.from({ length: 1_000 }, (_, at) => node(`t${at}`, 'tool:code', { name: `t${at}` }))
  const wires = many.map((each): [string, string] => [each.id, 'a'])
  const large = drawing([node('a', 'agent', { name: 'a' }), ...many], wires)
  expect(outlineRows(large, catalog, new Set())).toHaveLength(1_001)
})

test('frames stand last, each under its title, to be chosen, renamed and deleted', () => {
  const frame = { at: [0, 0] as [number, number], size: [200, 100] as [number, number] }
  const framed = {
    ...graph,
    look: {
      frames: [
        { id: 'f', title: 'Figures', ...frame },
        { id: 'g', title: '', ...frame },
      ],
    },
  }
  const last = outlineRows(framed, catalog, new Set()).slice(-3)
  expect(last.map(({ title, frame: id, level }) => [title, id, level])).toEqual([
    ['Frames', undefined, 1],
    ['Figures', 'f', 2],
    ['Untitled frame', 'g', 2],
  ])
})
