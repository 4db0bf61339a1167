import { afterEach, describe, expect, it } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Mock } from '#lib/spec/mock'
import { type Given, type House, openHouse, scriptOf } from './run-house.fixture'

const houses: House[] = []
function house(given?: Given): House {
  const opened = openHouse(given)
  houses.push(opened)
  return opened
}
afterEach(async () => {
  for (const each of houses.splice(0)) await each.leave()
})

const sum = (expression: string): JsonObject => ({ name: 'math.calculate', args: { expression } })
const turns: JsonObject[] = [{ calls: [sum('6*7')] }, { calls: [sum('1+1')] }, { text: 'Done.' }]
const tools = [{ use: 'builtin', tools: ['math.*'] }]
const fixed = (text: string): Mock => ({ answer: { kind: 'fixed', text, format: 'text' } })
const tool = 'math.calculate'

function agentIn(at: House): string {
  return at.agent(scriptOf(turns, { tools }))
}

function mockIt(at: House, agentId: string, mock: Mock = fixed('a thousand'), on = true): void {
  at.stores.trials.putMock({ agentId, tool, mock, on, updatedAt: 1 })
}

async function answersOf(at: House, agentId: string, more: JsonObject = {}) {
  const { id } = at.runs.create({ agentId, input: 'How much?', ...more })
  await at.end(id)
  return { id, texts: textsIn(at.stores.runs.events(id)) }
}

const textsIn = (events: readonly RunEvent[]) =>
  events.flatMap((each) => (each.type === 'call.finished' ? [each.result.text] : []))

describe('issue 18.8 mocks of a draft', () => {
  it('answer the calls of its runs, which are marked in the view, in the list and in their events', async () => {
    const at = house()
    const agentId = agentIn(at)
    mockIt(at, agentId)
    const { id, texts } = await answersOf(at, agentId)
    expect(texts).toEqual(['a thousand', 'a thousand'])
    const mocked = [{ tool, kind: 'fixed' }]
    expect(at.runs.get(id).mocked).toEqual(mocked)
    expect(at.runs.list({}).items).toMatchObject([{ id, mocked }])
    expect(at.stores.runs.events(id)[0]).toMatchObject({ type: 'run.queued', mocks: mocked })
  })

  it('do nothing while they are off, where a run asks for none, and in runs of a published version', async () => {
    const at = house()
    const agentId = agentIn(at)
    const { graph, config, configHash, origins } = at.stores.agents.get(agentId) ?? {}
    if (!graph || !config || !configHash || !origins) throw new Error('the agent has a config')
    at.stores.agents.insertVersion({
      ...{ agentId, version: 1, graph, config, configHash, origins, createdAt: 1 },
    })
    mockIt(at, agentId)
    const plain = await answersOf(at, agentId, { mocks: false })
    const published = await answersOf(at, agentId, { version: 1 })
    mockIt(at, agentId, fixed('off'), false)
    const off = await answersOf(at, agentId)
    for (const { id, texts } of [plain, published, off]) {
      expect(texts).toEqual(['42', '2'])
      expect(at.runs.get(id)).not.toHaveProperty('mocked')
      expect(at.stores.runs.events(id)[0]).not.toHaveProperty('mocks')
    }
  })

  it('leave the config of a run, and so its hash, as it is without them', async () => {
    const at = house()
    const agentId = agentIn(at)
    const before = at.stores.runs.get((await answersOf(at, agentId)).id)
    mockIt(at, agentId)
    const after = at.stores.runs.get((await answersOf(at, agentId)).id)
    expect(after?.config).toBe(before?.config)
    expect(after?.agent).toEqual(before?.agent)
  })

  it('stay those that the run began with, when they are changed meanwhile and after a restart', async () => {
    const at = house()
    const agentId = agentIn(at)
    mockIt(at, agentId, { ...fixed('slow'), delayMs: 400 })
    const { id } = at.runs.create({ agentId, input: 'How much?' })
    mockIt(at, agentId, fixed('changed'))
    await expect.poll(() => at.stores.runs.events(id).some(({ type }) => type === 'call.started')).toBe(true)
    await at.runs.drain(2_000)
    at.stores.close()
    houses.pop()
    const next = at.reopen()
    houses.push(next)
    next.runs.recover()
    await next.end(id)
    expect(textsIn(next.stores.runs.events(id))).toEqual(['slow', 'slow'])
  })

  it('go over to a fork of the run, and a fork from the draft has those of the draft', async () => {
    const at = house()
    const agentId = agentIn(at)
    mockIt(at, agentId, fixed('then'))
    const { id } = await answersOf(at, agentId)
    mockIt(at, agentId, { answer: { kind: 'echo' } })
    const fork = async (more: object) => {
      const row = await at.runs.fork(id, { step: 2, ...more })
      await at.end(row.id)
      return { texts: textsIn(at.stores.runs.events(row.id)), view: at.runs.get(row.id) }
    }
    const own = await fork({})
    expect(own.texts).toEqual(['then', 'then'])
    expect(own.view.mocked).toEqual([{ tool, kind: 'fixed' }])
    const fromDraft = await fork({ version: 'draft' })
    expect(fromDraft.texts).toEqual(['then', expect.stringContaining('1+1')])
    expect(fromDraft.view.mocked).toEqual([{ tool, kind: 'echo' }])
  })

  it('answer from a recorded run, whose requests stay exact when they are built again', async () => {
    const at = house()
    const agentId = agentIn(at)
    const first = await answersOf(at, agentId)
    mockIt(at, agentId, { answer: { kind: 'recorded', runId: first.id } })
    const second = await answersOf(at, agentId)
    expect(second.texts).toEqual(['42', '2'])
    const starts = at.stores.runs.events(second.id).filter(({ type }) => type === 'call.started')
    expect(starts).toMatchObject([{ mock: 'recorded' }, { mock: 'recorded' }])
    expect((await at.runs.request(second.id, 2)).exact).toBe(true)
  })

  it('wait with a run that waits for its thread', async () => {
    const at = house()
    const agentId = agentIn(at)
    mockIt(at, agentId, { ...fixed('first'), delayMs: 300 })
    const { id, threadId } = at.runs.create({ agentId, input: 'One?' })
    mockIt(at, agentId, fixed('second'))
    const behind = at.runs.create({ agentId, input: 'Two?', threadId, whenBusy: 'queue' })
    mockIt(at, agentId, fixed('third'))
    await at.end(id)
    await expect.poll(() => at.runs.get(behind.id).finishedAt, { timeout: 5_000 }).not.toBeNull()
    expect(textsIn(at.stores.runs.events(behind.id))).toEqual(['second', 'second'])
    expect(at.stores.runs.events(behind.id)[0]).toMatchObject({ mocks: [{ tool, kind: 'fixed' }] })
  })
})
