/** Questions and limits of tools that are tried. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type House, openHouse, ask as send } from '#lib/server/house.fixture'
import { productParts } from '#lib/server/parts'
import type { JsonObject } from '#lib/spec/json'
import { text, tool } from '#lib/spec/tool'
import { decodeEvents } from '#lib/wire/sse'
import type { TryEvent } from '#lib/wire/trials'

/** Ends only when it is stopped. */
const wait = tool({
  name: 'wait',
  label: 'Wait',
  description: 'Waits.',
  icon: 'clock',
  risk: 'read',
  input: z.object({}),
  run: async (_, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return text('waited')
  },
})

let house: House
beforeAll(() => {
  house = openHouse({ parts: { ...productParts, tools: [...productParts.tools, wait] } })
})
afterAll(() => house.end())

let count = 0
async function agentOf(config: object): Promise<{ id: string; name: string }> {
  count += 1
  const name = `agent-${count}`
  const made = await send('/api/agents', { method: 'POST', body: { config: { name, ...config } } })
  expect(made.status).toBe(201)
  return { id: (await made.json()).id, name }
}

const script = (...turns: JsonObject[]) => ({
  model: { provider: 'scripted', name: 'script', turns, paceMs: 0 },
})
const calls = (name: string, args: JsonObject = {}) => ({ calls: [{ name, args }] })
const agentTool = (agent: string, more: object = {}) => ({ use: 'agent', agent, version: 'draft', ...more })
/** Tries the tool to its end; `heed` hears each event. */
async function tried(id: string, tool: string, args: JsonObject, heed?: (event: TryEvent) => unknown) {
  const response = await send('/api/agents/{id}/trials/{tool}', {
    ...{ method: 'POST', params: { id, tool }, body: { args, confirmed: true } },
  })
  const events: TryEvent[] = []
  for await (const { data } of decodeEvents(response.body ?? new ReadableStream())) {
    const event: TryEvent = JSON.parse(data)
    events.push(event)
    await heed?.(event)
  }
  return events
}

type Asks = Extract<TryEvent, { type: 'asks' }>

function reply(id: string, tool: string, { tryId, questionId }: Asks): Promise<Response> {
  const body = { tryId, questionId, text: 'Lisbon' }
  return send('/api/agents/{id}/trials/{tool}/replies', { method: 'POST', params: { id, tool }, body })
}

describe('tools that are tried by hand', () => {
  it('S4-42 run in the foreground where their entry has them in the background', async () => {
    const inner = await agentOf(script({ text: 'Seven.' }))
    const { id } = await agentOf({ tools: [agentTool(inner.name, { background: true })] })
    const events = await tried(id, inner.name, { task: 'Count.' })
    expect(events.at(-1)).toMatchObject({ type: 'done', tried: { status: 'ok' } })
    expect(JSON.stringify(events.at(-1))).toContain('Seven.')
  })

  it.each([
    ['deny', 'error'],
    ['approve', 'ok'],
  ])('S3-16 follow the time limit of an approval inside: %s', async (onTimeout) => {
    const inner = await agentOf({
      ...script(calls('files.create', { path: 'note.md', content: 'Seven' }), { text: 'All done.' }),
      tools: [{ use: 'builtin', tools: ['files.create'] }],
      policies: [{ use: 'approval', timeoutSeconds: 0.05, onTimeout }],
    })
    const { id } = await agentOf({ tools: [agentTool(inner.name)] })
    const events = await tried(id, inner.name, { task: 'Write it.' })
    expect(events.filter(({ type }) => type === 'asks')).toMatchObject([
      { input: { expiresAt: expect.any(Number) } },
    ])
    expect(events.some(({ type }) => type === 'answered')).toBe(true)
    expect(events.some(({ type }) => type === 'file')).toBe(onTimeout === 'approve')
    expect(events.at(-1)).toMatchObject({ type: 'done', tried: { status: 'ok' } })
  })

  it('S0-33 close what a call inside asked when that call ends in another way, and take no late reply', async () => {
    const deep = await agentOf({
      ...script({
        calls: [
          { name: 'human.ask', args: { question: 'Which city?' } },
          { name: 'wait', args: {} },
        ],
      }),
      tools: [{ use: 'builtin', tools: ['human.ask', 'wait'] }],
      policies: [{ use: 'execution', strategy: 'parallel' }],
    })
    const middle = await agentOf({
      ...script(calls(deep.name, { task: 'Go.' }), calls('human.ask', { question: 'And now?' }), {
        text: 'done',
      }),
      tools: [agentTool(deep.name, { timeoutSeconds: 0.2 }), { use: 'builtin', tools: ['human.ask'] }],
    })
    const { id } = await agentOf({ tools: [agentTool(middle.name)] })
    const asked: Asks[] = []
    const statuses: number[] = []
    const events = await tried(id, middle.name, { task: 'Go.' }, async (event) => {
      if (event.type !== 'asks') return
      asked.push(event)
      if (asked.length === 2)
        for (const each of asked) statuses.push((await reply(id, middle.name, each)).status)
    })
    expect(statuses).toEqual([409, 204])
    const closed = events.flatMap((each) => (each.type === 'answered' ? [each.questionId] : []))
    expect(closed).toEqual(asked.map(({ questionId }) => questionId))
    expect(events.at(-1)).toMatchObject({ type: 'done', tried: { status: 'ok' } })
  })

  it('keep the plan of one try while another of the same agent ends', async () => {
    const inner = await agentOf({
      ...script(calls('human.ask', { question: 'Which city?' }), { text: 'done' }),
      tools: [{ use: 'builtin', tools: ['human.ask'] }],
    })
    const { id } = await agentOf({ tools: [{ use: 'plan' }, agentTool(inner.name)] })
    await tried(id, inner.name, { task: 'Go.' }, async (event) => {
      if (event.type !== 'asks') return
      await tried(id, 'plan', { command: 'create', title: 'Trip', steps: ['Book', 'Travel'] })
      await reply(id, inner.name, event)
    })
    const next = await tried(id, 'plan', { command: 'next' })
    expect(next.at(-1)).toMatchObject({ type: 'done', tried: { status: 'ok' } })
  })
})
