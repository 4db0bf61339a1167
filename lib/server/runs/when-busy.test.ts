/** A second message to a thread while its run is under way: refused, queued behind it, or given to it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError, isAppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import { type House, openHouse, scriptOf } from './run-house.fixture'

let house: House
let open: () => void
let gate: Promise<void>

const bodies = {
  look: {
    effect: 'read' as const,
    run: async () => {
      await gate
      return text('seen')
    },
  },
}

beforeEach(() => {
  gate = new Promise((resolve) => {
    open = resolve
  })
  house = openHouse({ bodies })
})
afterEach(async () => {
  open()
  await house.leave()
})

const looking: JsonObject[] = [{ calls: [{ name: 'look' }] }, { text: 'Seen.' }]
const asking = { policies: [{ use: 'approval', appliesTo: ['look'] }] }

/** A run whose call does not end before the gate opens. */
async function begin(more = {}): Promise<{ agentId: string; id: string; threadId: string }> {
  const agentId = house.agent(scriptOf(looking, more))
  const { id, threadId } = house.runs.create({ agentId, input: 'first' })
  await until(() => house.ran.length > 0 || house.runs.get(id).status === 'waiting')
  return { agentId, id, threadId }
}

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > end) throw new Error('it never came to that')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const code = (expected: string) => expect.toSatisfy((error) => isAppError(error) && error.code === expected)
const eventsOf = (id: string, type: RunEvent['type']) =>
  house.stores.runs.events(id).filter((each) => each.type === type)
const questions = (id: string) =>
  house.runs.messages(id).flatMap((each) => (each.role === 'user' ? [each.text] : []))

describe('a run that is sent to wait for its thread (E-37)', () => {
  it('begins when the run before it has ended, in the order in which the runs were sent', async () => {
    const { agentId, id, threadId } = await begin()
    const sent = ['second', 'third'].map((input) =>
      house.runs.create({ agentId, input, threadId, whenBusy: 'queue' }),
    )
    expect(sent).toMatchObject([
      { status: 'queued', behind: true, seq: 0 },
      { status: 'queued', behind: true, seq: 0 },
    ])
    open()
    for (const each of [{ id }, ...sent]) await house.end(each.id)
    const [second, third] = sent.map((each) => house.stores.runs.get(each.id))
    expect(second).toMatchObject({ status: 'completed', historyThrough: id })
    expect(third).toMatchObject({ status: 'completed', historyThrough: second?.id })
    expect(second?.behind).toBeUndefined()
    expect(third?.startedAt).toBeGreaterThanOrEqual(second?.finishedAt ?? Number.POSITIVE_INFINITY)
  })

  it('has the dialogue of the thread as it is when it begins', async () => {
    const { agentId, threadId } = await begin()
    const second = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    open()
    await house.end(second.id)
    const request = JSON.stringify((await house.runs.request(second.id, 1)).request)
    expect(request).toContain('Seen.')
    expect(eventsOf(second.id, 'run.queued')).toMatchObject([{ earlier: { tools: ['look'], files: false } }])
  })

  it('begins at once where the thread is free', async () => {
    const { agentId, id, threadId } = await begin()
    open()
    await house.end(id)
    const next = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    expect(next).toMatchObject({ historyThrough: id, seq: 1 })
    expect(next.behind).toBeUndefined()
  })

  it('can be deleted while it waits, and leaves nothing behind', async () => {
    const { agentId, id, threadId } = await begin()
    const second = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    const third = house.runs.create({ agentId, input: 'third', threadId, whenBusy: 'queue' })
    house.runs.removeBehind(second.id)
    expect(() => house.runs.get(second.id)).toThrow(code('not_found'))
    expect(() => house.runs.removeBehind(second.id)).toThrow(code('not_found'))
    expect(() => house.runs.removeBehind(id)).toThrow(code('conflict'))
    open()
    await house.end(third.id)
    expect(house.stores.runs.get(third.id)).toMatchObject({ historyThrough: id, status: 'completed' })
    expect(house.runs.list({ threadId }).items.map((each) => each.id)).toEqual([third.id, id])
  })

  it('ends as cancelled when it is cancelled while it waits, and the next one takes its turn', async () => {
    const { agentId, id, threadId } = await begin()
    const second = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    const third = house.runs.create({ agentId, input: 'third', threadId, whenBusy: 'queue' })
    house.runs.cancel(second.id)
    await house.end(second.id)
    expect(house.runs.get(second.id)).toMatchObject({ status: 'cancelled', input: 'second' })
    expect(house.stores.runs.events(second.id).map(({ type }) => type)).toEqual([
      'run.queued',
      'run.finished',
    ])
    expect(house.runs.get(id).status).toBe('running')
    open()
    await house.end(third.id)
    expect(house.stores.runs.get(third.id)).toMatchObject({ historyThrough: id, status: 'completed' })
  })

  it('also begins after a run that was cancelled or failed', async () => {
    const { agentId, id, threadId } = await begin()
    const second = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    house.runs.cancel(id)
    open()
    await house.end(second.id)
    expect(house.runs.get(id).status).toBe('cancelled')
    expect(house.runs.get(second.id).status).toBe('completed')
  })

  it('keeps its place over a restart of the server', async () => {
    const { agentId, id, threadId } = await begin()
    const ids = ['second', 'third'].map(
      (input) => house.runs.create({ agentId, input, threadId, whenBusy: 'queue' }).id,
    )
    await house.runs.drain(2_000)
    const next = house.reopen({ stores: house.stores })
    open()
    next.runs.recover()
    for (const each of [id, ...ids]) await next.end(each)
    expect(ids.map((each) => next.stores.runs.get(each)?.historyThrough)).toEqual([id, ids[0]])
    await next.runs.drain(2_000)
  })

  it('begins after a restart also when the server stopped just after the run before it', async () => {
    const { agentId, id, threadId } = await begin()
    const second = house.runs.create({ agentId, input: 'second', threadId, whenBusy: 'queue' })
    const end = { ...house.stores.runs, nextBehind: () => undefined }
    const blind = { ...house.stores, runs: end }
    await house.runs.drain(2_000)
    const between = house.reopen({ stores: blind })
    open()
    between.runs.recover()
    await between.end(id)
    await between.runs.drain(2_000)
    expect(house.stores.runs.get(second.id)).toMatchObject({ behind: true })
    const next = house.reopen({ stores: house.stores })
    next.runs.recover()
    await next.end(second.id)
    expect(next.runs.get(second.id).status).toBe('completed')
    await next.runs.drain(2_000)
  })

  it('is one of at most twenty in its thread', async () => {
    const { agentId, threadId } = await begin()
    const send = () => house.runs.create({ agentId, input: 'more', threadId, whenBusy: 'queue' })
    for (let count = 0; count < 20; count++) send()
    expect(send).toThrow(code('too_many'))
  })

  it('is refused by default, also where only runs that wait are left', async () => {
    const { agentId, id, threadId } = await begin()
    const send = () => house.runs.create({ agentId, input: 'second', threadId })
    expect(send).toThrow(code('thread_busy'))
    try {
      send()
    } catch (error) {
      expect(error).toMatchObject({ detail: { run: id } })
    }
  })
})

describe('a message to the run of a thread that is under way (E-37)', () => {
  const steer = (asked: { agentId: string; threadId: string }, input = 'Only Europe.') =>
    house.runs.steer({ ...asked, input, whenBusy: 'steer' })

  it('is on disk when it is accepted, and the next step reads it after the results', async () => {
    const { id, ...asked } = await begin()
    const steered = await steer(asked)
    expect(steered).toMatchObject({ id, status: 'running' })
    expect(eventsOf(id, 'run.steered')).toMatchObject([{ text: 'Only Europe.', step: 1 }])
    expect(eventsOf(id, 'call.finished')).toEqual([])
    open()
    await house.end(id)
    expect(house.runs.messages(id).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
    expect(questions(id)).toEqual(['first', 'Only Europe.'])
  })

  it('is told with its run, with the step that read it, also when the run has ended', async () => {
    const { id, ...asked } = await begin()
    expect(house.runs.get(id)).not.toHaveProperty('steered')
    await steer(asked)
    expect(house.runs.get(id).steered).toEqual([{ text: 'Only Europe.', step: null }])
    open()
    await house.end(id)
    expect(house.runs.get(id).steered).toEqual([{ text: 'Only Europe.', step: 2 }])
  })

  it('keeps the order of several that come at once', async () => {
    const { id, ...asked } = await begin()
    const words = ['one', 'two', 'three', 'four']
    await Promise.all(words.map((each) => steer(asked, each)))
    open()
    await house.end(id)
    expect(questions(id)).toEqual(['first', ...words])
  })

  it('reaches a run that waits for a person, which keeps waiting', async () => {
    const { id, ...asked } = await begin(asking)
    await steer(asked)
    expect(house.runs.get(id)).toMatchObject({ status: 'waiting', pending: [{ tool: 'look' }] })
    open()
    await house.runs.decide(id, 'call_1_1', { decision: 'approve' })
    await house.end(id)
    expect(house.runs.get(id).status).toBe('completed')
    expect(questions(id)).toEqual(['first', 'Only Europe.'])
  })

  it('reaches a run that has not begun yet, which reads it after its question', async () => {
    await house.leave()
    house = openHouse({ bodies, concurrency: 1 })
    await begin()
    const agentId = house.agent(scriptOf([{ text: 'Yes.' }]), 'other')
    const { id, threadId } = house.runs.create({ agentId, input: 'waits' })
    await steer({ agentId, threadId })
    open()
    await house.end(id)
    expect(questions(id)).toEqual(['waits', 'Only Europe.'])
  })

  it('finds no run when none is under way, and can then begin one', async () => {
    const { id, ...asked } = await begin()
    open()
    await house.end(id)
    expect(await steer(asked)).toBeUndefined()
    const next = house.runs.create({ ...asked, input: 'Only Europe.', whenBusy: 'steer' })
    await house.end(next.id)
    expect(next.historyThrough).toBe(id)
  })

  it('is read after a restart of the server, once', async () => {
    const { id, ...asked } = await begin()
    await steer(asked)
    await house.runs.drain(2_000)
    const next = house.reopen({ stores: house.stores })
    open()
    next.runs.recover()
    await next.end(id)
    expect(next.runs.messages(id).filter((each) => each.role === 'user')).toHaveLength(2)
    await next.runs.drain(2_000)
  })

  it('takes words only, and at most twenty before the next step', async () => {
    const { id: _, ...asked } = await begin()
    await expect(house.runs.steer({ ...asked, input: 'x', files: ['artifact_1'] })).rejects.toThrow(
      code('bad_request'),
    )
    for (let count = 0; count < 20; count++) await steer(asked, `word ${count}`)
    await expect(steer(asked)).rejects.toThrow(code('too_many'))
  })

  it('is refused while it cannot be stored', async () => {
    const { id: _, ...asked } = await begin()
    const { append } = house.stores.runs
    const full = Object.assign(new AppError('unavailable', 'full'), { code: 'SQLITE_FULL' })
    Object.assign(house.stores.runs, {
      append: () => {
        throw full
      },
    })
    try {
      await expect(steer(asked)).rejects.toThrow(code('unavailable'))
    } finally {
      Object.assign(house.stores.runs, { append })
    }
  })
})
