import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import type { EventOf, EventType } from '#lib/spec/event'
import type { InputQuestion } from '#lib/spec/input'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import { type House, openHouse, scriptOf } from './run-house.fixture'

const question = (inputId: string, more: Partial<InputQuestion> = {}): InputQuestion => ({
  inputId,
  from: 'server',
  server: 'shop',
  question: `What about ${inputId}?`,
  ...more,
})

/** What the body asks; each test sets it. */
let questions: InputQuestion[] = []
const bodies = {
  ask: {
    effect: 'effect' as const,
    run: async ({ answered }: { answered?: { replies: object } }) =>
      answered === undefined
        ? { ok: 'asks' as const, questions, state: { token: 7 } }
        : text(JSON.stringify(answered)),
  },
  /** Asks while it is at work. */
  live: {
    effect: 'effect' as const,
    run: async ({ ask }: { ask?: (asked: InputQuestion) => Promise<object> }) =>
      text(JSON.stringify(await ask?.(questions[0] ?? question('a')))),
  },
}

let house: House
beforeEach(() => {
  questions = [question('city')]
  house = openHouse({ bodies })
})
afterEach(() => house.leave())

const script = (name: string): JsonObject[] => [{ calls: [{ name }] }, { text: 'Done.' }]

async function begin(name = 'ask'): Promise<string> {
  const { id } = house.runs.create({ agentId: house.agent(scriptOf(script(name))), input: 'Ask me.' })
  await until(() => house.runs.get(id).status === 'waiting')
  return id
}

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error('it never came to that')
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

async function restart(): Promise<void> {
  await house.runs.drain(20_000)
  house.stores.close()
  house = house.reopen()
}

function all<T extends EventType>(id: string, type: T): EventOf<T>[] {
  return house.stores.runs.events(id).filter((each): each is EventOf<T> => each.type === type)
}

const reply = (id: string, said: Parameters<House['runs']['reply']>[2]) =>
  house.runs.reply(id, 'call_1_1', said)

describe('a run that waits for a reply (S0-33)', () => {
  it('says what it waits for, takes a bare text, and goes on', async () => {
    const id = await begin()
    expect(house.runs.get(id).pending).toEqual([
      { callId: 'call_1_1', kind: 'input', tool: 'ask', args: {}, expiresAt: null, input: question('city') },
    ])
    expect(house.runs.list({ status: 'waiting' }).total).toBe(1)
    expect((await reply(id, { text: 'Lisbon' })).pending).toEqual([])
    await house.end(id)
    expect(house.runs.get(id)).toMatchObject({ status: 'completed', answer: 'Done.' })
    expect(all(id, 'call.finished')).toMatchObject([
      { result: { text: '{"state":{"token":7},"replies":{"city":{"action":"answer","text":"Lisbon"}}}' } },
    ])
    expect(all(id, 'run.resumed')).toEqual([])
    expect(house.faults).toEqual([])
  })

  it('takes the same reply again, refuses another, and two at once are one', async () => {
    const id = await begin()
    await Promise.all([reply(id, { text: 'Lisbon' }), reply(id, { text: 'Lisbon' })])
    await house.end(id)
    await reply(id, { inputId: 'city', text: 'Lisbon' })
    for (const other of [{ text: 'Porto' }, { action: 'decline' as const }])
      expect(await refusal(reply(id, other))).toMatchObject({
        code: 'conflict',
        message: 'The question was already answered, by a person.',
        standing: { action: 'answer', by: 'person' },
      })
    expect(all(id, 'input.given')).toHaveLength(1)
    expect(await refusal(house.runs.reply(id, 'call_9_9', { text: 'x' }))).toMatchObject({
      code: 'not_found',
    })
    expect(await refusal(reply(id, { inputId: 'ghost', text: 'x' }))).toMatchObject({ code: 'not_found' })
  })

  it('waits through a restart, and is answered there', async () => {
    const id = await begin()
    await restart()
    house.runs.recover()
    expect(house.runs.get(id)).toMatchObject({ status: 'waiting', pending: [{ kind: 'input' }] })
    await reply(id, { text: 'Lisbon' })
    await house.end(id)
    expect(house.runs.get(id).status).toBe('completed')
    expect(house.ran).toEqual(['call_1_1'])
    expect(all(id, 'call.continued')).toHaveLength(1)
  })

  it('is cancelled while it waits, and a reply after that is refused', async () => {
    const id = await begin()
    house.runs.cancel(id)
    await house.end(id)
    expect(house.runs.get(id)).toMatchObject({ status: 'cancelled', pending: [] })
    expect(all(id, 'input.given')).toMatchObject([{ action: 'cancel', by: 'cancel' }])
    expect(await refusal(reply(id, { text: 'late' }))).toMatchObject({ code: 'conflict' })
  })

  it('checks values by the form, field by field', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, guests: { type: 'integer', minimum: 1 } },
      required: ['name', 'guests'],
    }
    questions = [question('details', { schema })]
    const id = await begin()
    expect(await refusal(reply(id, { text: 'Ada' }))).toMatchObject({ code: 'unprocessable', path: 'values' })
    expect(await refusal(reply(id, { values: { guests: 0 } }))).toMatchObject({
      code: 'unprocessable',
      fields: expect.arrayContaining([
        { path: 'name', message: expect.stringContaining('is missing') },
        { path: 'guests', message: expect.any(String) },
      ]),
    })
    await reply(id, { values: { name: 'Ada', guests: 2 } })
    await house.end(id)
    expect(house.runs.get(id).status).toBe('completed')
  })

  it('refuses an empty answer, and values where there is no form', async () => {
    const id = await begin()
    expect(await refusal(reply(id, { text: '  ' }))).toMatchObject({ code: 'unprocessable', path: 'text' })
    expect(await refusal(reply(id, { values: {} }))).toMatchObject({ code: 'unprocessable' })
    await reply(id, { action: 'decline' })
    await house.end(id)
    expect(all(id, 'call.finished')[0]?.result.text).toContain('"action":"decline"')
  })

  it('asks which of several questions a reply is for', async () => {
    questions = [question('a'), question('b')]
    const id = await begin()
    expect(await refusal(reply(id, { text: 'x' }))).toMatchObject({ path: 'inputId', open: ['a', 'b'] })
    await reply(id, { inputId: 'b', text: 'B' })
    expect(house.runs.get(id)).toMatchObject({ status: 'waiting', pending: [{ input: { inputId: 'a' } }] })
    await reply(id, { text: 'A' })
    await house.end(id)
    expect(house.runs.get(id).status).toBe('completed')
  })

  it('declines a question when its time is over, also after a restart', async () => {
    questions = [question('city', { expiresAt: Date.now() + 300 })]
    const id = await begin()
    await house.end(id)
    expect(all(id, 'input.given')).toMatchObject([
      { action: 'decline', by: 'timeout', text: 'Nobody replied in time.' },
    ])
    questions = [question('city', { expiresAt: Date.now() + 1_000 })]
    const { id: later } = house.runs.create({ agentId: house.runs.get(id).agentId, input: 'Again.' })
    await until(() => house.runs.get(later).status === 'waiting')
    await restart()
    house.runs.recover()
    await house.end(later)
    expect(all(later, 'input.given')).toMatchObject([{ action: 'decline', by: 'timeout' }])
    expect(house.runs.get(later).status).toBe('completed')
  })

  it('a fork from before the step asks anew, and the run goes on waiting', async () => {
    const id = await begin()
    const { id: fork } = await house.runs.fork(id, { step: 1 })
    await until(() => house.runs.get(fork).status === 'waiting')
    await reply(fork, { text: 'Porto' })
    await house.end(fork)
    expect(house.runs.get(fork).status).toBe('completed')
    expect(house.runs.get(id)).toMatchObject({ status: 'waiting', pending: [{ kind: 'input' }] })
    await reply(id, { text: 'Lisbon' })
    await house.end(id)
  })
})

describe('a run whose body asks while it is at work', () => {
  it('goes on with the reply', async () => {
    const id = await begin('live')
    await reply(id, { text: 'Lisbon' })
    await house.end(id)
    expect(all(id, 'call.finished')[0]?.result.text).toBe('{"action":"answer","text":"Lisbon"}')
  })

  it('loses the question with the server: the call ends as unknown, and the question says why', async () => {
    const id = await begin('live')
    await restart()
    expect(await refusal(reply(id, { text: 'late' }))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('The server restarted'),
    })
    house.runs.recover()
    await house.end(id)
    expect(all(id, 'input.given')).toMatchObject([{ action: 'cancel', by: 'restart' }])
    expect(all(id, 'call.finished')).toMatchObject([{ status: 'unknown' }])
    expect(house.runs.get(id)).toMatchObject({ status: 'completed', pending: [] })
  })
})
