import { afterEach, beforeEach, expect, it, test, vi } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import { engine, type House, openHouse, scriptOf } from './run-house.fixture'
import { createRemovals, type RunRemovals } from './run-removal'
import { createThreads } from './threads'

let house: House
let removals: RunRemovals
let stop: AbortController
const faults: unknown[] = []
beforeEach(() => {
  house = openHouse()
  open()
})
afterEach(async () => {
  stop.abort()
  await house.leave()
  expect(faults).toEqual([])
})

function open(graceMs = 60_000): void {
  stop = new AbortController()
  const { stores, artifacts, files } = house
  const report = (error: unknown) => faults.push(error)
  removals = createRemovals({
    stores,
    artifacts,
    files,
    engine,
    clock: Date,
    signal: stop.signal,
    report,
    graceMs,
  })
}

const code = (expected: string) => expect.toSatisfy((error) => isAppError(error) && error.code === expected)

async function ask(agentId: string, input: string, threadId?: string): Promise<string> {
  const run = house.runs.create({ agentId, input, ...(threadId !== undefined && { threadId }) })
  await house.end(run.id)
  return run.id
}

async function threeRuns() {
  const agentId = house.agent(scriptOf([{ text: 'Yes.' }]))
  const first = await ask(agentId, 'one')
  const { threadId } = house.runs.get(first)
  return {
    agentId,
    threadId,
    ids: [first, await ask(agentId, 'two', threadId), await ask(agentId, 'three', threadId)] as const,
  }
}

it('a deleted run is nowhere to be seen, and is back after an undo', async () => {
  const { ids, threadId } = await threeRuns()
  const threads = createThreads({ ...house, clock: { now: () => 1 } })
  removals.remove([ids[1]])
  expect(() => house.runs.get(ids[1])).toThrow(code('not_found'))
  expect(house.runs.list({}).items.map(({ id }) => id)).toEqual([ids[2], ids[0]])
  expect(house.runs.list({ search: 'two' }).total).toBe(0)
  expect(threads.get(threadId).runs.map(({ id }) => id)).toEqual([ids[0], ids[2]])
  expect(removals.restore([...ids])).toEqual({ restored: [ids[1]] })
  expect(house.runs.list({ search: 'two' }).total).toBe(1)
  expect(house.runs.get(ids[1]).input).toBe('two')
})

it('a run that is not finished is not deleted, and is named', async () => {
  const agentId = house.agent(scriptOf([{ text: 'one two three', fault: { stallMs: 60_000 } }]))
  const { id } = house.runs.create({ agentId, input: 'x' })
  expect(removals.remove([id, 'run_unknown'])).toEqual({ deleted: [], unfinished: [id] })
  house.runs.cancel(id)
  await house.end(id)
  expect(removals.remove([id])).toEqual({ deleted: [id], unfinished: [] })
  expect(removals.remove([id])).toEqual({ deleted: [], unfinished: [] })
})

test.each([
  ['the first', [0]],
  ['the second', [1]],
  ['the first and the second', [0, 1]],
])(
  'after a purge of %s run, the requests of later runs are byte for byte what they were',
  async (_name, places) => {
    const { ids, agentId, threadId } = await threeRuns()
    const before = await house.runs.request(ids[2], 1)
    const fork = await house.runs.fork(ids[2], { step: 1 })
    await house.end(fork.id)
    removals.remove(places.map((place) => ids[place] ?? ''))
    expect((await house.runs.request(ids[2], 1)).exact).toBe(true)
    await removals.finish()
    const after = await house.runs.request(ids[2], 1)
    expect([after.exact, after.request]).toEqual([true, before.request])
    expect((await house.runs.request(fork.id, 1)).exact).toBe(true)
    // The thread goes on from them, and a fork can still be made.
    const fourth = await ask(agentId, 'four', threadId)
    expect(JSON.stringify((await house.runs.request(fourth, 1)).request)).toContain('two')
    await house.end((await house.runs.fork(ids[2], { step: 1 })).id)
  },
)

it('forks stay when the run they come from is purged, and the tree shows what is left', async () => {
  const { ids } = await threeRuns()
  const fork = await house.runs.fork(ids[1], { step: 1, edit: { prompt: 'two, again' } })
  await house.end(fork.id)
  const later = await ask(house.runs.get(fork.id).agentId, 'after the fork', fork.threadId)
  removals.remove([ids[1]])
  await removals.finish()
  expect(house.runs.branches(fork.id).items.map(({ id }) => id)).toEqual([fork.id])
  expect((await house.runs.request(fork.id, 1)).exact).toBe(true)
  removals.remove([fork.id])
  await removals.finish()
  const { exact, request } = await house.runs.request(later, 1)
  expect([exact, JSON.stringify(request)]).toEqual([true, expect.stringContaining('two, again')])
})

it('the last run of a thread takes the thread with it', async () => {
  const { ids, threadId } = await threeRuns()
  removals.remove(ids)
  expect(house.stores.threads.get(threadId)).toBeDefined()
  await removals.finish()
  expect(house.stores.threads.get(threadId)).toBeUndefined()
  expect(house.stores.runs.stored(ids[0])).toBeUndefined()
})

it('files of a purged run go when nothing names them', async () => {
  const { ids, threadId } = await threeRuns()
  const port = house.artifacts.port({ threadId, runId: ids[0] })
  const lost = await port.keep({ name: 'a.txt', mediaType: 'text/plain', content: 'a' })
  removals.remove([ids[0]])
  await expect(house.artifacts.open(lost?.id ?? '')).resolves.toBeDefined()
  await removals.finish()
  await expect(house.artifacts.open(lost?.id ?? '')).rejects.toThrow(code('not_found'))
})

it('a thread remembers which tools its deleted runs used, since their files are still in its workspace', async () => {
  const agentId = house.agent(
    scriptOf([{ calls: [{ name: 'math.calculate', args: { expression: '6*7' } }] }, { text: 'It is 42.' }], {
      tools: [{ use: 'builtin', tools: ['math.calculate'] }],
    }),
  )
  const first = await ask(agentId, 'one')
  const { threadId } = house.runs.get(first)
  const second = await ask(agentId, 'two', threadId)
  removals.remove([second])
  await removals.finish()
  const third = await ask(agentId, 'three', threadId)
  const [queued] = [...house.runs.events(third)].flat()
  expect(JSON.parse(queued?.json ?? '').earlier).toEqual({ tools: ['math.calculate'], files: false })
})

it('the purge comes by itself after the time for an undo, and a restart in between finishes it', async () => {
  open(20)
  const { ids } = await threeRuns()
  removals.remove([ids[0]])
  await vi.waitFor(() => expect(house.stores.runs.stored(ids[0])).toBeUndefined())
  open()
  removals.remove([ids[1]])
  stop.abort()
  open()
  expect(house.stores.runs.stored(ids[1])).toBeDefined()
  await removals.finish()
  expect(house.stores.runs.stored(ids[1])).toBeUndefined()
})

it('a run that is restored and deleted again can be restored for the whole time once more', async () => {
  open(1_000)
  const { ids } = await threeRuns()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    removals.remove([ids[0]])
    vi.advanceTimersByTime(600)
    removals.restore([ids[0]])
    removals.remove([ids[0]])
    vi.advanceTimersByTime(600)
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(removals.restore([ids[0]])).toEqual({ restored: [ids[0]] })
  } finally {
    vi.useRealTimers()
  }
})
