import { afterEach, beforeEach, expect, it } from 'vitest'
import { agentRow, type TemporaryStores, temporaryStores } from '#db/rows.fixture'
import type { AgentRow } from '#lib/spec/store'
import { agentList } from '#lib/wire/agents'
import { type House, openHouse } from '../house.fixture'
import { catalog } from '../runs/run-house.fixture'
import { createSummaries } from './agent-summary'

let place: TemporaryStores
let house: House
beforeEach(() => {
  place = temporaryStores()
  house = openHouse()
})
afterEach(async () => {
  place.end()
  await house.end()
})

it('a list of 25 large agents is small, and each agent by itself still carries everything', () => {
  const tools = Array.from({ length: 40 }, (_, n) => ({
    use: 'code',
    name: `part_${n}`,
    description: 'Gives one.',
    source: `return 1 // ${'x'.repeat(20_000)}`,
  }))
  const { agents } = house.app
  const ids = Array.from(
    { length: 25 },
    (_, n) => agents.create({ config: { name: `large-${n}`, tools } }).id,
  )
  const text = JSON.stringify(agents.list())
  expect(text.length).toBeLessThan(25 * 10_000)
  const { items } = agentList.parse(JSON.parse(text))
  expect(items).toHaveLength(25)
  expect(items[0]).toMatchObject({ runnable: true, digest: { tools: 40, policies: 0, model: null } })
  expect(items[0]?.digest.nodes.length).toBeGreaterThan(40)
  expect(JSON.stringify(agents.get(ids[0] ?? '')).length).toBeGreaterThan(1_000_000)
}, 60_000)

it('reads the drawing of an agent once, and again when it is saved', () => {
  const { agents } = place.stores
  const read: string[] = []
  const list = createSummaries(
    {
      ...agents,
      get: (id) => {
        read.push(id)
        return agents.get(id)
      },
    },
    catalog,
  )
  const row = (n: number, change: Partial<AgentRow> = {}) =>
    agentRow({ id: `agent_${n}`, name: `a-${n}`, ...change })
  for (let n = 0; n < 50; n++) agents.insert(row(n))
  expect(list()).toHaveLength(50)
  expect(list()).toEqual(list())
  expect(read).toHaveLength(50)
  expect(agents.update(row(7, { revision: 2, title: 'Seven' }))).toBe('saved')
  agents.remove('agent_8', 1)
  expect(list().find(({ id }) => id === 'agent_7')?.title).toBe('Seven')
  expect(read.slice(50)).toEqual(['agent_7'])
})
