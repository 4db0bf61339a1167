import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import { drawing, node } from '#lib/graph/drawings.fixture'
import { emptyWords, sideWords } from './conflict-words'

const agent = node('a', 'agent', { name: 'a' })
const steps = (max: number) => node('s', 'policy:steps', { max })
const with10 = drawing([agent, steps(4)], [['s', 'a']])

test('each side tells what it changed since both saw the same', () => {
  const { whole, changes } = sideWords(with10, drawing([agent, steps(6)], [['s', 'a']]), catalog)
  expect(whole).toBe(true)
  expect(changes).toHaveLength(1)
  expect(changes[0]).toMatch(/4.*6/)
})

test('a drawing that only moved changes nothing the agent does', () => {
  const moved = { ...with10, nodes: with10.nodes.map((each) => ({ ...each, at: { x: 8, y: 8 } })) }
  const words = sideWords(with10, moved, catalog)
  expect(words).toEqual({ whole: true, changes: [] })
  expect(emptyWords(words)).toContain('how it is drawn')
})

test('a drawing with errors is not compared', () => {
  expect(sideWords(with10, drawing([]), catalog).whole).toBe(false)
  expect(sideWords(null, with10, catalog).whole).toBe(false)
})
