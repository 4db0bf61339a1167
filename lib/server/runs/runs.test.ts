import { afterEach, expect, it } from 'vitest'
import { agentRow } from '#db/rows.fixture'
import { isAppError } from '#lib/spec/errors'
import { runEvent } from '#lib/spec/event'
import { text } from '#lib/spec/tool'
import { runSummary, runView } from '#lib/wire/runs'
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

/** The code and path of the AppError thrown. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (isAppError(error)) return [error.code, error.detail.path].filter(Boolean).join(' ')
    throw error
  }
  return 'nothing'
}

const calculator = { tools: [{ use: 'builtin', tools: ['math.*'] }] }
const sum = { calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] }
const stall = { text: 'one two three four', fault: { stallMs: 60_000 } }

/** Resolves when an event of that type is stored. */
async function until(at: House, runId: string, type: string): Promise<void> {
  for await (const frame of at.runs.watch(runId, 0, new AbortController().signal)) {
    if (frame !== 'beat' && frame.type === type) return
  }
  throw new Error(`${runId} ended without ${type}`)
}

it('a run goes from its line to its end, and is shown as the API shows it', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([sum, { text: 'It is 42.' }], calculator))
  const { id, threadId, status } = at.runs.create({ agentId, input: 'What is six times seven?\nPlease.' })
  expect(status).toBe('queued')
  const seqs = await at.end(id)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  const view = runView.parse(at.runs.get(id))
  expect(view).toMatchObject({
    status: 'completed',
    answer: 'It is 42.',
    steps: 2,
    toolCalls: [{ name: 'math.calculate', count: 1 }],
    seq: seqs.length,
    config: { name: 'scripted-agent' },
    output: null,
    pending: [],
    forkedFrom: null,
  })
  const { config: _config, origins: _origins, artifacts: _artifacts, ...summary } = view
  expect(at.runs.list({ agentId }).items).toEqual([runSummary.parse(summary)])
  expect(at.stores.threads.get(threadId)?.title).toBe('What is six times seven?')
  for (const event of at.stores.runs.events(id)) expect(runEvent.parse(event)).toEqual(event)
})

it('figures in a list are those that the end gives', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([{ ...sum, usage: { input: 10, output: 2 } }, stall], calculator))
  const { id } = at.runs.create({ agentId, input: 'x' })
  await until(at, id, 'text.delta')
  expect(at.runs.get(id)).toMatchObject({
    status: 'running',
    usage: { input: 10, output: 2 },
    steps: 2,
    toolCalls: [{ name: 'math.calculate', count: 1 }],
  })
})

it('what cannot run is refused, each with its own code', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([stall]))
  const other = at.agent(scriptOf([]), 'other')
  at.stores.agents.insert(agentRow({ id: 'broken', name: 'broken', config: null, configHash: null }))
  const create = (more: object) => refusal(() => at.runs.create({ agentId, input: 'x', ...more }))
  const { threadId } = at.runs.create({ agentId, input: 'x' })

  expect(create({ agentId: 'nobody' })).toBe('not_found')
  expect(create({ agentId: 'broken' })).toBe('not_compiled')
  expect(create({ version: 3 })).toBe('not_found version')
  expect(create({ threadId: 'nowhere' })).toBe('not_found threadId')
  expect(create({ threadId, agentId: other })).toBe('thread_of_other_agent threadId')
  expect(create({ threadId })).toBe('thread_busy')
  expect(create({ overrides: { temperature: 0.5 } })).toBe('unprocessable overrides.temperature')
  expect(create({ overrides: { model: { provider: 'nobody', name: 'x' } } })).toBe(
    'unprocessable overrides.model',
  )
  expect(refusal(() => at.runs.get('run_x'))).toBe('not_found')
  expect(refusal(() => at.runs.cancel('run_x'))).toBe('not_found')
  expect(refusal(() => at.runs.events('run_x'))).toBe('not_found')
  expect(refusal(() => at.runs.watch('run_x', 0, new AbortController().signal))).toBe('not_found')
  expect(at.runs.list({}).items).toHaveLength(1)
})

it('overrides hold for this run and change its hash', async () => {
  const at = house()
  const policies = [{ use: 'steps', max: 9, onLimit: 'error' }]
  const agentId = at.agent(scriptOf([sum, sum, sum], { ...calculator, policies }))
  const { id, agent } = at.runs.create({ agentId, input: 'x', overrides: { maxSteps: 1 } })
  await at.end(id)
  expect(at.runs.get(id)).toMatchObject({
    status: 'max_steps',
    config: { policies: [{ ...policies[0], max: 1 }] },
  })
  expect(agent.configHash).not.toBe(at.stores.agents.get(agentId)?.configHash)
  const other = at.runs.create({
    agentId,
    input: 'x',
    overrides: { model: { provider: 'scripted', name: 'demo' } },
  })
  await at.end(other.id)
  expect(at.runs.get(other.id).config).toMatchObject({ model: { provider: 'scripted', name: 'demo' } })
})

it('a published version runs as it was published', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([{ text: 'new' }]))
  const config = `${JSON.stringify(scriptOf([{ text: 'old' }]), null, 2)}\n`
  const { graph, origins, createdAt } = agentRow()
  at.stores.agents.insertVersion({ agentId, version: 1, graph, origins, createdAt, config, configHash: 'v1' })
  const { id, agent } = at.runs.create({ agentId, input: 'x', version: 1 })
  await at.end(id)
  expect([agent.version, agent.configHash, at.runs.get(id).answer]).toEqual([1, 'v1', 'old'])
})

it('E-37: of twenty at once one gets the thread', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([{ text: 'yes' }]))
  const { id, threadId } = at.runs.create({ agentId, input: 'x' })
  await at.end(id)
  const tries = Array.from({ length: 20 }, async () =>
    refusal(() => at.runs.create({ agentId, input: 'x', threadId })),
  )
  const outcomes = await Promise.all(tries)
  expect(outcomes.filter((each) => each === 'nothing')).toHaveLength(1)
  expect(outcomes.filter((each) => each === 'thread_busy')).toHaveLength(19)
})

it('a run knows the dialogue of its thread', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([{ text: 'I am here.' }]))
  const first = at.runs.create({ agentId, input: 'Who is there?' })
  await at.end(first.id)
  const second = at.runs.create({ agentId, input: 'And who else?', threadId: first.threadId })
  await at.end(second.id)
  expect(second.historyThrough).toBe(first.id)
  const { request, exact } = await at.runs.request(second.id, 1)
  const told = JSON.stringify(request)
  expect(exact).toBe(true)
  for (const words of ['Who is there?', 'I am here.', 'And who else?']) expect(told).toContain(words)
  // A later run of the thread is not in the history of an earlier one.
  const again = await at.runs.request(first.id, 1)
  expect([again.exact, JSON.stringify(again.request).includes('who else')]).toEqual([true, false])
  await expect(at.runs.request(first.id, 2)).rejects.toThrow(/Step 2/)
})

it('a long thread costs a run no more than the window on it, and is told as it is', async () => {
  const at = house()
  const twoCalls = { calls: [...sum.calls, ...sum.calls] }
  const agentId = at.agent(scriptOf([twoCalls, { text: 'It is 42.' }], calculator))
  let threadId: string | undefined
  let read = 0
  const { settledEvents } = at.stores.runs
  Object.assign(at.stores.runs, {
    settledEvents: (id: string) => {
      read += 1
      return settledEvents(id)
    },
  })
  const perRun = 5
  for (let before = 0; before < 30; before += 1) {
    read = 0
    const run = at.runs.create({ agentId, input: `question ${before}`, ...(threadId && { threadId }) })
    threadId = run.threadId
    await at.end(run.id)
    expect(read).toBeLessThanOrEqual(20)
    const events = at.stores.runs.events(run.id)
    const cut = events.find((event) => event.type === 'context.truncated')
    const told = cut?.type === 'context.truncated' ? cut.messages : { kept: before * perRun + 1, dropped: 0 }
    expect(told.kept + told.dropped).toBe(before * perRun + 1)
    expect(told.kept).toBeLessThanOrEqual(50)
    const { exact, request } = await at.runs.request(run.id, 2)
    expect(exact).toBe(true)
    expect(JSON.stringify(request)).toContain(`question ${before}`)
    if (before > 0) expect(JSON.stringify(request)).toContain(`question ${before - 1}`)
  }
}, 30_000)

it.each([
  [{ maxMessages: 6 }, 6],
  [{ maxTokens: 60 }, 7],
  [{ maxMessages: 6, clearToolTurns: true }, 6],
])(
  'S3-20: a history policy of %j tells a run so many messages, and reads no further',
  async (limits, most) => {
    const at = house()
    const twoCalls = { calls: [...sum.calls, ...sum.calls] }
    const policies = [{ use: 'history', ...limits }]
    const agentId = at.agent(scriptOf([twoCalls, { text: 'It is 42.' }], { ...calculator, policies }))
    let read = 0
    const { settledEvents } = at.stores.runs
    Object.assign(at.stores.runs, {
      settledEvents: (id: string) => {
        read += 1
        return settledEvents(id)
      },
    })
    let threadId: string | undefined
    for (let before = 0; before < 12; before += 1) {
      read = 0
      const run = at.runs.create({ agentId, input: `question ${before}`, ...(threadId && { threadId }) })
      threadId = run.threadId
      await at.end(run.id)
      expect(read).toBeLessThanOrEqual(5)
      const cut = at.stores.runs.events(run.id).find((event) => event.type === 'context.truncated')
      const told = cut?.type === 'context.truncated' ? cut.messages : { kept: before * 5 + 1, dropped: 0 }
      expect(told.kept + told.dropped).toBe(before * 5 + 1)
      if (before > 3) expect(told.kept).toBeLessThanOrEqual(most)
      expect((await at.runs.request(run.id, 2)).exact).toBe(true)
    }
  },
  30_000,
)

it('what never asked a model leaves the count of a thread right', async () => {
  const at = house()
  const agentId = at.agent(scriptOf([{ text: 'Yes.' }]))
  let run = at.runs.create({ agentId, input: 'x' })
  const { threadId } = run
  await at.end(run.id)
  for (let before = 1; before < 90; before += 1) {
    run = at.runs.create({ agentId, input: 'x', threadId })
    // Every third run is cancelled before it starts, and its question stays out of the history.
    if (before % 3 === 0) at.runs.cancel(run.id)
    await at.end(run.id)
    const events = at.stores.runs.events(run.id)
    const cut = events.find((event) => event.type === 'context.truncated')
    if (cut?.type !== 'context.truncated') continue
    const cancelled = Math.floor((before - 1) / 3)
    expect(cut.messages.kept + cut.messages.dropped).toBe(2 * before - cancelled + 1)
  }
}, 30_000)

it('tool schemas are kept under the hashes that events name', async () => {
  const at = house()
  const kept: { hash: string; json: string }[] = []
  Object.assign(at.stores.runs, {
    saveSchemas: (schemas: typeof kept) => void kept.push(...schemas),
  })
  const { id } = at.runs.create({ agentId: at.agent(scriptOf([{ text: 'x' }], calculator)), input: 'x' })
  await at.end(id)
  const asked = at.stores.runs.events(id).find((event) => event.type === 'model.requested')
  const [tool] = asked?.type === 'model.requested' ? asked.tools : []
  const schema = kept.find(({ hash }) => hash === tool?.hash)
  expect(JSON.parse(schema?.json ?? '{}')).toMatchObject({ name: tool?.wireName })
})

it('eight run at once, the others wait in line, and the line has an end', async () => {
  const at = house({ concurrency: 2, queue: 1 })
  const agentId = at.agent(scriptOf([stall]))
  const ids = [1, 2, 3].map(() => at.runs.create({ agentId, input: 'x' }).id)
  expect(refusal(() => at.runs.create({ agentId, input: 'x' }))).toBe('too_many')
  await until(at, ids[1] ?? '', 'text.delta')
  expect(at.runs.get(ids[2] ?? '').status).toBe('queued')
  at.runs.cancel(ids[0] ?? '')
  await until(at, ids[2] ?? '', 'text.delta')
})

it('F8: cancel ends a run at work, and one in line, at once, and changes nothing twice', async () => {
  const at = house({ concurrency: 1 })
  const agentId = at.agent(scriptOf([stall]))
  const working = at.runs.create({ agentId, input: 'x' }).id
  const inLine = at.runs.create({ agentId, input: 'x' }).id
  await until(at, working, 'text.delta')
  const waiting = at.runs.cancel(inLine)
  expect(waiting).toMatchObject({ status: 'cancelled', seq: 2, answer: null, error: null })
  const began = performance.now()
  at.runs.cancel(working)
  at.runs.cancel(working)
  await at.end(working)
  expect(performance.now() - began).toBeLessThan(10_000)
  const ended = at.runs.get(working)
  expect(ended.status).toBe('cancelled')
  expect([at.runs.cancel(working), at.runs.cancel(inLine)]).toEqual([ended, waiting])
})

it('a cancel that a crash overtakes still holds', async () => {
  const at = house()
  const { id } = at.runs.create({ agentId: at.agent(scriptOf([stall])), input: 'x' })
  await until(at, id, 'text.delta')
  at.stores.runs.markCancelling(id)
  await at.runs.drain(20_000)
  const next = house({ stores: at.stores })
  next.runs.recover()
  await next.end(id)
  expect(next.runs.get(id).status).toBe('cancelled')
  houses.splice(houses.indexOf(at), 1)
})

it('two watchers see the same', async () => {
  const at = house()
  const turns = Array.from({ length: 8 }, () => ({ ...sum, reasoning: 'I think so. '.repeat(20) }))
  const { id } = at.runs.create({ agentId: at.agent(scriptOf(turns, calculator)), input: 'x' })
  const [one, two] = await Promise.all([at.end(id), at.end(id)])
  expect(one).toEqual(two)
  expect(one).toEqual(await at.end(id))
})

it('E-60: a run goes on and opens although its agent is removed', async () => {
  const at = house({ bodies: { slow: { effect: 'read', run: async () => text('done') } } })
  const agentId = at.agent(scriptOf([{ calls: [{ name: 'slow' }] }, { text: 'Done.' }]))
  const { id } = at.runs.create({ agentId, input: 'x' })
  at.stores.agents.remove(agentId, 1)
  await at.end(id)
  expect(at.runs.get(id)).toMatchObject({
    status: 'completed',
    answer: 'Done.',
    agent: { name: 'scripted-agent' },
  })
})
