/** Search by meaning, with the vectors of a service on loopback. Real services were not seen. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ask, type House, openHouse } from '#lib/server/house.fixture'
import { scriptOf } from '#lib/server/runs/run-house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { type ModelServer, startModelServer } from './model-server'

let server: ModelServer
let house: House
beforeEach(async () => {
  server = await startModelServer({ key: 'sk-vectors' })
  house = openHouse()
  house.app.providers.save('vectors', { baseUrl: server.openaiUrl, key: 'sk-vectors' })
  house.app.knowledge.create({ name: 'handbook' })
  const text =
    '# Travel\nAn automobile is paid for.\n\n# Health\nA physician is free.\n\n# Lunch\nSoup on Mondays.'
  await house.app.knowledge.addFile('handbook', { name: 'a.md', content: bytes(text) }, signal())
})
afterEach(async () => {
  await house.end()
  await server.close()
})

async function* bytes(text: string) {
  yield Buffer.from(text)
}
const signal = () => new AbortController().signal
const look = (query: string) => house.app.knowledge.look({ collections: ['handbook'], query }, signal())
const model = (name: string) => ({ model: { provider: 'vectors', name } })
const isRead = () =>
  vi.waitFor(() => {
    const { texts, done } = house.app.embeddings.view()
    expect([texts, done]).toEqual([3, 3])
  })

it('S4-07 a passage is found by its meaning, and its place in both lists makes its score', async () => {
  expect((await look('Who pays for my car?')).passages).toEqual([])
  await house.app.embeddings.save(model('embed-small'), signal())
  await isRead()
  const { passages, byMeaning } = await look('Who pays for my car?')
  expect(byMeaning).toBe(true)
  expect(passages[0]).toMatchObject({ place: 'Travel', file: 'a.md', score: expect.closeTo(0.5, 2) })
  expect(passages[0]?.words).toBeUndefined()
  const both = await look('Is a physician free?')
  expect(both.passages[0]).toMatchObject({ place: 'Health', score: 1 })
})

it('S4-07 another model reads every text again in the background, and none compares vectors of the one before', async () => {
  await house.app.embeddings.save(model('embed-small'), signal())
  await isRead()
  await house.app.embeddings.save(model('embed-large'), signal())
  await isRead()
  expect((await look('automobile')).passages[0]?.meaning).toBeGreaterThan(0.2)
})

it('S4-07 without its service the search goes on by words, and Settings say why', async () => {
  await house.app.embeddings.save(model('embed-small'), signal())
  await isRead()
  await server.close()
  const { passages, byMeaning } = await look('automobile')
  expect(passages.map(({ place }) => place)).toEqual(['Travel'])
  expect(byMeaning).toBe(false)
  expect(house.app.embeddings.view().problem).toMatch(/cannot be reached/)
  const saved = await ask('/api/embeddings', { method: 'PUT', body: model('embed-large') })
  expect(saved.status).toBe(422)
  expect(house.app.embeddings.view().model?.name).toBe('embed-small')
  const off = await ask('/api/embeddings', { method: 'PUT', body: { model: null } })
  expect([off.status, (await off.json()).model]).toEqual([200, null])
})

it('S4-07 what a run records is read as soon as it is stored', async () => {
  await house.app.embeddings.save(model('embed-small'), signal())
  await isRead()
  const turns: JsonObject[] = [
    { calls: [{ name: 'memory.record', args: { notes: ['Ada drives an automobile.'] } }] },
    { text: 'Noted.' },
  ]
  const config = { ...scriptOf(turns, { tools: [{ use: 'memory', mode: 'agent' }] }), name: 'keeper' }
  const agentId = house.app.agents.create({ config }).id
  house.app.runs.create({ agentId, input: 'Note it.', user: 'ada' })
  await vi.waitFor(() => expect(house.app.embeddings.view()).toMatchObject({ texts: 4, done: 4 }))
  const { items } = await house.app.memory.search(
    agentId,
    { owner: 'user:ada', query: 'Which car?' },
    signal(),
  )
  expect(items).toMatchObject([{ text: 'Ada drives an automobile.', meaning: expect.any(Number) }])
})

it('S4-07 a text that the service refuses is found by its words, and the others by their meaning', async () => {
  const content = bytes('An unreadable line.')
  await house.app.knowledge.addFile('handbook', { name: 'b.md', content }, signal())
  await house.app.embeddings.save(model('embed-small'), signal())
  await vi.waitFor(() => expect(house.app.embeddings.view()).toMatchObject({ texts: 4, done: 4 }))
  const { refused, problem } = house.app.embeddings.view()
  expect(refused).toMatchObject({ count: 1, first: [{ text: 'An unreadable line.' }] })
  expect(refused?.first[0]?.problem).toMatch(/refused the request for vectors \(HTTP 400\)/)
  expect(problem).toBeUndefined()
  expect((await look('unreadable')).passages.map(({ file }) => file)).toContain('b.md')
  expect((await look('Who pays for my car?')).passages[0]).toMatchObject({ place: 'Travel' })
})
