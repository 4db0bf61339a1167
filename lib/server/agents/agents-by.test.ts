import { expect, it } from 'vitest'
import { agentRow, temporaryStores } from '#db/rows.fixture'
import type { JsonObject } from '#lib/spec/json'
import type { AgentStore } from '#lib/spec/store'
import { agentsUsing } from '../mcp/users'
import { createOpenapiDocuments } from '../ports/openapi-documents'
import { createKnowledge } from '../recall/knowledge'

/** Two agents with the same parts, and how many drawings were read. */
function twoAgents(kind: string, config: JsonObject) {
  const nodes = ['n1', 'n2'].map((id) => ({ id, kind, position: { x: 0, y: 0 }, config }))
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
    const { agents, reads } = twoAgents('tool:knowledge', { collections: ['col-1', 'col-2'] })
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

it('a list of OpenAPI documents reads each drawing once, and names each agent that uses one once', () => {
  const facts = { title: 'Pets', version: '1', format: '3.0', hash: 'sha256:0', url: null }
  const known = { ...facts, operations: 1, unusable: 0, updatedAt: 1 }
  const place = temporaryStores()
  try {
    const { settings } = place.stores
    settings.set('openapi-documents', { cats: known, dogs: known, pets: known })
    const { agents, reads } = twoAgents('tool:openapi', { document: { name: 'pets', hash: 'sha256:0' } })
    const unused = () => Promise.reject(new Error('Nothing is read here.'))
    const folder = '/nowhere'
    const now = () => 1
    const web = { fetch: unused }
    const documents = createOpenapiDocuments({ settings, folder, agents, web, read: unused, now })
    const { items } = documents.list()
    expect(reads()).toBe(2)
    expect(items.map(({ name, usedBy }) => [name, usedBy])).toEqual([
      ['cats', []],
      ['dogs', []],
      ['pets', agents.heads().map(({ id, name, title }) => ({ id, name, title }))],
    ])
  } finally {
    place.end()
  }
})

it('an MCP server names each agent that uses it once', () => {
  const { agents, reads } = twoAgents('tool:mcp', { server: 'files' })
  const users = agents.heads().map(({ id, name, title }) => ({ id, name, title }))
  expect([agentsUsing(agents, 'files'), reads()]).toEqual([users, 2])
  expect(agentsUsing(agents, 'mail')).toEqual([])
})
