import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#components/data/client'
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

const refusal = new ApiError({ code: 'conflict', message: 'The agent has errors.', status: 409 })

describe('a run that is starting', () => {
  it('takes the place of the run followed, of which nothing more is told', () => {
    const { store, actions } = createRunStore()
    actions.watch('run_1')
    actions.showStarting()
    expect(store.getState()).toMatchObject({ runId: null, connection: 'starting' })
    answers[0]?.(new TypeError('fetch failed'))
    expect(store.getState()).toMatchObject({ connection: 'starting', error: null })
  })

  it('and does not start shows again what was shown before', () => {
    const { store, actions } = createRunStore()
    actions.watch('run_1')
    actions.showStarting()
    actions.showAgain()
    expect(store.getState().runId).toBe('run_1')
    expect(asked).toEqual(['GET /api/runs/run_1/events'])
    actions.clear()
  })

  it('and is refused shows why', () => {
    const { store, actions } = createRunStore()
    actions.showStarting()
    actions.showRefusal(refusal)
    expect(store.getState()).toMatchObject({ runId: null, connection: 'failed', error: refusal })
  })

  it('keeps the wish to stop it until it has an id', async () => {
    const { store, actions } = createRunStore()
    actions.showStarting()
    await actions.cancel()
    expect(store.getState().isStopWanted).toBe(true)
    expect(asked).toEqual([])
    actions.watch('run_1')
    expect(store.getState().isStopWanted).toBe(false)
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
