import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import { type House, openHouse, scriptOf } from './run-house.fixture'

let house: House
const sent: string[] = []
const bodies = {
  send: {
    effect: 'effect' as const,
    run: async () => {
      sent.push('send')
      return text('sent')
    },
  },
}
beforeEach(() => {
  sent.length = 0
  house = openHouse({ bodies })
})
afterEach(() => house.leave())

const twice: JsonObject[] = [{ calls: [{ name: 'send' }, { name: 'send' }] }, { text: 'All is sent.' }]
const asking = (more: JsonObject = {}): JsonObject => ({
  policies: [{ use: 'approval', appliesTo: ['send'], ...more }],
})

function create(turns: JsonObject[], config: JsonObject): string {
  return house.runs.create({ agentId: house.agent(scriptOf(turns, config)), input: 'Send it.' }).id
}

async function begin(turns: JsonObject[] = twice, config: JsonObject = asking()): Promise<string> {
  const id = create(turns, config)
  await waits(id)
  return id
}

/** Resolves when the run waits for a person and none of its work is in progress. */
async function waits(id: string): Promise<void> {
  await until(() => house.runs.get(id).status === 'waiting')
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    if (isAppError(error)) return { code: error.code, message: error.message, ...error.detail }
    throw error
  }
  return undefined
}

describe('a run that waits for a person (S3-17)', () => {
  it('says what it waits for, and goes on with each decision', async () => {
    const id = await begin()
    const { pending } = house.runs.get(id)
    expect(pending).toMatchObject([
      { callId: 'call_1_1', kind: 'approval', tool: 'send', args: {} },
      { callId: 'call_1_2', kind: 'approval', tool: 'send', args: {} },
    ])
    expect(pending[0]?.expiresAt).toBeGreaterThan(Date.now())
    const view = await house.runs.decide(id, 'call_1_1', { decision: 'approve' })
    expect(view.pending.map((each) => each.callId)).toEqual(['call_1_2'])
    await house.runs.decide(id, 'call_1_2', { decision: 'reject', reason: 'once is enough' })
    await house.end(id)
    expect(house.runs.get(id)).toMatchObject({ status: 'completed', answer: 'All is sent.', pending: [] })
    expect(sent).toEqual(['send'])
    expect(house.faults).toEqual([])
    const types = house.stores.runs.events(id).map((each) => each.type)
    expect(types).not.toContain('run.resumed')
  })

  it('E-60 takes the same word again, refuses another, and two at once are one', async () => {
    const id = await begin()
    const yes = { decision: 'approve' } as const
    await Promise.all([house.runs.decide(id, 'call_1_1', yes), house.runs.decide(id, 'call_1_1', yes)])
    await house.runs.decide(id, 'call_1_1', yes)
    expect(await refusal(house.runs.decide(id, 'call_1_1', { decision: 'reject' }))).toMatchObject({
      code: 'conflict',
      standing: { decision: 'approve', by: 'person' },
    })
    await house.runs.decide(id, 'call_1_2', yes)
    await house.end(id)
    const decided = house.stores.runs.events(id).filter((each) => each.type === 'approval.decided')
    expect(decided).toHaveLength(2)
    expect(await refusal(house.runs.decide(id, 'call_9_9', yes))).toMatchObject({ code: 'not_found' })
  })

  it('E-60 takes changed arguments again in whatever order their keys come, and refuses other values', async () => {
    const id = await begin()
    const decide = (args: string) =>
      house.runs.decide(id, 'call_1_1', { decision: 'approve', args: JSON.parse(args) })
    await decide('{"to": "ann", "more": {"a": [1, {"x": 1, "y": null}], "b": 2}, "count": 1}')
    await decide('{"count": 1.0, "more": {"b": 2, "a": [1, {"y": null, "x": 1}]}, "to": "ann"}')
    for (const other of [
      '{"to": "ann", "more": {"a": [{"x": 1, "y": null}, 1], "b": 2}, "count": 1}',
      '{"to": "ann", "more": {"a": [1, {"x": 1, "y": null}], "b": 2}, "count": "1"}',
      '{"to": "ann", "more": {"a": [1, {"x": 1}], "b": 2}, "count": 1}',
    ])
      expect(await refusal(decide(other))).toMatchObject({ code: 'conflict' })
    expect(await refusal(house.runs.decide(id, 'call_1_1', { decision: 'approve' }))).toMatchObject({
      code: 'conflict',
    })
    const decided = house.stores.runs.events(id).filter((each) => each.type === 'approval.decided')
    expect(decided).toHaveLength(1)
  })

  it('E-60 waits through a restart, and is decided there', async () => {
    const id = await begin()
    await house.runs.decide(id, 'call_1_1', { decision: 'approve' })
    await until(() => sent.length === 1)
    await waits(id)
    await house.runs.drain(20_000)
    house.stores.close()
    house = house.reopen()
    house.runs.recover()
    expect(house.runs.get(id)).toMatchObject({ status: 'waiting', pending: [{ callId: 'call_1_2' }] })
    await house.runs.decide(id, 'call_1_2', { decision: 'approve' })
    await house.end(id)
    expect(house.runs.get(id)).toMatchObject({ status: 'completed' })
    expect(sent).toEqual(['send', 'send'])
    expect(house.stores.runs.events(id).map((each) => each.type)).not.toContain('run.resumed')
  })

  it('decides by itself when nobody does in time', async () => {
    const id = create(twice, asking({ timeoutSeconds: 0.2 }))
    await house.end(id)
    const events = house.stores.runs.events(id)
    expect(events.filter((each) => each.type === 'approval.decided')).toMatchObject([
      { decision: 'reject', by: 'timeout' },
      { decision: 'reject', by: 'timeout' },
    ])
    expect(events.filter((each) => each.type === 'call.finished')).toMatchObject([
      { status: 'denied', code: 'approval_timeout' },
      { status: 'denied', code: 'approval_timeout' },
    ])
    expect(house.runs.get(id).status).toBe('completed')
  })

  it('decides by itself after a restart as well, as the policy says', async () => {
    const later = await begin(twice, asking({ timeoutSeconds: 1, onTimeout: 'approve' }))
    await house.runs.drain(20_000)
    house.stores.close()
    house = house.reopen()
    house.runs.recover()
    await house.end(later)
    expect(house.runs.get(later).status).toBe('completed')
    expect(sent).toEqual(['send', 'send'])
  })

  it('E-60 is cancelled while it waits, and frees its thread', async () => {
    const id = await begin()
    house.runs.cancel(id)
    await house.end(id)
    const { status, pending, threadId } = house.runs.get(id)
    expect([status, pending]).toEqual(['cancelled', []])
    const [agent] = house.stores.agents.heads()
    const { id: next } = house.runs.create({ agentId: agent?.id ?? '', input: 'Again.', threadId })
    await waits(next)
    house.runs.cancel(next)
    await house.end(next)
  })

  it('keeps its thread busy', async () => {
    const id = await begin()
    const { threadId, agentId } = house.runs.get(id)
    const create = async () => house.runs.create({ agentId, input: 'Again.', threadId })
    expect(await refusal(create())).toMatchObject({ code: 'thread_busy' })
  })

  it('refuses arguments that do not fit the tool', async () => {
    const id = await begin(
      [{ calls: [{ name: 'math.calculate', args: { expression: '1 + 1' } }] }, { text: 'Done.' }],
      {
        tools: [{ use: 'builtin', tools: ['math.calculate'] }],
        policies: [{ use: 'approval', appliesTo: ['math.*'] }],
      },
    )
    const edited = { decision: 'approve', args: { expression: 7 } } as const
    expect(
      await refusal(house.runs.decide(id, 'call_1_1', { ...edited, args: { nothing: 1 } })),
    ).toMatchObject({ code: 'unprocessable', path: 'args' })
    await house.runs.decide(id, 'call_1_1', { decision: 'approve', args: { expression: '2 + 2' } })
    await house.end(id)
    const finished = house.stores.runs.events(id).find((each) => each.type === 'call.finished')
    expect(finished).toMatchObject({ result: { text: expect.stringMatching(/2 \+ 2[\s\S]*4/) } })
  })
})
