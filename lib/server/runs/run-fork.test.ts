import { afterEach, describe, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import { runEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import { text } from '#lib/spec/tool'
import type { ForkRun } from '#lib/wire/runs'
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

const calculator = { tools: [{ use: 'builtin', tools: ['math.*'] }] }
const sum = (expression: string): JsonObject => ({ name: 'math.calculate', args: { expression } })
const usage = { input: 10, output: 2 }
const turns: JsonObject[] = [
  { text: 'Let me see.', calls: [sum('6*7')], usage },
  { text: 'Once more.', calls: [sum('1+1'), sum('2+2')], usage },
  { text: 'It is done.', usage },
]

async function parentOf(at: House, more: JsonObject = calculator): Promise<string> {
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns, more)), input: 'How much?' })
  await at.end(id)
  return id
}

async function forked(at: House, id: string, request: ForkRun) {
  const row = await at.runs.fork(id, request)
  await at.end(row.id)
  return { row, view: at.runs.get(row.id), events: at.stores.runs.events(row.id) }
}

/** The code and path of the AppError that refuses a fork. */
async function refusal(at: House, id: string, request: ForkRun): Promise<string> {
  try {
    await at.runs.fork(id, request)
  } catch (error) {
    if (isAppError(error)) return [error.code, error.detail.path].filter(Boolean).join(' ')
    throw error
  }
  return 'nothing'
}

async function areExact(at: House, id: string): Promise<boolean[]> {
  const steps = at.stores.runs.events(id).filter(({ type }) => type === 'model.requested')
  const asked = await Promise.all(steps.map(({ step }) => at.runs.request(id, step)))
  return asked.map(({ exact }) => exact)
}

const results = (events: readonly RunEvent[]) =>
  events.flatMap((each) => (each.type === 'call.finished' ? [[each.callId, each.result.text]] : []))

describe('a fork', () => {
  it('asks a step again: what came before is taken over, nothing of it runs or costs again', async () => {
    const at = house()
    const parent = await parentOf(at)
    const before = at.stores.runs.events(parent)
    const { row, view, events } = await forked(at, parent, { step: 2 })
    expect(row.status).toBe('running')
    expect(view).toMatchObject({
      status: 'completed',
      answer: 'It is done.',
      forkedFrom: { runId: parent, step: 2 },
      usage: { input: 20, output: 4 },
      steps: 3,
      toolCalls: [{ name: 'math.calculate', count: 2 }],
    })
    expect(view.threadId).not.toBe(at.runs.get(parent).threadId)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    for (const event of events) expect(runEvent.parse(event)).toEqual(event)
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual(['run.queued', 'run.started', 'step.started'])
    expect(events.some(({ type }) => type === 'run.resumed')).toBe(false)
    // Events taken over keep their times and get new numbers.
    const at1 = (list: typeof events) => list.find(({ type }) => type === 'model.answered')?.at
    expect(at1(events)).toBe(at1(before))
    expect(await areExact(at, row.id)).toEqual([true, true, true])
    expect(at.stores.runs.events(parent)).toEqual(before)
    expect(at.faults).toEqual([])
  })

  it('runs a call with the arguments a person wrote, and the dialogue says so', async () => {
    const at = house()
    const parent = await parentOf(at)
    const edit = { callId: 'call_2_1', args: { expression: '100+1' } }
    const { row, view, events } = await forked(at, parent, { step: 2, edit })
    expect(view).toMatchObject({ status: 'completed', forkedFrom: { edit: 'args', callId: 'call_2_1' } })
    expect(results(events)).toEqual([
      ['call_1_1', '42'],
      ['call_2_1', '101'],
      ['call_2_2', '4'],
    ])
    // The fork itself asked only for the third step.
    expect(view.usage).toEqual(usage)
    expect(await areExact(at, row.id)).toEqual([true, true, true])
    const { request } = await at.runs.request(row.id, 3)
    expect(JSON.stringify(request)).toContain('100+1')
  })

  it('goes on from a result that a person wrote; what ran before it does not run again', async () => {
    const at = house()
    const parent = await parentOf(at)
    const edit = { callId: 'call_2_1', result: 'two' }
    const { row, view, events } = await forked(at, parent, { step: 2, edit })
    expect(results(events)).toEqual([
      ['call_1_1', '42'],
      ['call_2_1', 'two'],
      ['call_2_2', '4'],
    ])
    expect(view.toolCalls).toEqual([{ name: 'math.calculate', count: 1 }])
    const edited = events.find((each) => each.type === 'call.finished' && each.callId === 'call_2_1')
    expect(edited).toMatchObject({ status: 'ok', code: null, edited: true })
    expect(await areExact(at, row.id)).toEqual([true, true, true])
  })

  it('takes a reply that calls a tool by another of its names', async () => {
    const at = house()
    const parent = await parentOf(at, { ...calculator, policies: [{ use: 'finish', when: 'either' }] })
    const called = (name: string, args: JsonObject) => ({ type: 'call' as const, name, args })
    const reply = [
      called('generate_response', { answer: 'Enough.' }),
      called('math.calculate', { expression: '5*5' }),
    ]
    const { view, events } = await forked(at, parent, { step: 2, edit: { reply } })
    expect(view).toMatchObject({ status: 'completed', answer: 'Enough.' })
    // The tool that ends the run comes last, under any of its names.
    expect(events.flatMap((each) => (each.type === 'call.started' ? [each.name] : []))).toEqual([
      'math.calculate',
      'math.calculate',
      'finish',
    ])
  })

  it('takes a reply that a person wrote: its calls run, its words are an answer', async () => {
    const at = house()
    const parent = await parentOf(at)
    const words = await forked(at, parent, { step: 2, edit: { reply: [{ type: 'text', text: 'Enough.' }] } })
    expect(words.view).toMatchObject({
      status: 'completed',
      answer: 'Enough.',
      usage: { input: 0, output: 0 },
    })
    const reply = [
      { type: 'text' as const, text: 'Mine.' },
      { type: 'call' as const, id: 'x', name: 'math.calculate', args: { expression: '5*5' } },
    ]
    const called = await forked(at, parent, { step: 2, edit: { reply } })
    expect(results(called.events).at(-1)).toEqual(['call_2_1', '25'])
    expect(called.view.answer).toBe('It is done.')
    expect(await areExact(at, called.row.id)).toEqual([true, true, true])
  })

  it('asks another question with the same dialogue before it', async () => {
    const at = house()
    const first = await parentOf(at)
    const { agentId, threadId } = at.runs.get(first)
    const second = at.runs.create({ agentId, threadId, input: 'And now?' })
    await at.end(second.id)
    const { row, view, events } = await forked(at, second.id, { step: 3, edit: { prompt: 'And then?' } })
    expect(view).toMatchObject({ input: 'And then?', status: 'completed', usage: { input: 30, output: 6 } })
    expect(events[1]).toMatchObject({ type: 'run.started', forkedFrom: { runId: second.id, edit: 'prompt' } })
    const { request } = await at.runs.request(row.id, 1)
    expect(JSON.stringify(request)).toContain('How much?')
    expect(await areExact(at, row.id)).toEqual([true, true, true])
    // The parent's thread is removed; the fork keeps its own copy of the history.
    at.artifacts.removeThread(threadId)
    expect(await areExact(at, row.id)).toEqual([true, true, true])
    const next = at.runs.create({ agentId, threadId: view.threadId, input: 'More?' })
    await at.end(next.id)
    const { request: later } = await at.runs.request(next.id, 1)
    for (const said of ['How much?', 'And then?', 'More?']) expect(JSON.stringify(later)).toContain(said)
    const again = at.runs.create({ agentId, input: 'x', replaces: next.id })
    await at.end(again.id)
    expect(at.runs.get(again.id).status).toBe('completed')
  })

  it('of a fork stands in one tree with it, and knows what each run gave', async () => {
    const at = house()
    const parent = await parentOf(at)
    const child = await forked(at, parent, { step: 2, edit: { callId: 'call_2_1', result: 'two' } })
    const grandchild = await forked(at, child.row.id, { step: 3 })
    expect(results(grandchild.events)[1]).toEqual(['call_2_1', 'two'])
    const started = grandchild.events.find((each) => each.type === 'run.started')
    expect(started?.forkedFrom?.copied).toHaveLength(2)
    expect(await areExact(at, grandchild.row.id)).toEqual([true, true, true])
    const tree = [parent, child.row.id, grandchild.row.id]
    for (const id of tree) {
      const { items, truncated } = at.runs.branches(id)
      expect([items.map((each) => each.id), truncated]).toEqual([tree, false])
    }
    expect(at.runs.branches(parent).items[2]?.forkedFrom).toEqual({ runId: child.row.id, step: 3 })
  })

  it('begins its budget anew, while the steps go on from where they were', async () => {
    const at = house()
    const policies = [{ use: 'budget', tokens: 30, calls: 2 }]
    const parent = await parentOf(at, { ...calculator, policies })
    expect(at.runs.get(parent).status).toBe('budget')
    const { view } = await forked(at, parent, { step: 2, edit: { callId: 'call_2_1', result: 'two' } })
    expect(view).toMatchObject({ status: 'completed', usage })
  })

  it('copies the workspace, and its files stay readable when the run it came from goes', async () => {
    const at = house()
    const parent = await parentOf(at)
    const { threadId } = at.runs.get(parent)
    async function* bytes() {
      yield Buffer.from('a,b\n1,2\n')
    }
    const kept = await at.files.upload(threadId, { name: 'data.csv', content: bytes() })
    const { view } = await forked(at, parent, { step: 3 })
    expect((await at.files.list(view.threadId)).items).toEqual([{ path: 'uploads/data.csv', bytes: 8 }])
    at.artifacts.removeThread(threadId)
    const file = await at.artifacts.open(kept.id)
    file.content.destroy()
    expect(at.stores.artifacts.get(kept.id)?.threadId).toBe(view.threadId)
  })

  it('goes on when its agent was changed or removed since', async () => {
    const at = house()
    const parent = await parentOf(at)
    at.stores.agents.remove(at.runs.get(parent).agentId, 1)
    const { view } = await forked(at, parent, { step: 3 })
    expect(view).toMatchObject({ status: 'completed', answer: 'It is done.' })
  })

  it('runs with other instructions, and records its own beginning before the copied events', async () => {
    const at = house()
    const id = await parentOf(at)
    const { view, events } = await forked(at, id, { step: 2, overrides: { instructions: 'Be brief.' } })
    expect(view.status).toBe('completed')
    expect(view.config.instructions).toBe('Be brief.')
    expect(view.forkedFrom).toEqual({ runId: id, step: 2, changes: ['instructions'] })
    expect(view.agent.configHash).not.toBe(at.runs.get(id).agent.configHash)
    expect(at.runs.get(id).config.instructions).not.toBe('Be brief.')
    const asked = events.filter(({ type }) => type === 'model.requested')
    expect(asked.length).toBeGreaterThan(1)
  })

  it('starts from the draft, and copied calls and rulings follow their parts to where the draft has them', async () => {
    const at = house()
    const math = { use: 'builtin', tools: ['math.*'] }
    const time = { use: 'builtin', tools: ['time.now'] }
    const deny = { use: 'skills', deny: ['time.now'] }
    const budget = { use: 'budget', calls: 9 }
    const asked: JsonObject[] = [
      { calls: [sum('6*7'), { name: 'time.now', args: {} }], usage },
      { text: 'It is done.', usage },
    ]
    const before = scriptOf(asked, { tools: [math, time], policies: [budget, deny] })
    const id = at.agent(before)
    const agent = at.stores.agents.get(id)
    if (agent === undefined) throw new Error('The agent is stored.')
    const origins = { 'tools/0': 'm', 'tools/1': 't', 'policies/0': 'b', 'policies/1': 'd' }
    at.stores.agents.update({ ...agent, origins, revision: 2 })
    const parent = at.runs.create({ agentId: id, input: 'How much?' }).id
    await at.end(parent)

    const after = scriptOf(asked, { instructions: 'Be brief.', tools: [time, math], policies: [deny] })
    const moved = { 'tools/0': 't', 'tools/1': 'm', 'policies/0': 'd' }
    const config = `${JSON.stringify({ ...after, name: 'scripted-agent' }, null, 2)}\n`
    at.stores.agents.update({ ...agent, config, configHash: 'changed', origins: moved, revision: 3 })
    const { view, events } = await forked(at, parent, { step: 2, version: 'draft' })
    expect(view).toMatchObject({ status: 'completed', config: { instructions: 'Be brief.' } })
    expect(view.forkedFrom).toEqual({ runId: parent, step: 2, changes: ['draft'] })
    const nodes = (list: readonly RunEvent[]) =>
      list.flatMap((each) => ('node' in each ? [`${each.type} ${each.node}`] : []))
    expect(nodes(at.stores.runs.events(parent))).toEqual([
      'call.started tools/0',
      'call.finished tools/0',
      'policy.ruled policies/1',
      'call.finished tools/1',
    ])
    expect(nodes(events)).toEqual([
      'call.started tools/1',
      'call.finished tools/1',
      'policy.ruled policies/0',
      'call.finished tools/0',
    ])
  })

  it('runs with another model, whose name its start records before the copied events', async () => {
    const at = house()
    const id = await parentOf(at)
    const model = { provider: 'scripted', name: 'demo' }
    const { view, events } = await forked(at, id, { step: 2, overrides: { model } })
    expect(view.status).toBe('completed')
    expect(at.stores.runs.events(id).find(({ type }) => type === 'run.started')).toMatchObject({
      model: { name: 'script' },
    })
    expect(events.find(({ type }) => type === 'run.started')).toMatchObject({ model })
    expect(view.forkedFrom).toEqual({ runId: id, step: 2, changes: ['model'] })
    const copied = events.filter(({ type, step }) => type === 'call.finished' && step === 1)
    expect(copied).toHaveLength(1)
  })

  it('with a model entry that is wrong is refused', async () => {
    const at = house()
    const id = await parentOf(at)
    const wrong = { step: 1, overrides: { model: { provider: 1 } } }
    expect(await refusal(at, id, wrong)).toBe('unprocessable overrides.model')
  })

  it('is made of the settled steps of a run that still goes', async () => {
    const at = house()
    const stall = { text: 'one two', fault: { stallMs: 60_000 } }
    const agentId = at.agent(scriptOf([{ calls: [sum('6*7')] }, stall], calculator))
    const { id } = at.runs.create({ agentId, input: 'x' })
    for await (const frame of at.runs.watch(id, 0, new AbortController().signal))
      if (frame !== 'beat' && frame.type === 'text.delta') break
    const row = await at.runs.fork(id, { step: 2, edit: { reply: [{ type: 'text', text: 'Mine.' }] } })
    await at.end(row.id)
    expect(at.runs.get(row.id).answer).toBe('Mine.')
    expect(await refusal(at, id, { step: 2, edit: { callId: 'call_2_1', args: {} } })).toBe(
      'unprocessable step',
    )
    at.runs.cancel(id)
    await at.end(id)
  })

  it('is refused with what is wrong', async () => {
    const at = house()
    const parent = await parentOf(at)
    const edited = (edit: ForkRun['edit'], step = 2) => refusal(at, parent, { step, ...(edit && { edit }) })
    expect(await edited(undefined, 9)).toBe('not_found step')
    expect(await edited({ callId: 'call_1_1', result: 'x' })).toBe('not_found edit/callId')
    expect(await edited({ callId: 'call_2_1', args: { wrong: true } })).toBe('unprocessable edit/args')
    expect(await edited({ reply: [{ type: 'text', text: ' ' }] })).toBe('unprocessable edit/reply')
    expect(await refusal(at, 'run_x', { step: 1 })).toBe('not_found')
    expect(at.runs.list({}).items).toHaveLength(1)
  })

  it('that could not be stored leaves no copy of the workspace behind', async () => {
    const at = house()
    const parent = await parentOf(at)
    const told: string[] = []
    const workspaces: House['files'] = {
      ...at.files,
      copy: async (from, to) => {
        told.push('copied')
        await at.files.copy(from, to)
      },
      remove: async (threadId) => {
        told.push('removed')
        await at.files.remove(threadId)
      },
    }
    const insertFork = () => {
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
    }
    const stores = { ...at.stores, runs: { ...at.stores.runs, insertFork } }
    expect(await refusal(at.reopen({ stores, workspaces }), parent, { step: 2 })).toBe('unavailable')
    expect(told).toEqual(['copied', 'removed'])
    expect(at.runs.list({}).items).toHaveLength(1)
  })

  it('made just before the server stops goes on by itself at the next start', async () => {
    const at = house()
    const parent = await parentOf(at)
    const stopped = at.reopen({ concurrency: 0, stores: at.stores })
    const row = await stopped.runs.fork(parent, { step: 2 })
    expect(stopped.runs.get(row.id)).toMatchObject({ status: 'running', steps: 1 })
    at.runs.recover()
    await at.end(row.id)
    expect(at.runs.get(row.id)).toMatchObject({ status: 'completed', usage: { input: 20, output: 4 } })
    expect(at.stores.runs.events(row.id).some(({ type }) => type === 'run.resumed')).toBe(false)
  })
})

it('an effect that was kept does not happen again, and one that was not is due', async () => {
  const at = house({
    bodies: { write: { effect: 'effect', run: async () => text('written') } },
  })
  const call = { name: 'write', args: {} }
  const agentId = at.agent(scriptOf([{ calls: [call] }, { calls: [call, call] }, { text: 'ok' }]))
  const { id } = at.runs.create({ agentId, input: 'x' })
  await at.end(id)
  at.ran.length = 0
  await forked(at, id, { step: 2, edit: { callId: 'call_2_1', result: 'mine' } })
  expect(at.ran).toEqual(['call_2_2'])
})
