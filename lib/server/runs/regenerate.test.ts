import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import { runSummary } from '#lib/wire/runs'
import { threadList } from '#lib/wire/threads'
import { type House, openHouse, scriptOf } from './run-house.fixture'
import { createThreads, type Threads } from './threads'

let house: House
let threads: Threads
beforeEach(() => {
  house = openHouse()
  threads = createThreads({ ...house, files: { remove: async () => {} }, clock: { now: () => Date.now() } })
})
afterEach(() => house.leave())

const refused = (expected: string) =>
  expect.toSatisfy((error) => isAppError(error) && error.code === expected)

async function asked(agentId: string, input: string, more: { threadId?: string; replaces?: string } = {}) {
  const run = house.runs.create({ agentId, input, ...more })
  await house.end(run.id)
  return run
}
const answering = (text: string, name: string) => house.agent(scriptOf([{ text }]), name)
const told = async (id: string) => JSON.stringify((await house.runs.request(id, 1)).request)

it('a question that is asked again takes the place of the first asking in all that follows', async () => {
  const agentId = answering('The answer.', 'one')
  const before = await asked(agentId, 'the question before')
  const { threadId } = before
  const first = await asked(agentId, 'first asking', { threadId })
  const second = await asked(agentId, 'second asking', { replaces: first.id })
  const third = await asked(agentId, 'third asking', { threadId, replaces: second.id })
  const after = await asked(agentId, 'the question after', { threadId })
  expect([first, second, third, after].map((run) => run.threadId)).toEqual(Array(4).fill(threadId))
  expect([first, second, third, after].map((run) => run.historyThrough)).toEqual([
    before.id,
    before.id,
    before.id,
    third.id,
  ])
  const shown = threads.get(threadId).runs.map((run) => runSummary.parse(run).replaces)
  expect(shown).toEqual([null, null, first.id, second.id, null])

  const again = await told(third.id)
  expect(again).toContain('the question before')
  expect(again).not.toMatch(/first asking|second asking/)
  const last = await told(after.id)
  for (const words of ['the question before', 'third asking', 'the question after'])
    expect(last).toContain(words)
  expect(last).not.toMatch(/first asking|second asking/)
  // The request that was sent does not change later.
  expect((await house.runs.request(second.id, 1)).exact).toBe(true)
})

it('the first question of a thread can be asked again, and then is alone', async () => {
  const agentId = answering('Yes.', 'one')
  const first = await asked(agentId, 'first asking')
  const again = await asked(agentId, 'second asking', { replaces: first.id })
  expect([again.threadId, again.historyThrough]).toEqual([first.threadId, null])
  expect(await told(again.id)).not.toContain('first asking')
})

it('what can not be asked again is refused, and says why', async () => {
  const agentId = answering('Yes.', 'one')
  const other = answering('No.', 'other')
  const first = await asked(agentId, 'one')
  const second = await asked(agentId, 'two', { threadId: first.threadId })
  const elsewhere = await asked(agentId, 'three')
  const again = (agent: string, more: object) => () =>
    house.runs.create({ agentId: agent, input: 'x', ...more })
  expect(again(agentId, { replaces: first.id })).toThrow(refused('conflict'))
  expect(again(agentId, { replaces: first.id })).toThrow(/is not the last one/)
  expect(again(agentId, { replaces: 'run_0' })).toThrow(refused('not_found'))
  expect(again(other, { replaces: second.id })).toThrow(refused('thread_of_other_agent'))
  expect(again(agentId, { replaces: elsewhere.id, threadId: first.threadId })).toThrow(refused('conflict'))

  const stalling = house.agent(scriptOf([{ text: 'one two', fault: { stallMs: 60_000 } }]), 'slow')
  const open = house.runs.create({ agentId: stalling, input: 'x' })
  expect(again(stalling, { replaces: open.id })).toThrow(refused('thread_busy'))
  house.runs.cancel(open.id)
  await house.end(open.id)
  const next = again(stalling, { replaces: open.id })()
  expect(next.replaces).toBe(open.id)
  house.runs.cancel(next.id)
  await house.end(next.id)
})

it('two askings again at once give one run', async () => {
  const agentId = answering('Yes.', 'one')
  const first = await asked(agentId, 'one')
  const body = { agentId, input: 'one', replaces: first.id }
  const second = house.runs.create(body)
  expect(() => house.runs.create(body)).toThrow(refused('conflict'))
  await house.end(second.id)
})

it('files given with a question are given with it again', async () => {
  const agentId = answering('Yes.', 'one')
  const { id: threadId } = threads.create({ agentId })
  const artifact = {
    id: 'artifact_1',
    name: 'sales.csv',
    path: 'sales.csv',
    mediaType: 'text/csv',
    bytes: 3,
  }
  house.stores.artifacts.insert({ ...artifact, threadId, runId: null, sha256: 'aa', createdAt: 1 })
  const first = house.runs.create({ agentId, input: 'What is in it?', threadId, files: ['artifact_1'] })
  await house.end(first.id)
  const again = await asked(agentId, 'What is in it?', { replaces: first.id })
  expect(await told(again.id)).toContain('sales.csv')
  const shown = threads.get(threadId).runs.map((run) => runSummary.parse(run).files)
  expect(shown).toEqual([[artifact], [artifact]])
})

it('a thread that was begun empty is called by its first question until it is renamed', async () => {
  const agentId = answering('Yes.', 'one')
  const { id: threadId } = threads.create({ agentId })
  await asked(agentId, 'What is this?\nAnd that?', { threadId })
  await asked(agentId, 'And now?', { threadId })
  expect(threads.get(threadId).title).toBe('What is this?')
  expect(threads.rename(threadId, 'Puzzles').title).toBe('Puzzles')
  await asked(agentId, 'And then?', { threadId })
  expect(threadList.parse(threads.list({ agentId })).items).toMatchObject([
    { id: threadId, title: 'Puzzles' },
  ])
  expect(() => threads.rename('thread_0', 'x')).toThrow(refused('not_found'))
})
