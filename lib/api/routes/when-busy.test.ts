import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { createdRun, runList, runView, steeredRun } from '#lib/wire/runs'

let house: House
let agentId = ''
let going: { id: string; threadId: string }

const turns = [{ text: 'one two three', fault: { stallMs: 60_000 } }]
const model: JsonObject = { provider: 'scripted', name: 'script', turns }

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const send = (body: JsonObject) => ask('/api/agents/{id}/runs', of(agentId, { method: 'POST', body }))
const more = (whenBusy?: string) =>
  send({ input: 'more', threadId: going.threadId, ...(whenBusy !== undefined && { whenBusy }) })
const remove = (id: string) => ask('/api/runs/{id}/withdraw', of(id, { method: 'POST', body: {} }))

beforeEach(async () => {
  house = openHouse()
  agentId = house.app.agents.create({ config: { name: 'slow', model } }).id
  going = createdRun.parse(await (await send({ input: 'first' })).json())
})
afterEach(() => {
  house.app.runs.cancel(going.id)
  return house.end()
})

describe('a second message to a thread whose run is under way (E-37)', () => {
  test('is refused by default', async () => {
    for (const whenBusy of [undefined, 'refuse']) {
      const answer = await more(whenBusy)
      expect(answer.status).toBe(409)
      expect(await answer.json()).toMatchObject({ error: { code: 'thread_busy' } })
    }
    expect((await more('wait')).status).toBe(400)
  })

  test('waits for it with `queue`, is listed as waiting, and can be deleted once', async () => {
    const answer = await more('queue')
    expect(answer.status).toBe(201)
    const { id, ...rest } = createdRun.parse(await answer.json())
    expect(rest).toEqual({ threadId: going.threadId, status: 'queued', behind: true })
    expect(runView.parse(await (await ask('/api/runs/{id}', of(id))).json())).toMatchObject({
      status: 'queued',
      behind: true,
      seq: 0,
    })
    const query = `?thread=${going.threadId}`
    const { items } = runList.parse(await (await ask('/api/runs', { query })).json())
    expect(items.map((each) => [each.id, each.behind])).toEqual([
      [id, true],
      [going.id, undefined],
    ])
    expect((await remove(id)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
    expect((await remove(going.id)).status).toBe(409)
  })

  test('is given to it with `steer`', async () => {
    const answer = await more('steer')
    expect(answer.status).toBe(202)
    expect(steeredRun.parse(await answer.json())).toMatchObject({
      ...going,
      status: expect.any(String),
      steered: true,
    })
    const events = house.app.runs.events(going.id)
    expect([...events].flat().map(({ type }) => type)).toContain('run.steered')
    const withFiles = await send({ input: 'x', threadId: going.threadId, whenBusy: 'steer', files: ['a'] })
    expect(withFiles.status).toBe(400)
  })
})
