import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRunStore } from './run-store'

const answers: ((answer: Response | Error) => void)[] = []
let asked: string[]

beforeEach(() => {
  asked = []
  answers.length = 0
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => {
    asked.push(`${init.method ?? 'GET'} ${path}`)
    return new Promise<Response>((resolve, reject) =>
      answers.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer))),
    )
  })
})
afterEach(() => vi.unstubAllGlobals())

const created = () => Response.json({ id: 'run_1' }, { status: 201 })

describe('a run that is left before the server has said its id', () => {
  it('is not followed when it comes', async () => {
    const { store, actions } = createRunStore()
    const begun = actions.begin('agent_1', { input: 'Hello' })
    actions.clear()
    answers[0]?.(created())
    expect(await begun).toBe('run_1')
    expect(store.getState()).toMatchObject({ runId: null, connection: 'idle', error: null })
    expect(asked).toHaveLength(1)
  })

  it('tells nothing of its failure where another run is followed', async () => {
    const { store, actions } = createRunStore()
    const begun = actions.begin('agent_1', { input: 'Hello' })
    actions.watch('run_2')
    answers[0]?.(new TypeError('fetch failed'))
    expect(await begun).toBeNull()
    expect(store.getState()).toMatchObject({ runId: 'run_2', connection: 'starting', error: null })
    actions.clear()
  })

  it('is stopped all the same when that was asked', async () => {
    const { actions } = createRunStore()
    const begun = actions.begin('agent_1', { input: 'Hello' })
    await actions.cancel()
    actions.clear()
    answers[0]?.(created())
    await begun
    expect(asked.at(-1)).toBe('POST /api/runs/run_1/cancel')
  })
})

describe('a run that waits for what comes before it', () => {
  const prepared = () => {
    let tell: (isReady: boolean) => void = () => undefined
    const prepare = () =>
      new Promise<boolean>((resolve) => {
        tell = resolve
      })
    return { prepare, tell: (isReady: boolean) => tell(isReady) }
  }

  it('does not begin when it is stopped by then, and what was shown is shown again', async () => {
    const { store, actions } = createRunStore()
    actions.watch('run_1')
    const { prepare, tell } = prepared()
    const begun = actions.begin('agent_1', { input: 'Hello' }, prepare)
    expect(store.getState()).toMatchObject({ runId: null, connection: 'starting' })
    await actions.cancel()
    tell(true)
    expect(await begun).toBeNull()
    expect(store.getState().runId).toBe('run_1')
    expect(asked).toEqual(['GET /api/runs/run_1/events'])
    actions.clear()
  })

  it('does not begin when it is left by then', async () => {
    const { store, actions } = createRunStore()
    const { prepare, tell } = prepared()
    const begun = actions.begin('agent_1', { input: 'Hello' }, prepare)
    actions.clear()
    tell(true)
    expect(await begun).toBeNull()
    expect(store.getState().connection).toBe('idle')
    expect(asked).toEqual([])
  })

  it('begins once all is ready', async () => {
    const { store, actions } = createRunStore()
    const { prepare, tell } = prepared()
    const begun = actions.begin('agent_1', { input: 'Hello' }, prepare)
    tell(true)
    await Promise.resolve()
    await Promise.resolve()
    answers[0]?.(created())
    expect(await begun).toBe('run_1')
    expect(store.getState().runId).toBe('run_1')
    actions.clear()
  })
})

it('a stop that fails is told only while its run is followed', async () => {
  const { store, actions } = createRunStore()
  actions.watch('run_1')
  const stopped = actions.cancel()
  actions.watch('run_2')
  answers[1]?.(new TypeError('fetch failed'))
  await stopped
  expect(store.getState()).toMatchObject({ runId: 'run_2', error: null })
  actions.clear()
})
