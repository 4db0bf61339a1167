import { expect, it } from 'vitest'
import type { EventBody } from '#lib/spec/event'
import type { RecallState } from '#lib/spec/state'
import { recallRows } from './recall-rows'
import { rowsOf } from './rows'
import {
  type Asked,
  answered,
  begin,
  callFinished,
  callStarted,
  record,
  requested,
  stepStarted,
} from './run.fixture'

const of = { holder: 'run', step: 0 }
const note = { id: 'mem_1', text: 'Ada likes tea.', at: 1, score: 1.5 }
const passage = { collection: 'handbook', file: 'a.md', place: 'Tea', text: 'Tea is green.', score: 0.25 }
const said = (each: RecallState) =>
  recallRows([each], of).map(({ title, detail, words }) => [title, detail, words])

it('S4-41 what a run was given from memory and knowledge is a row, best first', () => {
  expect(said({ type: 'memory.retrieved', at: 1, node: 'tools/0', query: 'tea', entries: [note] })).toEqual([
    ['From memory', '1 note: 1. Ada likes tea.', 'Searched for: tea\n\n1.  Ada likes tea.'],
  ])
  const [row] = said({
    type: 'knowledge.retrieved',
    at: 1,
    node: 'tools/0',
    query: 'tea',
    passages: [passage],
  })
  expect(row?.[2]).toContain('1.  a.md, Tea\nTea is green.')
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

const search: Asked = { id: 'call_1_1', name: 'knowledge.search' }
const type = 'knowledge.retrieved' as const
const retrieved = { type, node: 'tools/0', query: 'tea', passages: [passage] }
const called = [stepStarted, requested, answered({ calls: [search] }), callStarted(search, 'tools/0')]
const titles = (run: ReturnType<typeof record>) =>
  rowsOf(run.state, new Set()).flatMap(({ title, depth, step }) => (step === 1 ? `${depth} ${title}` : []))

it('S4-07 what a call found is a row of it with the score and the place, also when it comes after the result', () => {
  const run = record(begin, ...called, callFinished(search, 'tools/0', { text: 'two passages' }))
  expect(titles(run)).not.toContain('2 From knowledge')
  run.tell({ ...retrieved, callId: search.id })
  const row = rowsOf(run.state, new Set()).find(({ title }) => title === 'From knowledge')
  expect(row).toMatchObject({ step: 1, depth: 2, tool: 'knowledge.search', at: run.state.seq * 1_000 })
  expect(row?.recall).toMatchObject({ passages: [passage] })
  expect(row?.detail).toContain('1. a.md, Tea')
})

it('S4-06 the trace shows what an agent inside a call read from memory and what it recorded', () => {
  const ask: Asked = { id: 'call_1_1', name: 'agent.ask' }
  const recorded = { node: 'tools/0', agent: 'agent_2', entries: [{ id: 'mem_1', text: 'Ada likes tea.' }] }
  const inside = (...bodies: readonly EventBody[]) =>
    bodies.map((body) => Object.assign({}, body, { parent: ask.id, step: 1 }))
  const run = record(
    begin,
    ...[stepStarted, requested, answered({ calls: [ask] }), callStarted(ask, 'tools/0')],
    ...inside(begin, retrieved, stepStarted, { type: 'memory.recorded', ...recorded }),
  )
  expect(titles(run)).toContain('3 From knowledge')
  expect(titles(run)).toContain('3 Remembered')
})
