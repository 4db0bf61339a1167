import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { emptyGraph, type GraphDocument } from '#lib/spec/graph'
import type { AgentView } from '#lib/wire/agents'
import { createAutosave } from './autosave'

const drawing = (text: string): GraphDocument => ({ ...emptyGraph, notes: [{ id: 'n', text, at: [0, 0] }] })
const view = (graph: GraphDocument, revision: number): AgentView => ({
  id: 'a',
  name: 'a',
  graph,
  config: null,
  diagnostics: [],
  origins: {},
  revision,
})

/** A server that keeps one agent, refuses stale revisions, and can be made to hold its answers back. */
function server() {
  let stored = view(emptyGraph, 1)
  const waiting: (() => void)[] = []
  let isHeld = false
  let fault: Error | undefined
  let isLost = false
  return {
    saved: () => stored,
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const go of waiting.splice(0)) go()
    },
    next: () => waiting.shift()?.(),
    /** The next save is stored, but its answer is lost. */
    loseAnswer: () => {
      isLost = true
    },
    fail: (error: Error | undefined) => {
      fault = error
    },
    byAnother: (graph: GraphDocument) => {
      stored = view(graph, stored.revision + 1)
    },
    async save(graph: GraphDocument, revision: number) {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      if (fault !== undefined) throw fault
      if (revision !== stored.revision) throw { stale: stored }
      stored = view(graph, stored.revision + 1)
      if (isLost) {
        isLost = false
        throw new Error('no answer')
      }
      return stored
    },
    conflictOf: (error: unknown) =>
      typeof error === 'object' && error !== null && 'stale' in error
        ? (error.stale as AgentView)
        : undefined, // cast: thrown above
  }
}

describe('autosave', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const begin = () => {
    const remote = server()
    return {
      remote,
      autosave: createAutosave({
        graph: emptyGraph,
        revision: 1,
        save: remote.save,
        conflictOf: remote.conflictOf,
        isPassing: (error) => error instanceof Error && error.message === 'no server',
      }),
    }
  }

  it('sends the last of many changes once the hand rests', async () => {
    const { remote, autosave } = begin()
    for (const text of ['a', 'ab', 'abc']) autosave.changed(drawing(text))
    expect(autosave.state.getState().at).toBe('waiting')
    await vi.advanceTimersByTimeAsync(600)
    expect(autosave.state.getState().at).toBe('saved')
    expect(remote.saved()).toMatchObject({ revision: 2, graph: drawing('abc') })
    expect(autosave.view.getState().agent?.revision).toBe(2)
  })

  it('sends what changed while a request was under way in the next one', async () => {
    const { remote, autosave } = begin()
    remote.hold()
    autosave.changed(drawing('first'))
    await vi.advanceTimersByTimeAsync(600)
    expect(autosave.state.getState().at).toBe('saving')
    autosave.changed(drawing('second'))
    remote.release()
    await vi.advanceTimersByTimeAsync(600)
    expect(remote.saved()).toMatchObject({ revision: 3, graph: drawing('second') })
    expect(autosave.state.getState().at).toBe('saved')
  })

  it('is saved again without a request when the change is undone', async () => {
    const { remote, autosave } = begin()
    autosave.changed(drawing('a'))
    autosave.changed(emptyGraph)
    expect(autosave.state.getState().at).toBe('saved')
    await vi.advanceTimersByTimeAsync(600)
    expect(remote.saved().revision).toBe(1)
  })

  it('says why it failed, and tries again by itself', async () => {
    const { remote, autosave } = begin()
    remote.fail(new Error('no server'))
    autosave.changed(drawing('a'))
    await vi.advanceTimersByTimeAsync(600)
    expect(autosave.state.getState()).toMatchObject({ at: 'failed', error: { message: 'no server' } })
    remote.fail(undefined)
    await vi.advanceTimersByTimeAsync(4_100)
    expect(autosave.state.getState().at).toBe('saved')
  })

  it('waits for another change when the same request can not succeed', async () => {
    const { remote, autosave } = begin()
    remote.fail(new Error('name taken'))
    autosave.changed(drawing('a'))
    await vi.advanceTimersByTimeAsync(600)
    remote.fail(undefined)
    await vi.advanceTimersByTimeAsync(9_000)
    expect(autosave.state.getState().at).toBe('failed')
    autosave.changed(drawing('b'))
    await vi.advanceTimersByTimeAsync(600)
    expect(autosave.state.getState().at).toBe('saved')
  })

  it('stops at a conflict with nothing lost on either side, until one is chosen', async () => {
    const { remote, autosave } = begin()
    remote.byAnother(drawing('theirs'))
    autosave.changed(drawing('mine'))
    await vi.advanceTimersByTimeAsync(600)
    const state = autosave.state.getState()
    if (state.at !== 'conflict') throw new Error(state.at)
    expect(state.theirs.graph).toEqual(drawing('theirs'))
    expect(autosave.stored()).toEqual(emptyGraph)
    autosave.changed(drawing('mine still'))
    await vi.advanceTimersByTimeAsync(9_000)
    expect(remote.saved().graph).toEqual(drawing('theirs'))
    autosave.rebase(state.theirs.revision, null)
    await vi.advanceTimersByTimeAsync(10)
    expect(remote.saved()).toMatchObject({ revision: 3, graph: drawing('mine still') })
  })

  it('takes theirs without sending anything', async () => {
    const { remote, autosave } = begin()
    remote.byAnother(drawing('theirs'))
    autosave.changed(drawing('mine'))
    await vi.advanceTimersByTimeAsync(600)
    autosave.rebase(2, remote.saved().graph)
    expect(autosave.state.getState().at).toBe('saved')
    await vi.advanceTimersByTimeAsync(9_000)
    expect(remote.saved().revision).toBe(2)
  })

  it('is saved in the end when a change is undone while its request fails', async () => {
    const { remote, autosave } = begin()
    remote.hold()
    remote.fail(new Error('no server'))
    autosave.changed(drawing('a'))
    await vi.advanceTimersByTimeAsync(600)
    autosave.changed(emptyGraph)
    remote.release()
    await vi.advanceTimersByTimeAsync(600)
    expect(autosave.state.getState().at).toBe('failed')
    remote.fail(undefined)
    expect(await autosave.flush()).toBe(true)
    expect(remote.saved().graph).toEqual(emptyGraph)
  })

  it.each([['as it was'], ['drawn on']])(
    'whose answer was lost is no conflict with itself: %s',
    async (text) => {
      const { remote, autosave } = begin()
      remote.loseAnswer()
      autosave.changed(drawing('as it was'))
      await vi.advanceTimersByTimeAsync(600)
      expect(autosave.state.getState().at).toBe('failed')
      autosave.changed(drawing(text))
      expect(await autosave.flush()).toBe(true)
      expect(remote.saved()).toMatchObject({ graph: drawing(text), revision: text === 'as it was' ? 2 : 3 })
    },
  )

  it('that is stored unheard and then undone is undone on the server too', async () => {
    const { remote, autosave } = begin()
    remote.loseAnswer()
    autosave.changed(drawing('a'))
    await vi.advanceTimersByTimeAsync(600)
    autosave.changed(emptyGraph)
    expect(autosave.state.getState().at).not.toBe('saved')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(autosave.state.getState().at).toBe('saved')
    expect(remote.saved()).toMatchObject({ graph: emptyGraph, revision: 3 })
  })

  it('stores all that changes while it is flushed', async () => {
    const { remote, autosave } = begin()
    remote.hold()
    autosave.changed(drawing('a'))
    const flushed = autosave.flush()
    for (const text of ['ab', 'abc']) {
      autosave.changed(drawing(text))
      remote.next()
      await vi.advanceTimersByTimeAsync(0)
    }
    remote.release()
    expect(await flushed).toBe(true)
    expect(remote.saved().graph).toEqual(drawing('abc'))
  })

  it('sends at once when flushed, and says whether all is stored', async () => {
    const { remote, autosave } = begin()
    autosave.changed(drawing('a'))
    expect(await autosave.flush()).toBe(true)
    expect(remote.saved().revision).toBe(2)
    remote.fail(new Error('no server'))
    autosave.changed(drawing('b'))
    expect(await autosave.flush()).toBe(false)
  })
})
