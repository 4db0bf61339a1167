import { describe, expect, it } from 'vitest'
import type { AgentSummary } from '#lib/wire/agents'
import { findAgents, readOrder, readView } from './find-agents'

const agent = (name: string, updatedAt: number, title = ''): AgentSummary => ({
  id: name,
  name,
  title,
  description: '',
  revision: 1,
  runnable: true,
  configHash: null,
  version: null,
  digest: { nodes: [], wires: [], tools: 0, policies: 0, model: null },
  createdAt: 0,
  updatedAt,
})

const all = [agent('zebra', 3), agent('retail-2', 1), agent('retail-10', 2), agent('x', 9, 'Apple counter')]
const names = (query: string, order: 'changed' | 'name') =>
  findAgents(all, query, order).map((each) => each.name)

describe('the list of agents', () => {
  it('begins with the one changed last', () => {
    expect(names('', 'changed')).toEqual(['x', 'zebra', 'retail-10', 'retail-2'])
  })

  it('goes by what is shown, with figures as figures', () => {
    expect(names('', 'name')).toEqual(['x', 'retail-2', 'retail-10', 'zebra'])
  })

  it('holds those in which every word stands, in any case', () => {
    expect(names('COUNTER app', 'changed')).toEqual(['x'])
    expect(names('retail zebra', 'changed')).toEqual([])
  })

  it('takes no order that it does not know', () => {
    expect(readOrder('name')).toBe('name')
    expect(readOrder('size')).toBe('changed')
    expect(readOrder(null)).toBe('changed')
  })
})

it('is shown as rows when there are many, unless the person chose otherwise', () => {
  expect([readView(null, 11), readView(null, 12), readView('nonsense', 12)]).toEqual([
    'cards',
    'list',
    'list',
  ])
  expect([readView('cards', 50), readView('list', 1)]).toEqual(['cards', 'list'])
})
