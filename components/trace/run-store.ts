/** One run as the page follows it: events folded as they come, and the page told at most once a frame. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { fold, start } from '#lib/agent/fold'
import { ApiError, api, type Connection, watchRun } from '#lib/http/client'
import type { CreateRun } from '#lib/http/runs'
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'

export interface LiveRun {
  readonly runId: string | null
  readonly threadId: string | null
  /** Changed in place: read it through a selector, which is asked again whenever `seq` grows. */
  readonly state: RunState | null
  readonly events: readonly RunEvent[]
  /** The last event folded. */
  readonly seq: number
  readonly connection: 'idle' | 'starting' | Connection
  /** What failed: starting, watching or cancelling. */
  readonly error: ApiError | null
}

export interface RunActions {
  /** Starts a run and follows it; resolves with its id, or null when it could not begin (then `error` says why). */
  begin(agentId: string, body: CreateRun): Promise<string | null>
  /** Follows a run from its first event. */
  watch(runId: string): void
  cancel(): Promise<void>
  clear(): void
}

const idle: LiveRun = {
  runId: null,
  threadId: null,
  state: null,
  events: [],
  seq: 0,
  connection: 'idle',
  error: null,
}

/** A frame in the browser, where the page is seen; a short wait where it is hidden and frames do not come. */
function soon(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work, 100)
  else requestAnimationFrame(work)
}

export function createRunStore(): { store: StoreApi<LiveRun>; actions: RunActions } {
  const store = createStore<LiveRun>(() => idle)
  let watching = new AbortController()

  const watch = (runId: string) => {
    watching.abort()
    watching = new AbortController()
    const { signal } = watching
    store.setState({ ...idle, runId, connection: 'starting' })
    const take = createFolder((known) => {
      if (!signal.aborted) store.setState(known)
    })
    void watchRun(runId, {
      signal,
      onEvent: take,
      onState: (connection, error) => {
        if (!signal.aborted) store.setState({ connection, error: error ?? null })
      },
    })
  }

  const begin = async (agentId: string, body: CreateRun) => {
    watching.abort()
    store.setState({ ...idle, connection: 'starting' })
    try {
      const { id } = await api.runs.create(agentId, body)
      watch(id)
      return id
    } catch (error) {
      store.setState({ connection: 'failed', error: asApiError(error) })
      return null
    }
  }

  const cancel = async () => {
    const { runId, state } = store.getState()
    if (runId === null || state?.finishedAt !== undefined) return
    try {
      await api.runs.cancel(runId)
    } catch (error) {
      store.setState({ error: asApiError(error) })
    }
  }

  const clear = () => {
    watching.abort()
    store.setState(idle)
  }

  return { store, actions: { begin, watch, cancel, clear } }
}

/** Folds each event at once, and tells what is known so far when the next frame comes. */
function createFolder(tell: (known: Partial<LiveRun>) => void): (event: RunEvent) => void {
  const events: RunEvent[] = []
  let state: RunState | null = null
  let isTold = true
  return (event) => {
    state ??= begun(event)
    if (state === null) return
    fold(state, event)
    events.push(event)
    if (!isTold) return
    isTold = false
    soon(() => {
      isTold = true
      tell({ state, events, seq: state?.seq ?? 0, threadId: state?.start.threadId ?? null })
    })
  }
}

/** A run's first event tells what it starts from; the dialogue before it plays no part in what is shown. */
function begun(event: RunEvent): RunState | null {
  if (event.type !== 'run.queued' && event.type !== 'run.started') return null
  const { agent, input, threadId, files } = event
  return start({ agent, input, threadId, historyThrough: null, history: [], ...(files && { files }) })
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}
