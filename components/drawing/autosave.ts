/** Saves a drawing a moment after each change, one request at a time, and says at every moment whether it is safe. */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { equal } from '#lib/graph/equal'
import type { GraphDocument } from '#lib/spec/graph'
import type { AgentView } from '#lib/wire/agents'

export type SaveState =
  | { readonly at: 'saved' }
  /** Changed, and not sent yet. */
  | { readonly at: 'waiting' }
  | { readonly at: 'saving' }
  | { readonly at: 'failed'; readonly error: unknown }
  /** Someone else saved in between; what they saved is `theirs`. */
  | { readonly at: 'conflict'; readonly theirs: AgentView }

/** Whether a run may begin: what waits is sent before it, what failed or clashed is not. */
export function isSafe({ at }: SaveState): boolean {
  return at !== 'failed' && at !== 'conflict'
}

export interface AutosaveOptions {
  readonly graph: GraphDocument
  readonly revision: number
  /** Resolves with what is stored now; rejects with why it is not. */
  save(graph: GraphDocument, revision: number): Promise<AgentView>
  /** The other's agent, when the failure is that the revision is stale. */
  conflictOf(error: unknown): AgentView | undefined
  /** Whether the same request may succeed later by itself, as when the server is away. */
  isPassing(error: unknown): boolean
  /** Milliseconds of rest before a change is sent; `retryDelay` before a failed one is sent again. */
  readonly delay?: number
  readonly retryDelay?: number
}

export interface Autosave {
  readonly state: StoreApi<SaveState>
  /** The agent as the server gave it last: what it found besides the drawing stands there. */
  readonly view: StoreApi<{ readonly agent: AgentView | null }>
  revision(): number
  /** The drawing that both sides have seen last; null after mine was chosen over theirs. */
  stored(): GraphDocument | null
  changed(graph: GraphDocument): void
  /** Sends at once what waits; true when all is stored. */
  flush(): Promise<boolean>
  /** Goes on from what the server has: after theirs was loaded, or to save mine over it. */
  rebase(revision: number, stored: GraphDocument | null): void
}

export function createAutosave({
  graph,
  revision,
  save,
  conflictOf,
  isPassing,
  delay = 500,
  retryDelay = 4_000,
}: AutosaveOptions): Autosave {
  const state = createStore<SaveState>(() => ({ at: 'saved' }))
  const view = createStore<{ agent: AgentView | null }>(() => ({ agent: null }))
  let current = graph
  let stored: GraphDocument | null = graph
  let known = revision
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  // Sent and failed: it may have been stored all the same.
  let unsure: GraphDocument | undefined
  const isStored = () => current === stored && unsure === undefined

  const say = (next: SaveState) => state.setState(next, true)
  const later = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void send(), ms)
  }

  const kept = (saved: AgentView, of: GraphDocument) => {
    known = saved.revision
    stored = of
    unsure = undefined
    view.setState({ agent: saved })
    say(current === of ? { at: 'saved' } : { at: 'waiting' })
  }

  const put = async (sent: GraphDocument) => {
    say({ at: 'saving' })
    try {
      kept(await save(sent, known), sent)
    } catch (error) {
      const theirs = conflictOf(error)
      const mine = theirs && [sent, unsure].find((each) => equal(each, theirs.graph))
      if (theirs !== undefined && mine !== undefined) return kept(theirs, mine)
      if (theirs === undefined) unsure = sent
      say(theirs === undefined ? { at: 'failed', error } : { at: 'conflict', theirs })
    }
  }

  /** Changes that come while a request is under way go with the next one. */
  const send = async (): Promise<void> => {
    clearTimeout(timer)
    if (sending !== undefined) return sending
    if (isStored() || state.getState().at === 'conflict') return
    sending = put(current).finally(() => {
      sending = undefined
    })
    await sending
    const after = state.getState()
    if (after.at === 'waiting') later(delay)
    if (after.at === 'failed' && isPassing(after.error)) later(retryDelay)
  }

  return {
    state,
    view,
    revision: () => known,
    stored: () => stored,
    changed(next) {
      current = next
      if (state.getState().at === 'conflict') return
      if (isStored() && sending === undefined) {
        clearTimeout(timer)
        return say({ at: 'saved' })
      }
      if (sending === undefined) say({ at: 'waiting' })
      later(delay)
    },
    async flush() {
      // What changes while a request is under way needs another one.
      do await send()
      while (state.getState().at === 'waiting')
      return state.getState().at === 'saved'
    },
    rebase(next, graphStored) {
      known = next
      stored = graphStored
      unsure = undefined
      if (graphStored !== null) current = graphStored
      say(current === stored ? { at: 'saved' } : { at: 'waiting' })
      if (current !== stored) later(0)
    },
  }
}
