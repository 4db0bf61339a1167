import { expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { LiveRun } from './run-store'
import { threadAsked } from './thread-asked'

const idle: LiveRun = {
  runId: null,
  threadId: null,
  state: null,
  events: [],
  seq: 0,
  replay: null,
  connection: 'idle',
  error: null,
}

it('there is no thread where nothing is asked', async () => {
  expect(await threadAsked(createStore(() => idle))).toBeNull()
})

it('the thread of a question on its way is the one its run tells', async () => {
  const store = createStore<LiveRun>(() => ({ ...idle, connection: 'starting' }))
  const asked = threadAsked(store)
  store.setState({ runId: 'run_1', connection: 'live' })
  store.setState({ connection: 'ended' })
  store.setState({ threadId: 'thread_1' })
  expect(await asked).toBe('thread_1')
})

it('a question that can not be asked has no thread', async () => {
  const store = createStore<LiveRun>(() => ({ ...idle, connection: 'starting' }))
  const asked = threadAsked(store)
  store.setState({ connection: 'failed' })
  expect(await asked).toBeNull()
})
