/** Hooks from a stored config to a real port and back, including secrets and the stop of the server. */
import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type House, openHouse, scriptOf } from '../runs/run-house.fixture'
import { type HookStandIn, openHook, type Played } from './hooks.fixture'

let house: House | undefined
let stand: HookStandIn | undefined
afterEach(async () => {
  await house?.leave()
  await stand?.close()
  house = undefined
  stand = undefined
})

const turns: JsonObject[] = [{ calls: [{ name: 'send' }] }, { text: 'done' }]

describe('hooks of a stored agent (S4-26)', () => {
  async function played(entry: JsonObject, answer: Played, open?: Parameters<typeof openHook>[1]) {
    stand = await openHook(() => answer, open)
    house = openHouse({
      hooks: stand.hooks,
      bodies: { send: { effect: 'effect', run: async () => ({ ok: true, blocks: [] }) } },
    })
    const policies = [{ use: 'hook', url: `${stand.url}/h`, ...entry }]
    const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns, { policies })), input: 'go' })
    await house.end(id)
    expect(house.faults).toEqual([])
    return { id, events: house.stores.runs.events(id) }
  }

  test('are asked with the run’s id, as JSON', async () => {
    const { id, events } = await played({}, '')
    expect(stand?.asked).toMatchObject([{ version: 1, on: 'pre_acting', runId: id, path: '/h' }])
    expect(stand?.headers[0]?.['content-type']).toBe('application/json')
    expect(events.at(-1)).toMatchObject({ status: 'completed', answer: 'done' })
  })

  test('get secrets in headers, for the origin they are meant for alone; no event tells one', async () => {
    const open: Parameters<typeof openHook>[1] = (name, origin) =>
      origin === stand?.url && name === 'KEY'
        ? { ok: true, value: 'sesame-123' }
        : { ok: false, why: 'origin', problem: `The secret ${name} may not be sent to ${origin}.` }
    const headers = { authorization: { secret: 'KEY' }, 'x-plain': 'yes' }
    const { events } = await played({ headers }, '', open)
    expect(stand?.headers[0]).toMatchObject({ authorization: 'sesame-123', 'x-plain': 'yes' })
    expect(JSON.stringify(events)).not.toContain('sesame')
  })

  test('fail in words where a secret may not go, and are not asked', async () => {
    const { events } = await played({ headers: { authorization: { secret: 'KEY' } } }, '')
    expect(stand?.asked).toEqual([])
    expect(events.find((each) => each.type === 'hook.called')).toMatchObject({
      decision: 'deny',
      error:
        'The secret KEY is not available here. Name the data folder of a server that has it with --data.',
    })
  })
})

test('S4-26 a hook that is cut off by a stop of the server is asked by the next one, and the call runs once', async () => {
  let isUp = false
  stand = await openHook(() => (isUp ? '' : 'hang'))
  house = openHouse({
    hooks: stand.hooks,
    bodies: { send: { effect: 'effect', run: async () => ({ ok: true, blocks: [] }) } },
  })
  const policies = [{ use: 'hook', url: stand.url, timeoutSeconds: 10 }]
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(turns, { policies })), input: 'go' })
  const end = Date.now() + 20_000
  while (stand.asked.length === 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5))
  const began = performance.now()
  await house.runs.drain(30_000)
  expect(performance.now() - began).toBeLessThan(8_000)
  house.stores.close()
  isUp = true
  house = house.reopen()
  house.runs.recover()
  await house.end(id)
  expect(stand.asked).toHaveLength(2)
  expect(house.ran).toEqual(['call_1_1'])
  expect(house.stores.runs.events(id).at(-1)).toMatchObject({ status: 'completed', answer: 'done' })
})
