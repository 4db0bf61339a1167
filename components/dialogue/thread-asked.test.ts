import { expect, it } from 'vitest'
import { createRunStore } from '#components/run/run-store'
import { threadAsked } from './thread-asked'

function asking() {
  const { store } = createRunStore()
  store.setState({ connection: 'starting' })
  return store
}

it('there is no thread where nothing is asked', async () => {
  expect(await threadAsked(createRunStore().store)).toBeNull()
})

it('the thread of a question on its way is the one its run tells', async () => {
  const store = asking()
  const asked = threadAsked(store)
  store.setState({ runId: 'run_1', connection: 'live' })
  store.setState({ connection: 'ended' })
  store.setState({ threadId: 'thread_1' })
  expect(await asked).toBe('thread_1')
})

it('a question that can not be asked has no thread', async () => {
  const store = asking()
  const asked = threadAsked(store)
  store.setState({ connection: 'failed' })
  expect(await asked).toBeNull()
})
