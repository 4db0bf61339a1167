/**
 * One run as the page follows it: events are folded on arrival, and the page renders at most once per frame.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiError, api, type Connection, watchRun } from '#components/data/client'
import { fold, start } from '#lib/agent/state/fold'
import type { RunEvent } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import type { DecideCall, GiveReply } from '#lib/wire/runs'
import { nextTime, type ReplayTime, replayStart } from './replay-time'
import { createRetimer } from './retime'

export interface LiveRun {
  readonly runId: string | null
  readonly threadId: string | null
  /** Changed in place: read it through a selector, which runs again whenever `seq` grows. */
  readonly state: RunState | null
  readonly events: readonly RunEvent[]
  /** The last event that was folded. */
  readonly seq: number
  /** While a stored run is replayed: the position, and the state at that point. */
  readonly replay: Replay | null
  readonly connection: 'idle' | 'starting' | Connection
  /** A person wants the run stopped that is starting and has no id yet. */
  readonly isStopWanted: boolean
  /** What failed: starting, watching or cancelling. */
  readonly error: ApiError | null
}

export interface Replay {
  /** Milliseconds since the first event. */
  readonly at: number
  /** The last event that was folded into `state`. */
  readonly seq: number
  /** The time of that event. */
  readonly time: ReplayTime
  /** Changed in place, like the run's own state. */
  readonly state: RunState
}

/** What cards and wires show: the state at the playhead, or else the latest state. */
export function shownState({ replay, state }: Pick<LiveRun, 'replay' | 'state'>): RunState | null {
  return replay?.state ?? state
}

/** Whether the run was requested and is not finished. */
export function isUnderWay({ connection, state }: LiveRun): boolean {
  if (state !== null) return state.finishedAt === undefined && connection !== 'failed'
  return connection === 'starting' || connection === 'live' || connection === 'reconnecting'
}

export interface RunActions {
  /** Shows a run as starting that has no id yet. */
  showStarting(): void
  /** The run was not started: shows again what was shown before. */
  showAgain(): void
  /** The run was not started, and why. */
  showRefusal(error: ApiError): void
  /** Follows a run from its first event. */
  watch(runId: string): void
  /** Cancels the run followed. */
  cancel(): Promise<void>
  /** Cancels a run, followed or not. */
  stop(runId: string): Promise<void>
  /** Shows what was known so many milliseconds after the first event; null goes back to the newest. Nothing is called again. */
  seek(at: number | null): void
  /** A person's decision on a call that waits for approval; throws when it could not be sent. */
  decide(callId: string, said: DecideCall): Promise<void>
  /** A person's reply to a question of a call; throws when it could not be sent. */
  reply(callId: string, said: GiveReply): Promise<void>
  clear(): void
}

const idle: LiveRun = {
  runId: null,
  threadId: null,
  state: null,
  events: [],
  seq: 0,
  replay: null,
  connection: 'idle',
  isStopWanted: false,
  error: null,
}

/** The next frame; a short delay in a hidden page, where no frames occur. */
function soon(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work, 100)
  else requestAnimationFrame(work)
}

export interface FollowedRunStore {
  readonly store: StoreApi<LiveRun>
  readonly actions: RunActions
}

export function createRunStore(): FollowedRunStore {
  const store = createStore<LiveRun>(() => idle)
  let watching = new AbortController()
  let before = idle

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

  const showStarting = () => {
    watching.abort()
    before = store.getState()
    store.setState({ ...idle, connection: 'starting' })
  }

  const showAgain = () => store.setState(before)

  const showRefusal = (error: ApiError) => store.setState({ connection: 'failed', error })

  const stop = async (runId: string) => {
    try {
      await api.runs.cancel(runId)
    } catch (error) {
      const why = asApiError(error)
      if (store.getState().runId === runId) store.setState({ error: why })
    }
  }

  const cancel = async () => {
    const { runId, state, connection } = store.getState()
    if (runId === null && connection === 'starting') store.setState({ isStopWanted: true })
    if (runId === null || state?.finishedAt !== undefined) return
    await stop(runId)
  }

  const decide = async (callId: string, said: DecideCall) => {
    const { runId } = store.getState()
    if (runId !== null) await api.runs.decide(runId, callId, said)
  }

  const reply = async (callId: string, said: GiveReply) => {
    const { runId } = store.getState()
    if (runId !== null) await api.runs.reply(runId, callId, said)
  }

  const clear = () => {
    watching.abort()
    store.setState(idle)
  }

  const seek = (at: number | null) => {
    const { events, replay } = store.getState()
    store.setState({ replay: at === null ? null : replayTo(events, at, replay) })
  }

  return {
    store,
    actions: { showStarting, showAgain, showRefusal, watch, cancel, stop, decide, reply, seek, clear },
  }
}

/** Folds each event at once and publishes the result in the next frame. */
export function createFolder(tell: (known: Partial<LiveRun>) => void): (event: RunEvent) => void {
  const events: RunEvent[] = []
  const retimed = createRetimer()
  let state: RunState | null = null
  let isTold = true
  return (given) => {
    const event = retimed(given)
    const [first] = events
    if (event.at < given.at && event.type === 'run.started' && first !== undefined) {
      // The copied events are shown before the fork's start, so its time in the queue is moved there too.
      const queued = { ...first, at: event.at }
      state = beginState(queued)
      if (state !== null) fold(state, queued)
      events[0] = queued
    }
    state ??= beginState(event)
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

/** Continues from the playhead's last position; going backwards starts again from the first event. */
function replayTo(events: readonly RunEvent[], at: number, from: Replay | null): Replay | null {
  const [first] = events
  if (first === undefined) return null
  const goesOn = from !== null && at >= from.at
  const state = goesOn ? from.state : beginState(first)
  if (state === null) return null
  let seq = goesOn ? from.seq : 0
  let time = goesOn ? from.time : replayStart
  for (let next = events[seq]; next !== undefined; next = events[seq]) {
    const its = nextTime(time, next, first.at)
    if (its.at > at) break
    fold(state, next)
    seq += 1
    time = its
  }
  return { at, seq, time, state }
}

/** A run's first event holds its starting point; the earlier dialogue is not needed for what is shown. */
function beginState(event: RunEvent): RunState | null {
  if (event.type !== 'run.queued' && event.type !== 'run.started') return null
  const { agent, input, threadId, files } = event
  return start({ agent, input, threadId, historyThrough: null, history: [], ...(files && { files }) })
}

/** Anything else that is thrown is a bug, and is thrown again. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  throw error
}
