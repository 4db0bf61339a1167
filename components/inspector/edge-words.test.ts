import { expect, test } from 'vitest'
import { catalog } from '#lib/graph/catalog.fixture'
import type { GraphNode } from '#lib/spec/graph'
import { meaningOf, type WireEnds } from './edge-words'

const node = (id: string, kind: string, config: GraphNode['config'] = {}): GraphNode => ({ id, kind, config })
const wire = (from: GraphNode, to: GraphNode, isOff = false): WireEnds => ({
  edge: { from: { node: from.id, port: 'x' }, to: { node: to.id, port: 'y' } },
  from,
  to,
  isOff,
})
const agent = node('agent', 'agent', { title: 'Analyst' })
const sql = node('sql', 'tool:builtin', { tools: ['sql.execute'] })

test('a wire says what it means', () => {
  expect(meaningOf(wire(node('model', 'model', { name: 'gpt' }), agent), catalog).sentence).toBe(
    'Analyst asks gpt.',
  )
  expect(meaningOf(wire(sql, agent), catalog)).toMatchObject({
    sentence: 'Offers sql.execute to Analyst.',
    tools: [{ name: 'sql.execute' }],
  })
})

test('a policy over an entry names the tools it covers', () => {
  const over = meaningOf(wire(node('results', 'policy:results'), sql), catalog)
  expect(over.sentence).toMatch(/covers sql\.execute\.$/)
  expect(over.tools.map((each) => each.name)).toEqual(['sql.execute'])
})

test('what is switched off says that it does nothing', () => {
  expect(meaningOf(wire(sql, agent, true), catalog).sentence).toContain('switched off')
})
