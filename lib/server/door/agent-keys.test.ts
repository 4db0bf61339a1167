import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStores } from '#db/open'
import { temporaryFolder } from '#db/rows.fixture'
import { emptyGraph } from '#lib/spec/graph'
import { type House, openHouse } from '../house.fixture'
import { createAgentKeys } from './agent-keys'

const day = 24 * 60 * 60_000
const noon = Date.UTC(2026, 10, 23, 12)

let place: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  place = temporaryFolder()
})
afterEach(() => place.remove())

/** Keys over a fresh database, with a clock that a test sets, and an agent. */
function open() {
  const stores = openStores(path.join(place.folder, 'loopwright.db'))
  const clock = { at: noon, now: () => clock.at, monotonic: () => clock.at }
  stores.agents.insert({
    id: 'agent_1',
    name: 'helper',
    title: '',
    description: '',
    graph: emptyGraph,
    config: null,
    configHash: null,
    origins: {},
    revision: 1,
    createdAt: noon,
    updatedAt: noon,
  })
  return { stores, clock, keys: createAgentKeys({ stores, clock }) }
}

test('a key works until the moment at which it expires', () => {
  const { stores, clock, keys } = open()
  const { key } = keys.create('agent_1', { name: 'k', use: 'mcp', expiresAt: noon + day })
  expect([keys.find(key).ok, keys.has('agent_1', 'mcp'), keys.has('agent_1', 'api')]).toEqual([
    true,
    true,
    false,
  ])
  clock.at = noon + day
  expect([keys.find(key), keys.has('agent_1', 'mcp')]).toEqual([
    { ok: false, error: 'This agent key has expired.' },
    false,
  ])
  expect(() => keys.create('agent_1', { name: 'k', use: 'mcp', expiresAt: noon })).toThrow(/has passed/)
  stores.close()
})

test('the last use of a key is noted, at most once a minute', () => {
  const { stores, clock, keys } = open()
  const { key } = keys.create('agent_1', { name: 'k', use: 'api' })
  const use = () => {
    const found = keys.find(key)
    if (found.ok) keys.enter(found.value, { uses: ['api'], reach: 'own' }, undefined)
    return keys.list('agent_1').items[0]?.lastUsedAt
  }
  expect(use()).toBe(noon)
  clock.at = noon + 59_000
  expect(use()).toBe(noon)
  clock.at = noon + 60_000
  expect(use()).toBe(noon + 60_000)
  stores.close()
})

test('a key is revoked only through its own agent, and keys of an unknown agent are not found', () => {
  const { stores, keys } = open()
  const { id } = keys.create('agent_1', { name: 'k', use: 'api' })
  expect(() => keys.revoke('agent_2', id)).toThrow('There is no such key.')
  expect(() => keys.list('agent_2')).toThrow(/no such agent/)
  keys.revoke('agent_1', id)
  expect(keys.list('agent_1').items).toEqual([])
  stores.close()
})

test('what a run cost still counts after the run is deleted for good', async () => {
  const house: House = openHouse({ folder: place.folder })
  const { id: agentId } = house.app.agents.create({
    config: { name: 'lent', model: { provider: 'scripted', name: 'script', turns: [{ text: 'Hi.' }] } },
  })
  house.app.agents.publish(agentId, {})
  const made = house.app.keys.create(agentId, { name: 'k', use: 'api' })
  const found = house.app.keys.find(made.key)
  if (!found.ok) throw new Error(found.error)
  const { id, threadId } = house.app.keyRuns.begin(found.value, { input: 'Hi' })
  await expect.poll(() => house.app.runs.get(id).status).toBe('completed')
  await house.leave()
  const stores = openStores(path.join(place.folder, 'loopwright.db'))
  const spend = () => stores.keys.spendSince(found.value.id, 0)
  expect(spend()).toMatchObject({ runs: 1 })
  const before = spend()
  stores.threads.remove(threadId)
  expect(stores.runs.stored(id)).toBeUndefined()
  expect(spend()).toEqual(before)
  stores.close()
})
