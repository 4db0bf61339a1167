import { expect, it } from 'vitest'
import type { RecallState } from '#lib/spec/state'
import { recallRows } from './recall-rows'

const of = { holder: 'run', step: 0 }
const note = { id: 'mem_1', text: 'Ada likes tea.', at: 1, score: 1.5 }
const passage = { collection: 'handbook', file: 'a.md', place: 'Tea', text: 'Tea is green.', score: 0.25 }
const said = (each: RecallState) =>
  recallRows([each], of).map(({ title, detail, words }) => [title, detail, words])

it('S4-41 what a run was given from memory and knowledge is a row, with the score of each text', () => {
  expect(said({ type: 'memory.retrieved', at: 1, node: 'tools/0', query: 'tea', entries: [note] })).toEqual([
    ['From memory', '1 note: 1.50 Ada likes tea.', 'Searched for: tea\n\n1.50  Ada likes tea.'],
  ])
  const [row] = said({
    type: 'knowledge.retrieved',
    at: 1,
    node: 'tools/0',
    query: 'tea',
    passages: [passage],
  })
  expect(row?.[2]).toContain('0.25  a.md, Tea\nTea is green.')
  expect(said({ type: 'memory.retrieved', at: 1, node: 'tools/0', query: 'tea', entries: [] })[0]?.[1]).toBe(
    'nothing fits “tea”',
  )
})

it('S4-41 what was recorded is a row, and so is why nothing was', () => {
  const entries = [{ id: 'mem_1', text: 'Ada likes tea.' }]
  const recorded = { type: 'memory.recorded' as const, at: 1, node: 'tools/0', agent: 'agent_1' }
  expect(said({ ...recorded, entries })[0]).toEqual(['Remembered', 'Ada likes tea.', 'Ada likes tea.'])
  expect(said({ ...recorded, entries: [], skipped: 'A page.' })[0]).toEqual([
    'Not remembered',
    'A page.',
    'A page.',
  ])
})
