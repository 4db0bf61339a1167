import { afterEach, beforeEach, expect, it } from 'vitest'
import { providers } from '#lib/models'
import type { JsonObject } from '#lib/spec/json'
import { stepRequest } from '#lib/wire/runs'
import { type House, openHouse } from '../house.fixture'
import { contextWindowOf } from '../providers/context-windows'
import { openModelList } from '../providers/model-list.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

async function ended(agentId: string, input: string, threadId?: string): Promise<string> {
  const { id } = house.app.runs.create({ agentId, input, ...(threadId && { threadId }) })
  for await (const _ of house.app.runs.watch(id, 0, new AbortController().signal));
  return id
}

it('the request of a step says what it is made of, and that it went nowhere', async () => {
  const turns: JsonObject[] = [
    { text: 'Let me see.', calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] },
    { text: 'It is 42.' },
  ]
  const agentId = house.app.agents.create({
    config: {
      name: 'adder',
      instructions: 'x'.repeat(400),
      model: { provider: 'scripted', name: 'script', turns },
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    },
  }).id
  const id = await ended(agentId, 'y'.repeat(40))
  const first = stepRequest.parse(await house.app.runs.request(id, 1))
  const second = stepRequest.parse(await house.app.runs.request(id, 2))
  expect([first.exact, second.exact, first.http]).toEqual([true, true, null])
  expect(first.context).toMatchObject({ system: 100, history: 14, observations: 0, window: null })
  expect(first.context.tools).toBeGreaterThan(10)
  expect(second.context).toMatchObject({ system: 100, tools: first.context.tools })
  expect(second.context.history).toBeGreaterThan(first.context.history)
  expect(second.context.observations).toBeGreaterThan(0)
})

it.each([
  ['openai', 'chat/completions'],
  ['openai-responses', 'responses'],
])(
  'T42 where a request of %s goes is told with the name of a variable in place of the key',
  async (provider, api) => {
    await house.end()
    const list = await openModelList()
    const key = 'sk-planted-0123456789abcdef'
    house = openHouse({
      outbound: { providers: { openai: { key, baseUrl: `${list.origin}/v1` } }, allowHosts: [] },
    })
    const agentId = house.app.agents.create({
      config: { name: 'asker', model: { provider, name: 'gpt-5-mini' } },
    }).id
    const told = stepRequest.parse(await house.app.runs.request(await ended(agentId, 'Hello'), 1))
    await list.close()
    expect(told.http).toEqual({
      url: `${list.origin}/v1/${api}`,
      headers: { 'content-type': 'application/json', authorization: 'Bearer $OPENAI_API_KEY' },
    })
    expect(told.context.window).toBe(400_000)
    expect(JSON.stringify(told)).not.toContain(key)
  },
)

it.each([
  ['openai', 'gpt-5-mini-2025-08-07', 400_000],
  ['openai', 'gpt-5-chat-latest', 128_000],
  ['openai', 'gpt-4.1-nano', 1_047_576],
  ['openai', 'gpt-4o', 128_000],
  ['openai', 'gpt-5.1-chat-latest', 128_000],
  ['openai', 'gpt-5.2-pro', 400_000],
  ['openai', 'gpt-5.4', 1_050_000],
  ['openai', 'gpt-5.5-2026-04-23', 1_050_000],
  ['openai', 'gpt-5.9', null],
  ['openai', 'model-of-tomorrow', null],
  ['openai-responses', 'gpt-5-mini', 400_000],
  ['anthropic', 'claude-sonnet-4-5', 200_000],
  ['anthropic', 'claude-opus-4-20250514', 200_000],
  ['anthropic', 'claude-opus-4-6', 1_000_000],
  ['anthropic', 'claude-sonnet-5-5', 1_000_000],
  ['anthropic', 'claude-2.0', null],
  ['openai-compatible', 'gpt-5', null],
  ['scripted', 'demo', null],
  ['constructor', 'gpt-5', null],
])('the window of %s %s is %j', (provider, model, window) => {
  expect(contextWindowOf(providers, { provider, model })).toBe(window)
})
