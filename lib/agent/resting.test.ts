import { describe, expect, test } from 'vitest'
import type { Breaker, ModelChunk, ModelFault } from '#lib/spec/model'
import { takeTurn } from './answer/retry'
import type { RunDeps } from './deps'
import {
  type Beat,
  collect,
  createClock,
  createRig,
  endOf,
  finish,
  fresh,
  of,
  type Turn,
  text,
} from './rig.fixture'
import { run } from './run'

const busy: ModelFault = { code: 'overloaded', message: 'Overloaded.', status: 529, retry: 'backoff' }
const failing = (fault: ModelFault): ModelChunk => ({ type: 'fault', fault })

/** Plays the beats of each attempt, then an answer. */
function rigOf(turns: Turn[], deps: Partial<RunDeps> = {}) {
  const play = ({ attempt }: { attempt: number }): Turn => turns[attempt - 1] ?? text('It is 5.')
  return createRig({ play, deps: { random: () => 1, ...deps } })
}

/**
 * Records what the loop reports to a breaker that holds requests back by these times, one for each request.
 */
function createBreaker(...held: number[]): Breaker & { readonly told: string[] } {
  const told: string[] = []
  return {
    told,
    waitMs: () => held.shift() ?? 0,
    answering() {},
    succeeded: () => void told.push('succeeded'),
    failed: () => void told.push('failed'),
    released: () => void told.push('released'),
  }
}

describe('a provider at rest', () => {
  test('is waited for, and the wait counts as no try (L4)', async () => {
    const breaker = createBreaker(30_000, 400.5, 0, 0, 1_000)
    const { deps, clock } = rigOf([[failing(busy)], [failing(busy)], [failing(busy)]], { breaker })
    const events = await collect(deps)
    expect(of(events, 'model.retried').map(({ code, attempt, waitMs }) => [code, attempt, waitMs])).toEqual([
      ['resting', 1, 30_000],
      ['resting', 1, 401],
      ['overloaded', 1, 1_000],
      ['overloaded', 2, 2_000],
      ['resting', 3, 1_000],
      ['overloaded', 3, 4_000],
    ])
    expect(breaker.told).toEqual(['failed', 'failed', 'failed', 'succeeded'])
    expect(clock.monotonic()).toBe(38_401)
    expect(endOf(events)).toMatchObject({ status: 'completed', steps: 1 })
  })

  test('too often fails the run, without a request of its own (L4)', async () => {
    const breaker = createBreaker(...Array.from({ length: 9 }, () => 30_000))
    const { deps, model, clock } = rigOf([], { breaker })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'failed', steps: 0, error: { code: 'model_resting' } })
    expect([model.requests, breaker.told]).toEqual([[], []])
    expect(clock.monotonic()).toBe(90_000)
  })

  test('lets a cancel through before anything was asked (L4)', async () => {
    const { deps } = rigOf([], { breaker: createBreaker(30_000) })
    const events = await collect(deps, { on: ({ type }, stop) => type === 'model.retried' && stop.abort() })
    expect(endOf(events)).toMatchObject({ status: 'cancelled', steps: 0 })
    expect(of(events, 'model.requested')).toEqual([])
  })

  test('is asked by the others as soon as the one that tries is answered (L4)', async () => {
    const { deps, clock } = rigOf([[{ type: 'text', text: 'a' }, { waitMs: 90_000 }, finish('stop')]])
    const begun: number[] = []
    const breaker = { ...createBreaker(), answering: () => void begun.push(clock.monotonic()) }
    expect(endOf(await collect({ ...deps, breaker })).status).toBe('completed')
    expect([begun, clock.monotonic()]).toEqual([[0], 90_000])
  })

  test('is asked a dozen times by fifty runs that fail, not two hundred (L4)', async () => {
    const clock = createClock()
    let failures = 0
    let openUntil = 0
    const breaker: Breaker = {
      waitMs: () => Math.max(0, openUntil - clock.monotonic()),
      answering() {},
      succeeded() {},
      released() {},
      failed() {
        failures += 1
        if (failures >= 5) openUntil = clock.monotonic() + 30_000
      },
    }
    const asked: number[] = []
    const stream = async function* (): AsyncGenerator<ModelChunk> {
      asked.push(clock.monotonic())
      await clock.sleep(asked.length, new AbortController().signal)
      yield failing({ ...busy, code: 'rate_limit', status: 429 })
    }
    const runs = Array.from({ length: 50 }, async (_, index) => {
      const { deps, model } = createRig({ play: [] })
      await clock.sleep(index * 100, new AbortController().signal)
      return collect({ ...deps, clock, breaker, model: { ...model, stream } })
    })
    for (const events of await Promise.all(runs)) expect(endOf(events).status).toBe('failed')
    expect(asked.filter((at) => at < 30_000).length).toBeLessThanOrEqual(12)
  })

  const verdicts: [string, Beat[], string][] = [
    ['an answer', [{ type: 'text', text: 'a' }, finish('stop')], 'succeeded'],
    ['an answer that was filtered', [finish('filter')], 'succeeded'],
    ['a refused key', [failing({ code: 'auth', message: '', status: 401 })], 'released'],
    ['a 400', [failing({ code: 'http', message: '', status: 404 })], 'released'],
    ['a 500', [failing({ code: 'http', message: '', status: 500 })], 'failed'],
    ['a cut', [], 'failed'],
    ['a silence', [failing({ code: 'stalled', message: '' })], 'failed'],
    ['nonsense', [failing({ code: 'protocol', message: '' })], 'released'],
  ]
  test.each(verdicts)('hears of %s what it tells of the provider (L4)', async (_, beats, told) => {
    const breaker = createBreaker()
    const { deps } = rigOf([beats], { breaker, retry: { max: 0, baseMs: 1, capMs: 1, longestHintMs: 1 } })
    await collect(deps)
    expect(breaker.told[0]).toBe(told)
  })

  test('gets its turn back from a run that is stopped or left, and never twice', async () => {
    for (const type of ['model.requested', 'text.delta'] as const) {
      const cancelled = createBreaker()
      const play: Turn[] = [[{ type: 'text', text: 'a' }, 'hang']]
      await collect(rigOf(play, { breaker: cancelled }).deps, {
        on: (event, stop) => event.type === type && stop.abort(),
      })
      expect(cancelled.told).toEqual(['released'])
      const left = createBreaker()
      for await (const event of run(
        fresh(),
        rigOf(play, { breaker: left }).deps,
        new AbortController().signal,
      ))
        if (event.type === type) break
      expect(left.told).toEqual(['released'])
    }
    const breaker = createBreaker()
    const giveBack = takeTurn(breaker)
    giveBack({ finishReason: 'stop' })
    giveBack()
    expect(breaker.told).toEqual(['succeeded'])
  })
})
