import { expect, it } from 'vitest'
import type { EventOf } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type House, openHouse, scriptOf } from './run-house.fixture'

const done = { text: 'done' }
let agents = 0

async function ask(house: House, rest: JsonObject, turns: JsonObject[] = [done]) {
  const agentId = house.agent(scriptOf(turns, rest), `agent-${++agents}`)
  const row = house.runs.create({ agentId, input: 'Go.' })
  await house.end(row.id)
  return row.id
}

function requestsOf(house: House, runId: string): string[] {
  const sent = house.stores.runs.events(runId).filter((each) => each.type === 'model.requested')
  return (sent as EventOf<'model.requested'>[]).map((each) => each.tools.map(({ name }) => name).join(' ')) // cast: filtered by type
}

it('S0-08 S0-31 offers heavier tools first across all entries, and keeps the order of equal ones', async () => {
  const house = openHouse()
  const tools: JsonObject[] = [
    { use: 'builtin', tools: ['time.now', 'math.calculate'], weight: { 'time.now': 50 } },
    { use: 'builtin', tools: ['files.list', 'files.view'], weight: { 'files.view': 200 } },
  ]
  const plain = tools.map(({ weight: _weight, ...entry }) => entry)
  expect(requestsOf(house, await ask(house, { tools: plain }))).toEqual([
    'time.now math.calculate files.list files.view',
  ])
  expect(requestsOf(house, await ask(house, { tools }))).toEqual([
    'files.view math.calculate files.list time.now',
  ])
  await house.leave()
})

it('S0-08 offers a core tool while its group is off, unless a policy denies it', async () => {
  const house = openHouse()
  const rest = {
    tools: [
      { use: 'builtin', tools: ['files.list', 'files.view'], group: 'files', core: { 'files.list': true } },
    ],
    groups: [{ name: 'files', description: 'Work with files.' }],
  }
  expect(requestsOf(house, await ask(house, rest))).toEqual(['files.list tools.equip'])
  const policies = [{ use: 'skills', deny: ['files.list'] }]
  expect(requestsOf(house, await ask(house, { ...rest, policies }))).toEqual(['tools.equip'])
  await house.leave()
})

it('S0-08 tells the model nothing of a hidden tool but runs a call of it', async () => {
  const house = openHouse()
  const tools: JsonObject[] = [
    { use: 'builtin', tools: ['time.now'] },
    { use: 'builtin', tools: ['math.calculate'], visible: { 'math.calculate': false } },
  ]
  const call = { calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] }
  const id = await ask(house, { tools }, [call, done])
  expect(requestsOf(house, id)).toEqual(['time.now', 'time.now'])
  const request = await house.runs.request(id, 1)
  expect(request.exact).toBe(true)
  expect(JSON.stringify(request)).toMatch(/time[._]now/)
  expect(JSON.stringify(request)).not.toMatch(/math[._]calculate/)
  const events = house.stores.runs.events(id)
  expect(events.find((each) => each.type === 'call.finished')).toMatchObject({
    name: 'math.calculate',
    status: 'ok',
    result: { text: '42' },
  })
  const started = events.find((each) => each.type === 'run.started')
  expect(started).toMatchObject({ tools: { offered: [{ name: 'time.now' }, { hidden: true }] } })
  await house.leave()
})

it('S0-08 a hidden tool is refused like any other when a policy denies it', async () => {
  const house = openHouse()
  const tools: JsonObject[] = [
    { use: 'builtin', tools: ['time.now', 'math.calculate'], visible: { 'math.calculate': false } },
  ]
  const call = { calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] }
  const policies = [{ use: 'skills', deny: ['math.*'] }]
  const id = await ask(house, { tools, policies }, [call, done])
  const finished = house.stores.runs.events(id).find((each) => each.type === 'call.finished')
  expect(finished).toMatchObject({ name: 'math.calculate', status: 'denied' })
  await house.leave()
})
