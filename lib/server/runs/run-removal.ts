/** Deletes runs: hidden at once, restored on request, and purged a little later. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { storeFault } from '#db/fault'
import { messagesOf } from '#lib/agent/state/dialogue'
import type { Stores } from '#lib/spec/store'
import type { DeletedRuns, RestoredRuns } from '#lib/wire/runs'
import type { Artifacts } from '../files/artifacts'
import type { Workspaces } from '../files/thread-files'
import { type Folding, stateOf } from './run-history'

export interface RunRemovals {
  /** Deletes those that are finished, and names those that are not. */
  remove(ids: readonly string[]): DeletedRuns
  /** Restores those of these runs that are not purged yet. */
  restore(ids: readonly string[]): RestoredRuns
  /** Purges every run that is still hidden: nobody can undo a deletion after a restart. */
  finish(): Promise<void>
}

interface RemovalContext {
  readonly stores: Stores
  readonly engine: Folding
  readonly artifacts: Pick<Artifacts, 'release'>
  readonly files: Pick<Workspaces, 'remove'>
  readonly clock: { now(): number }
  /** Stops the purges that are still to come. */
  readonly signal: AbortSignal
  /** Called with a fault of the server. */
  report(error: unknown): void
  /** For how long a deletion can be undone, ms. The screen offers it for ten seconds. */
  readonly graceMs?: number
}

export function createRemovals(context: RemovalContext): RunRemovals {
  const { stores, clock, signal, graceMs = 15_000 } = context
  /** Purges are made one after another, so that each sees what the one before it left. */
  let last: Promise<void> = Promise.resolve()
  /** The deletion that each hidden run waits for: a run that was restored and deleted again waits for the later. */
  const deletions = new Map<string, symbol>()

  function remove(ids: readonly string[]): DeletedRuns {
    const { removed, unfinished } = stores.removals.remove([...new Set(ids)], clock.now())
    if (removed.length > 0) purgeLater(removed)
    return { deleted: removed, unfinished }
  }

  function purgeLater(ids: readonly string[]): void {
    const deletion = Symbol('deletion')
    for (const id of ids) deletions.set(id, deletion)
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', cancel)
      void purge((id) => deletions.get(id) === deletion)
    }, graceMs)
    const cancel = () => clearTimeout(timer)
    timer.unref()
    signal.addEventListener('abort', cancel, { once: true })
  }

  function purge(isMeant: (id: string) => boolean): Promise<void> {
    last = last.then(async () => {
      try {
        // Newest first: a run that nothing continues any more leaves no part of its dialogue behind.
        for (const id of stores.removals.waiting().filter(isMeant)) {
          if (signal.aborted) return
          await purgeOne(context, id)
          deletions.delete(id)
          await nextTurn()
        }
        if (!signal.aborted) context.artifacts.release()
      } catch (error) {
        // What cannot be deleted now is deleted after the next start.
        if (storeFault(error) === undefined) context.report(error)
      }
    })
    return last
  }

  return {
    remove,
    restore(ids) {
      const restored = stores.removals.restore([...new Set(ids)])
      for (const id of restored) deletions.delete(id)
      return { restored }
    },
    finish: () => purge(() => true),
  }
}

async function purgeOne({ stores, engine, files }: RemovalContext, id: string): Promise<void> {
  const { threadId } = stores.removals.purge(id, dialogueOf({ stores, engine }, id))
  if (threadId !== undefined) await files.remove(threadId)
}

/** The run's own messages, if a later run needs them. */
function dialogueOf({ stores, engine }: Pick<RemovalContext, 'stores' | 'engine'>, id: string) {
  const row = stores.removals.isContinued(id) ? stores.runs.stored(id) : undefined
  if (row === undefined) return []
  return messagesOf(stateOf(engine, row, { history: [], events: stores.runs.settledEvents(id) }))
}
