import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Ask, ask, type House, openHouse } from '#lib/server/house.fixture'
import type { JsonObject } from '#lib/spec/json'
import { createdRun, eventList, runView, stepRequest } from '#lib/wire/runs'

let house: House
let agentId = ''

const call = { name: 'math.calculate', args: { expression: '6*7' } }
const model: JsonObject = {
  provider: 'scripted',
  name: 'script',
  turns: [{ text: 'Let me see.', calls: [call] }, { text: 'It is 42.' }],
}
const tools = [{ use: 'builtin', tools: ['math.calculate'] }]

beforeEach(() => {
  house = openHouse()
  agentId = house.app.agents.create({ config: { name: 'adder', model, tools } }).id
})
afterEach(() => house.end())

const of = (id: string, more: Ask = {}): Ask => ({ ...more, params: { id } })
const start = (body: unknown) => ask('/api/agents/{id}/runs', of(agentId, { method: 'POST', body }))

async function finished(body: JsonObject): Promise<{ id: string; threadId: string }> {
  const { id, threadId } = createdRun.parse(await (await start(body)).json())
  await (await ask('/api/runs/{id}/events', of(id))).text()
  return { id, threadId }
}
const viewOf = async (id: string, query = '') =>
  runView.parse(await (await ask('/api/runs/{id}', of(id, { query }))).json())
async function sentIn(id: string): Promise<string> {
  const response = await ask('/api/runs/{id}/requests/{step}', { params: { id, step: '1' } })
  const { request, exact } = stepRequest.parse(await response.json())
  expect(exact).toBe(true)
  return JSON.stringify(request)
}

const history: JsonObject[] = [
  { role: 'user', text: 'My number is six.' },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'I look it up.' },
      { type: 'call', id: 'a', name: 'web.fetch', args: { url: 'https://example.com' } },
    ],
  },
  { role: 'tool', callId: 'a', name: 'web.fetch', text: 'Six is a number.' },
  { role: 'assistant', parts: [{ type: 'text', text: 'Six it is.' }] },
]

describe('S3-03 a run that is given a dialogue', () => {
  test('sends it to the model before the question, and so does the next run of its thread', async () => {
    const { id, threadId } = await finished({ input: 'Times seven?', history })
    const sent = await sentIn(id)
    const order = ['My number is six.', 'I look it up.', 'Six is a number.', 'Six it is.', 'Times seven?']
    expect(order.map((each) => sent.indexOf(each)).every((at, n, all) => at > (all[n - 1] ?? -1))).toBe(true)
    const next = await finished({ input: 'And again?', threadId })
    expect(await sentIn(next.id)).toContain('My number is six.')
  })

  test('keeps on record which tools brought something into it', async () => {
    const { id } = await finished({ input: 'Times seven?', history })
    const response = await ask('/api/runs/{id}/events', of(id, { headers: { accept: 'application/json' } }))
    const { items } = eventList.parse(await response.json())
    expect(items[0]).toMatchObject({ type: 'run.queued', earlier: { tools: ['web.fetch'], files: false } })
  })

  test('cannot be one of a thread that exists, and its messages must be messages', async () => {
    const { threadId } = await finished({ input: 'First.' })
    const refused = await start({ input: 'x', threadId, history })
    expect([refused.status, (await refused.json()).error.path]).toEqual([400, 'history'])
    for (const wrong of [
      [{ role: 'system', text: 'x' }],
      [{ role: 'user' }],
      'x',
      [{ role: 'tool', text: 'x' }],
    ])
      expect((await start({ input: 'x', history: wrong })).status).toBe(400)
  })
})

describe('S3-04 the messages of a run', () => {
  test('come when they are asked for: question, calls, results and answer', async () => {
    const { id } = await finished({ input: '6*7?' })
    expect(await viewOf(id)).not.toHaveProperty('messages')
    const { messages = [], toolCalls } = await viewOf(id, '?messages=1')
    expect(messages).toMatchObject([
      { role: 'user', text: '6*7?' },
      { role: 'assistant', parts: [{ text: 'Let me see.' }, { type: 'call', name: 'math.calculate' }] },
      { role: 'tool', name: 'math.calculate', text: '42', isError: false },
      { role: 'assistant', parts: [{ type: 'text', text: 'It is 42.' }] },
    ])
    expect(toolCalls).toEqual([{ name: 'math.calculate', count: 1 }])
    expect((await ask('/api/runs/{id}', of(id, { query: '?messages=all' }))).status).toBe(400)
  })

  test('can be given to another run as they are', async () => {
    const { id } = await finished({ input: '6*7?' })
    const { messages = [] } = await viewOf(id, '?messages=1')
    const other = await finished({ input: 'Sure?', history: messages as unknown as JsonObject[] }) // cast: parsed from JSON
    expect(await sentIn(other.id)).toContain('Let me see.')
  })
})
