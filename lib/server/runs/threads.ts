/** Threads: the conversations with an agent, run after run. */

import { AppError } from '#lib/spec/errors'
import type { Stores, ThreadFilter } from '#lib/spec/store'
import type { CreateThread, ThreadList, ThreadSummary, ThreadView } from '#lib/wire/threads'
import type { Artifacts } from '../files/artifacts'
import type { Workspaces } from '../files/thread-files'
import { newId } from './run-create'
import type { Runs } from './runs'

/** Expected failures are thrown as AppError. */
export interface Threads {
  /** The most recently used thread first. */
  list(filter: ThreadFilter): ThreadList
  /** The thread with its runs, oldest first; of a longer thread, the last two hundred. */
  get(id: string): ThreadView
  /** An empty thread. */
  create(request: CreateThread): ThreadSummary
  rename(id: string, title: string): ThreadSummary
  /**
   * Removes the thread with its runs, their events and files; refused while one of its runs is unfinished.
   */
  remove(id: string): Promise<void>
}

export function createThreads(context: {
  stores: Stores
  runs: Pick<Runs, 'list'>
  artifacts: Pick<Artifacts, 'removeThread'>
  files: Pick<Workspaces, 'remove'>
  clock: { now(): number }
}): Threads {
  const { stores, runs, artifacts, files, clock } = context
  return {
    list: (filter) => stores.threads.list(filter),
    get: (id) => {
      const thread = stores.threads.get(id)
      if (thread === undefined) throw missing()
      return { ...thread, runs: runs.list({ threadId: id, limit: 200 }).items.toReversed() }
    },
    create: ({ agentId, title = '', purpose }) => {
      if (stores.agents.get(agentId) === undefined) throw new AppError('not_found', 'There is no such agent.')
      const at = clock.now()
      const thread = {
        id: newId('thread'),
        agentId,
        title,
        createdAt: at,
        updatedAt: at,
        ...(purpose && { purpose }),
      }
      stores.threads.insert(thread)
      return thread
    },
    rename: (id, title) => {
      const renamed = stores.threads.rename(id, title) ? stores.threads.get(id) : undefined
      if (renamed === undefined) throw missing()
      return renamed
    },
    remove: async (id) => {
      const outcome = artifacts.removeThread(id)
      if (outcome === 'missing') throw missing()
      if (outcome === 'busy')
        throw new AppError('thread_busy', 'A run of this thread is not finished yet; cancel it first.')
      await files.remove(id)
    },
  }
}

function missing(): AppError {
  return new AppError('not_found', 'There is no such thread.')
}
