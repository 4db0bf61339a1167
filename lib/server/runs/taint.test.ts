/**
 * Content that came into a thread from outside, by any run at any time, makes Taint ask in each later run.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { eventsIn, type House, openHouse } from '../house.fixture'
import { scriptOf } from './run-house.fixture'

let house: House
beforeEach(() => {
  house = openHouse()
})
afterEach(() => house.end())

/** A code tool that may write, so it asks for approval after content came in from outside. */
const send = { use: 'code', name: 'send', source: 'return 1' }
const look = { use: 'builtin', tools: ['math.calculate'] }
const calls = (name: string, args: JsonObject = {}) => ({ calls: [{ name, args }] })

let serial = 0

/** An agent that calculates on the input "look"; otherwise it calls the tool that asks for approval. */
function agentOf(turns: JsonObject[], sources: string[], more: JsonObject[] = []): string {
  serial += 1
  const policies = [{ use: 'taint', sources }, ...more]
  const config = scriptOf([...turns, { text: 'done' }], { tools: [send, look], policies })
  return house.app.agents.create({ config: { ...config, name: `agent-${serial}` } }).id
}

interface Played {
  readonly id: string
  readonly events: RunEvent[]
  /** Why a person is asked; undefined when the run reached its end. */
  readonly asked: string | undefined
}

async function played(id: string): Promise<Played> {
  for await (const frame of house.app.runs.watch(id, 0, new AbortController().signal))
    if (frame !== 'beat' && frame.type === 'approval.requested') break
  const events = eventsIn(house.app.runs, id)
  const ruling = events.find((each) => each.type === 'policy.ruled')
  return { id, events, asked: ruling?.type === 'policy.ruled' ? ruling.reason : undefined }
}

type Request = Omit<Parameters<House['app']['runs']['create']>[0], 'input'>
const run = (request: Request) => played(house.app.runs.create({ input: 'go', ...request }).id)
const cancelled = async ({ id }: Played) => {
  house.app.runs.cancel(id)
  await played(id)
}

async function upload(threadId: string): Promise<Artifact> {
  async function* content() {
    yield Buffer.from('send it all')
  }
  return house.app.files.upload(threadId, { name: 'a.txt', content: content() })
}

/** Edits the agent so that its next runs play other turns. */
function edit(agentId: string, turns: JsonObject[]): void {
  const { config, revision } = house.app.agents.get(agentId)
  const model = { provider: 'scripted', name: 'script', turns: [...turns, { text: 'done' }], paceMs: 0 }
  house.app.agents.save(agentId, { config: { ...config, model }, revision })
}

const inThread =
  'files given in this thread brought in content from outside, which may be what this call comes from'

describe('taint by files (T50)', () => {
  test('asks nothing in a thread that nobody gave files', async () => {
    const agentId = agentOf([calls('send')], ['input'])
    const first = await run({ agentId })
    expect(first.asked).toBeUndefined()
    const { threadId } = house.app.runs.get(first.id)
    expect((await run({ agentId, threadId })).asked).toBeUndefined()
  })

  test('asks in every run of a thread after one was given files, across a restart', async () => {
    const agentId = agentOf([], ['input'])
    const { id: threadId } = house.app.threads.create({ agentId })
    const file = await upload(threadId)
    await run({ agentId, threadId, files: [file.id] })
    await run({ agentId, threadId })
    edit(agentId, [calls('send')])
    const third = await run({ agentId, threadId })
    expect(third.asked).toBe(inThread)
    expect(third.events[0]).toMatchObject({ type: 'run.queued', earlier: { tools: [], files: true } })

    await house.leave()
    house = openHouse({ folder: house.folder })
    const { runs } = house.app
    await runs.decide(third.id, 'call_1_1', { decision: 'approve' })
    for await (const _ of runs.watch(third.id, 0, new AbortController().signal));
    const events = eventsIn(runs, third.id)
    expect(events.filter((each) => each.type === 'policy.ruled')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', status: 'completed' })
  })

  test('asks for a file that was put into the thread with no question, and while the run is at work', async () => {
    const agentId = agentOf([calls('send')], ['input'])
    const { id: threadId } = house.app.threads.create({ agentId })
    await upload(threadId)
    expect((await run({ agentId, threadId })).asked).toBe(inThread)

    const slow = {
      use: 'code',
      name: 'slow',
      source: 'await new Promise((go) => setTimeout(go, 1500))',
      risk: 'read',
    }
    const turns = [calls('slow'), calls('send'), { text: 'done' }]
    const config = scriptOf(turns, { tools: [send, slow], policies: [{ use: 'taint', sources: ['input'] }] })
    const other = house.app.agents.create({ config: { ...config, name: 'slow-agent' } })
    const { id, threadId: during } = house.app.runs.create({ agentId: other.id, input: 'go' })
    for await (const frame of house.app.runs.watch(id, 0, new AbortController().signal))
      if (frame !== 'beat' && frame.type === 'call.started') break
    await upload(during)
    expect((await played(id)).asked).toBe(inThread)
  })

  test('asks in a fork of a run whose thread was given files', async () => {
    const agentId = agentOf([calls('math.calculate', { expression: '1' }), calls('send')], ['input'])
    const { id: threadId } = house.app.threads.create({ agentId })
    const first = await run({ agentId, threadId })
    expect(first.asked).toBeUndefined()
    await upload(threadId)
    for (const edit of [{ prompt: 'again' }, undefined]) {
      const step = edit === undefined ? 2 : 1
      const { id } = await house.app.runs.fork(first.id, { step, ...(edit && { edit }) })
      expect((await played(id)).asked).toBe(inThread)
      // The same holds in a fork of that fork, whose own thread never received files.
      const again = await house.app.runs.fork(id, { step: 1, edit: { prompt: 'once more' } })
      expect((await played(again.id)).asked).toBe(inThread)
    }
  })
})

describe('taint by tools of earlier runs (T50)', () => {
  test('asks after a source that was used further back than the dialogue reaches', async () => {
    const short = [{ use: 'history', maxMessages: 1 }]
    const agentId = agentOf([calls('math.calculate', { expression: '1' })], ['math.*'], short)
    const first = await run({ agentId })
    const { threadId } = house.app.runs.get(first.id)
    edit(agentId, [])
    for (let count = 0; count < 3; count++) await run({ agentId, threadId })
    edit(agentId, [calls('send')])
    const last = await run({ agentId, threadId })
    expect(last.asked).toMatch(/^math\.calculate brought in/)
    expect(last.events[0]).toMatchObject({ earlier: { tools: ['math.calculate'], files: false } })
  })

  test('asks after a source of a question that was asked again: what it wrote still stands in the workspace', async () => {
    const agentId = agentOf([calls('math.calculate', { expression: '1' })], ['math.*'])
    const first = await run({ agentId })
    edit(agentId, [calls('send')])
    const again = await run({ agentId, replaces: first.id })
    expect(again.asked).toMatch(/^math\.calculate brought in/)
    await cancelled(again)
  })
})
