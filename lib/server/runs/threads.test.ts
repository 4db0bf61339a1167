import { afterEach, beforeEach, expect, it } from 'vitest'
import { isAppError } from '#lib/spec/errors'
import { threadView } from '#lib/wire/threads'
import { type House, openHouse, scriptOf } from './run-house.fixture'
import { createThreads, type Threads } from './threads'

let house: House
let threads: Threads
let now: number
beforeEach(() => {
  house = openHouse()
  now = 1_000
  threads = createThreads({ ...house, files: { remove: async () => {} }, clock: { now: () => now++ } })
})
afterEach(() => house.leave())

const code = (expected: string) => expect.toSatisfy((error) => isAppError(error) && error.code === expected)

it('a thread shows its runs, oldest first', async () => {
  const agentId = house.agent(scriptOf([{ text: 'Yes.' }]))
  const { id, title } = threads.create({ agentId, title: 'Questions' })
  const runs: string[] = []
  for (const input of ['one', 'two', 'three']) {
    const run = house.runs.create({ agentId, input, threadId: id })
    await house.end(run.id)
    runs.push(run.id)
  }
  const view = threadView.parse(threads.get(id))
  expect(title).toBe('Questions')
  expect(view.runs.map((run) => run.id)).toEqual(runs)
  expect(threads.list({ agentId }).items.map((thread) => thread.id)).toEqual([id])
})

it('a thread is removed with its runs, but not while one of them is unfinished', async () => {
  const agentId = house.agent(scriptOf([{ text: 'one two three', fault: { stallMs: 60_000 } }]))
  const { id, threadId } = house.runs.create({ agentId, input: 'x' })
  await expect(threads.remove(threadId)).rejects.toThrow(code('thread_busy'))
  house.runs.cancel(id)
  await house.end(id)
  await threads.remove(threadId)
  expect(() => threads.get(threadId)).toThrow(code('not_found'))
  expect(() => house.runs.get(id)).toThrow(code('not_found'))
  await expect(threads.remove(threadId)).rejects.toThrow(code('not_found'))
})

it('a thread needs an agent', () => {
  expect(() => threads.create({ agentId: 'nobody' })).toThrow(code('not_found'))
})

it('a test stays one: with its later runs, and in a fork', async () => {
  const agentId = house.agent(scriptOf([{ text: 'Yes.' }]))
  const first = house.runs.create({ agentId, input: 'one', purpose: 'test' })
  await house.end(first.id)
  const later = house.runs.create({ agentId, input: 'two', threadId: first.threadId })
  await house.end(later.id)
  const fork = await house.runs.fork(first.id, { step: 1 })
  await house.end(fork.id)
  const chat = house.runs.create({ agentId, input: 'three' })
  await house.end(chat.id)
  const ids = (purpose: 'test' | 'other') => threads.list({ agentId, purpose }).items.map(({ id }) => id)
  expect(ids('test')).toEqual([fork.threadId, first.threadId])
  expect(ids('other')).toEqual([chat.threadId])
  expect(threads.create({ agentId, purpose: 'test' }).purpose).toBe('test')
})
