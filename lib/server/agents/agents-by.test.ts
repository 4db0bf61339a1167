import { expect, it } from 'vitest'
import { agentRow, temporaryStores } from '#db/rows.fixture'
import type { AgentStore } from '#lib/spec/store'
import { createKnowledge } from '../recall/knowledge'

/** Two agents with the same parts, and how many drawings were read. */
function twoAgents() {
  const config = { collections: ['col-1', 'col-2'] }
  const nodes = ['n1', 'n2'].map((id) => ({ id, kind: 'tool:knowledge', position: { x: 0, y: 0 }, config }))
  const rows = [1, 2].map((n) => {
    const row = agentRow({ id: `agent_${n}`, name: `agent-${n}` })
    return { ...row, graph: { ...row.graph, nodes } }
  })
  let reads = 0
  const agents: Pick<AgentStore, 'heads' | 'get'> = {
    heads: () => rows,
    get: (id) => {
      reads += 1
      return rows.find((row) => row.id === id)
    },
  }
  return { agents, reads: () => reads }
}

it('S4-07 a list of collections reads each drawing once, and names each agent that uses one once', () => {
  const place = temporaryStores()
  try {
    const { agents, reads } = twoAgents()
    const knowledge = createKnowledge({ store: place.stores.knowledge, agents, now: () => 1 })
    for (const name of ['col-1', 'col-2', 'col-3']) knowledge.create({ name })
    const before = reads()
    const { items } = knowledge.list()
    expect(reads() - before).toBe(2)
    expect(items.map(({ usedBy }) => usedBy.map(({ name }) => name))).toEqual([
      ['agent-1', 'agent-2'],
      ['agent-1', 'agent-2'],
      [],
    ])
    expect(Object.keys(items[0]?.usedBy[0] ?? {})).toEqual(['id', 'name', 'title'])
  } finally {
    place.end()
  }
})
