/** The real policies under the real engine and store: the events that one run of each policy produces. */
import { afterEach, describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { type Given, type House, openHouse, scriptOf } from '../runs/run-house.fixture'

let house: House | undefined
afterEach(async () => {
  await house?.leave()
  house = undefined
})

async function played(turns: JsonObject[], policies: JsonObject[], more: Given = {}): Promise<RunEvent[]> {
  house = openHouse(more)
  const tools = [{ use: 'builtin', tools: ['math.calculate'] }]
  const agentId = house.agent(scriptOf(turns, { tools, policies }))
  const { id } = house.runs.create({ agentId, input: 'go' })
  await house.end(id)
  expect(house.faults).toEqual([])
  return house.stores.runs.events(id)
}

function all<T extends RunEvent['type']>(events: readonly RunEvent[], type: T) {
  return events.filter((each): each is Extract<RunEvent, { type: T }> => each.type === type)
}

const end = (events: readonly RunEvent[]) => all(events, 'run.finished')[0]
const calls = (events: readonly RunEvent[]) => all(events, 'call.finished').map((each) => each.status)
const add = (count: number, expression = '1 + 1') =>
  Array.from({ length: count }, () => ({ name: 'math.calculate', args: { expression } }))

describe('a run under the real policies', () => {
  test('S4-27 runs as many calls of a step as the budget says, and goes on', async () => {
    const turns: JsonObject[] = [{ calls: add(5) }, { text: 'done' }]
    const events = await played(turns, [{ use: 'budget', callsPerStep: 2 }])
    expect(calls(events)).toEqual(['ok', 'ok', 'skipped', 'skipped', 'skipped'])
    expect(all(events, 'policy.ruled').map((each) => [each.policy, each.node, each.verdict])).toEqual(
      Array.from({ length: 3 }, () => ['budget', 'policies/0', 'limit']),
    )
    expect(end(events)).toMatchObject({ status: 'completed', answer: 'done' })
  })

  test('T51 ends as budget at the call that is one too many', async () => {
    const turns: JsonObject[] = [{ text: 'So far so good.', calls: add(3) }, { text: 'never said' }]
    const events = await played(turns, [{ use: 'budget', calls: 2 }])
    expect(calls(events)).toEqual(['ok', 'ok', 'skipped'])
    expect(end(events)).toMatchObject({ status: 'budget', answer: 'So far so good.' })
  })

  test('T51 ends as budget when the tokens are used up, before the calls of that answer', async () => {
    const turns: JsonObject[] = [
      { text: 'Much thought.', calls: add(1), usage: { input: 900, output: 200 } },
      { text: 'never said' },
    ]
    const events = await played(turns, [{ use: 'budget', tokens: 1_000 }])
    expect(calls(events)).toEqual(['skipped'])
    expect(end(events)).toMatchObject({ status: 'budget', answer: 'Much thought.' })
  })

  test('a limit in dollars holds for the demo, which costs nothing', async () => {
    const events = await played([{ text: 'free' }], [{ use: 'budget', usd: 0.01 }])
    expect(end(events)).toMatchObject({ status: 'completed', costUsd: 0 })
  })

  test('S3-23 E-33 refuses the same failing call the fourth time, whether or not a policy says so', async () => {
    const failing = { calls: add(1, '1 / 0') }
    const turns: JsonObject[] = [failing, failing, failing, failing, { text: 'I give up.' }]
    const events = await played(turns, [])
    expect(calls(events)).toEqual(['error', 'error', 'error', 'denied'])
    expect(all(events, 'policy.ruled')).toMatchObject([{ policy: 'repeat', node: 'agent', verdict: 'deny' }])
    expect(end(events)?.status).toBe('completed')
  })

  test('refuses arguments that do not fit the policy’s own schema, in words the model can use', async () => {
    const schema = { properties: { expression: { maxLength: 5 } } }
    const turns: JsonObject[] = [{ calls: add(1, '100 + 100 + 100') }, { calls: add(1) }, { text: 'done' }]
    const events = await played(turns, [{ use: 'arguments', schema }])
    expect(calls(events)).toEqual(['denied', 'ok'])
    expect(all(events, 'call.finished')[0]?.result.text).toContain('expression')
  })

  test('S0-28 tries a failed reading call again, and tells how often', async () => {
    let tries = 0
    const flaky = {
      effect: 'read' as const,
      run: async () => {
        tries += 1
        if (tries < 3) return { ok: false as const, message: 'busy', retryable: true }
        return { ok: true as const, blocks: [{ type: 'text' as const, text: 'fine' }] }
      },
    }
    const turns: JsonObject[] = [{ calls: [{ name: 'flaky.read', args: {} }] }, { text: 'done' }]
    const events = await played(turns, [{ use: 'retry', max: 2, backoffMs: 1 }], {
      bodies: { 'flaky.read': flaky },
    })
    expect(tries).toBe(3)
    expect(all(events, 'call.started')).toHaveLength(1)
    expect(all(events, 'call.finished')).toMatchObject([{ status: 'ok', attempts: 3 }])
  })

  test('S0-28 never tries a call with an effect again', async () => {
    let tries = 0
    const sending = {
      effect: 'effect' as const,
      run: async () => {
        tries += 1
        return { ok: false as const, message: 'busy', retryable: true }
      },
    }
    const turns: JsonObject[] = [{ calls: [{ name: 'mail.send', args: {} }] }, { text: 'done' }]
    await played(turns, [{ use: 'retry', max: 5, backoffMs: 1 }], { bodies: { 'mail.send': sending } })
    expect(tries).toBe(1)
  })

  test('S1-14 tool-choice none: a call made all the same is denied', async () => {
    const turns: JsonObject[] = [{ calls: add(1) }, { text: 'without tools' }]
    const events = await played(turns, [{ use: 'tool-choice', choice: 'none' }])
    expect(calls(events)).toEqual(['denied'])
    expect(end(events)?.answer).toBe('without tools')
  })

  test('S0-11 what an agent is allowed changes what the next run is offered', async () => {
    const tools = [{ use: 'builtin', tools: ['math.calculate', 'time.now'] }]
    const offers: string[][] = []
    for (const [index, deny] of [[], ['time.*'], []].entries()) {
      house ??= openHouse()
      const policies = [{ use: 'skills', deny }]
      const agentId = house.agent(scriptOf([{ text: 'done' }], { tools, policies }), `agent-${index}`)
      const { id } = house.runs.create({ agentId, input: 'go' })
      await house.end(id)
      const [asked] = all(house.stores.runs.events(id), 'model.requested')
      offers.push(asked?.tools.map((each) => each.name) ?? [])
    }
    expect(offers).toEqual([
      ['math.calculate', 'time.now'],
      ['math.calculate'],
      ['math.calculate', 'time.now'],
    ])
  })
})
