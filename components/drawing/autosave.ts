/**
 * Saves a drawing a moment after each change, one request at a time, and always reports whether everything is
 * saved.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { equal } from '#lib/graph/equal'
import type { GraphDocument } from '#lib/spec/graph'
import type { AgentView } from '#lib/wire/agents'

export type SaveState =
  | { readonly at: 'saved' }
  /** Changed and not yet sent. */
  | { readonly at: 'waiting' }
  | { readonly at: 'saving' }
  | { readonly at: 'failed'; readonly error: unknown }
  /** Someone else saved in between; `theirs` is what they saved. */
  | { readonly at: 'conflict'; readonly theirs: AgentView }

/**
 * Whether a run may begin: a waiting change is sent first, but after a failure or a conflict no run begins.
 */
export function isSafe({ at }: SaveState): boolean {
  return at !== 'failed' && at !== 'conflict'
}

export interface AutosaveOptions {
  readonly graph: GraphDocument
  readonly revision: number
  /** Resolves with the stored agent; rejects with the reason when it is not stored. */
  save(graph: GraphDocument, revision: number): Promise<AgentView>
  /** The other person's agent, if the error says that the revision is stale. */
  conflictOf(error: unknown): AgentView | undefined
  /**
   * Whether the same request may succeed later without a change, for example when the server is unreachable.
   */
  isPassing(error: unknown): boolean
  /**
   * Milliseconds without a change before a save is sent; `retryDelay` is the pause before a failed one is
   * sent again.
   */
  readonly delay?: number
  readonly retryDelay?: number
}

export interface Autosave {
  readonly state: StoreApi<SaveState>
  /** The agent as the server last returned it, including the findings that only the server can make. */
  readonly view: StoreApi<{ readonly agent: AgentView | null }>
  revision(): number
  /** The latest drawing that both sides know; null after a person kept their own drawing in a conflict. */
  stored(): GraphDocument | null
  changed(graph: GraphDocument): void
  /** Sends a waiting change at once; resolves with true when everything is stored. */
  flush(): Promise<boolean>
  /** Continues from the server's state: after it was loaded, or to save this drawing over it. */
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
  // Sent, but the request failed: it may have been stored nevertheless.
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

  /** Changes made during a request are sent with the next one. */
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
      // Changes made during the request need another one.
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
