import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { BoundPolicy } from '#lib/spec/policy'
import type { CallState, RunState } from '#lib/spec/state'
import {
  calls,
  collect,
  createRig,
  createTool,
  denying,
  endOf,
  fresh,
  of,
  replay,
  said,
  text,
  unpaired,
} from '../rig.fixture'
import { fold } from '../state/fold'
import { bytes, kinds, limitChars, long, longRun, measured, tooLong } from './long-run.fixture'
import { request } from './rerequest'

/** A state that counts how often an item of its lists is read. */
function counted(state: RunState) {
  let reads = 0
  let reported = 0
  const listed = <T>(items: T[]): T[] =>
    new Proxy(items, {
      get(target, key) {
        if (typeof key === 'string' && /^[0-9]+$/.test(key)) reads += 1
        return Reflect.get(target, key)
      },
    })
  const calls = new (class extends Map<string, CallState> {
    override *[Symbol.iterator](): MapIterator<[string, CallState]> {
      yield* this.entries()
    }
    override *values(): MapIterator<CallState> {
      for (const each of super.values()) {
        reads += 1
        yield each
      }
    }
    override *entries(): MapIterator<[string, CallState]> {
      for (const each of super.entries()) {
        reads += 1
        yield each
      }
    }
  })()
  return {
    state: { ...state, messages: listed(state.messages), steps: listed(state.steps), calls },
    /** The reads since it was last asked. */
    work() {
      const since = reads - reported
      reported = reads
      return since
    },
  }
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}

describe('S1-28 a run that no longer fits the context window', () => {
  test.each(kinds)('is cut and goes on to its end: %s', async (_, result, part) => {
    const { rig, played } = longRun(60, result, { window: 30_000, measure: bytes(part) })
    const events = await collect(rig.deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'The key of step 3 is k-3.' })
    expect(Math.max(...played.sizes)).toBeLessThanOrEqual(30_000)
    const cuts = of(events, 'context.compacted')
    expect(cuts.length).toBeGreaterThan(0)
    // A cut frees room for several steps, since the provider's cache is lost with each.
    expect(cuts.length).toBeLessThan(60 / 2)
    for (const { messages } of rig.model.requests) expect(unpaired(messages)).toEqual([])
  })

  test('one step of many costs few cuts @deep', async () => {
    const steps = countFor({ quick: 60, deep: 1_000 })
    const { rig, played } = longRun(steps, kinds[0]?.[1] ?? String, { window: 16_000, measure: bytes(0.25) })
    const events = await collect(rig.deps)
    expect(endOf(events).status).toBe('completed')
    expect(played.refused).toBeLessThanOrEqual(1)
  })

  test.each(['clear', 'summarize'] as const)(
    'a late step of it looks at no more messages, steps and calls than an early one: %s @deep',
    async (how) => {
      const steps = countFor({ quick: 200, deep: 1_000 })
      const { rig } = longRun(steps, kinds[0]?.[1] ?? String, {
        window: 8_000,
        measure: bytes(0.25),
        context: { how },
      })
      const { state, work } = counted(fresh())
      const perStep: number[] = []
      const on = ({ type }: { readonly type: string }) => {
        if (type === 'step.finished') perStep.push(work())
      }
      expect(endOf(await collect(rig.deps, { state, on })).status).toBe('completed')
      const early = average(perStep.slice(10, 80))
      expect(average(perStep.slice(-70))).toBeLessThan(1.2 * early)
    },
  )

  test('a result that fits the window is read by the model before it is taken out', async () => {
    // Two thirds of the window, since the measure counts each message twice.
    const large = (step: number) => `Key k-${step}. ${'x'.repeat(27_000)}`
    const { rig, played } = longRun(12, large, { window: 20_000, measure: bytes(0.25) })
    expect(endOf(await collect(rig.deps)).status).toBe('completed')
    for (const { step, messages } of rig.model.requests.slice(1, 13))
      expect(JSON.stringify(messages)).toContain(`Key k-${step - 1}. xxx`)
    expect(played.refused).toBe(0)
  })

  test('a result larger than the whole window is taken out', async () => {
    const huge = (step: number) => (step === 2 ? 'x'.repeat(400_000) : `Key k-${step}.`)
    const { rig, played } = longRun(5, huge, { window: 20_000, measure: bytes(0.25) })
    const events = await collect(rig.deps)
    expect(endOf(events).status).toBe('completed')
    expect(of(events, 'context.compacted')[0]).toMatchObject({ how: 'clear', calls: ['call_2_1'] })
    const [, , third] = rig.model.requests
    expect(JSON.stringify(third?.messages)).toContain(
      'The result of call_2_1, 400,000 characters, was taken out',
    )
    expect(played.refused).toBe(0)
  })

  test('of an unknown size is cut once the provider refuses a request, and asked again', async () => {
    const { rig, played } = longRun(
      40,
      kinds[0]?.[1] ?? String,
      { window: 10_000, measure: bytes(0.25) },
      { contextWindow: null },
    )
    const events = await collect(rig.deps)
    expect(endOf(events).status).toBe('completed')
    expect(played.refused).toBeGreaterThan(0)
    const cuts = of(events, 'context.compacted')
    expect(cuts).toHaveLength(played.refused)
    expect(
      of(events, 'model.retried').every(({ code, waitMs }) => code === 'context_length' && waitMs === 0),
    ).toBe(true)
  })

  test('fails with the words of the provider when nothing is left to cut', async () => {
    const { rig } = longRun(3, () => 'short', { window: 10, measure: bytes(0.25) })
    const end = endOf(await collect(rig.deps))
    expect(end).toMatchObject({
      status: 'failed',
      error: { code: 'model_context_length', message: tooLong.message },
    })
  })

  test('keeps its requests as they were: each can be built again from the events', async () => {
    const { rig } = longRun(60, kinds[0]?.[1] ?? String, { window: 10_000, measure: bytes(0.25) })
    const events = await collect(rig.deps)
    const state = replay(events)
    for (const { step, hash } of of(events, 'model.requested')) {
      const again = request(state, rig.deps, step)
      expect(again && rig.deps.hash(again.body)).toBe(hash)
    }
  })

  test('goes on after a restart in any place as it would have gone on', async () => {
    const whole = longRun(30, kinds[0]?.[1] ?? String, { window: 8_000, measure: bytes(0.25) })
    const events = await collect(whole.rig.deps)
    const first = events.findIndex(({ type }) => type === 'context.compacted')
    for (const at of [first, first + 1, first + 2]) {
      let step = events.slice(0, at).filter(({ type }) => type === 'call.finished').length
      const again = longRun(30, kinds[0]?.[1] ?? String, { window: 8_000, measure: bytes(0.25) })
      const read = createTool('page.read', { run: () => said((kinds[0]?.[1] ?? String)(++step)) })
      const state = events.slice(0, at).reduce(fold, fresh())
      const rest = await collect({ ...again.rig.deps, tools: [read] }, { state })
      const cutsOf = (list: typeof events) => of(list, 'context.compacted').map(({ calls: cut }) => cut)
      expect([...cutsOf(events.slice(0, at)), ...cutsOf(rest)]).toEqual(cutsOf(events))
    }
  })
})

describe('S1-28 the tool that reads a result again', () => {
  const result = kinds[0]?.[1] ?? String
  const again = createTool('observation.get', {
    node: 'agent',
    run: ({ call }, { resultOf }) => said(resultOf?.(String(call))?.text ?? 'no such call'),
  })

  function forgetful(policies: readonly BoundPolicy[] = []) {
    let step = 0
    const read = createTool('page.read', { run: () => said(result(++step)) })
    const played = measured({
      window: 10_000,
      measure: bytes(0.25),
      play(request) {
        const isOffered = request.tools.some(({ name }) => name === 'observation_get')
        if (request.step < 40) return calls('page.read')
        if (request.step === 40 && isOffered)
          return calls({ name: 'observation.get', args: { call: 'call_3_1' } })
        return text(/Key (k-\d+)\./.exec(JSON.stringify(request.messages.at(-1)))?.[1] ?? 'forgotten')
      },
    })
    return createRig({
      play: (request) => played.play(request),
      tools: [read],
      policies: [long(50), limitChars(), ...policies],
      deps: { contextWindow: 10_000, toolsAfterCut: [again] },
    })
  }

  test('is offered from the step after the first cut on, and brings back a fact of step 3', async () => {
    const rig = forgetful()
    const events = await collect(rig.deps)
    expect(endOf(events).answer).toBe('k-3')
    const first = of(events, 'context.compacted')[0]?.step ?? 0
    const [change] = of(events, 'tools.changed')
    expect(change).toMatchObject({
      added: [{ name: 'observation.get' }],
      removed: [],
      reason: 'earlier results were taken out to save space',
    })
    const offers = rig.model.requests.map(({ tools }) => tools.some(({ name }) => name === 'observation_get'))
    expect(offers.indexOf(true)).toBe(first)
    const state = replay(events)
    for (const { step, hash } of of(events, 'model.requested')) {
      const rebuilt = request(state, rig.deps, step)
      expect(rebuilt && rig.deps.hash(rebuilt.body)).toBe(hash)
    }
  })

  test('is not offered where a policy denies it', async () => {
    const rig = forgetful([denying('observation.get')])
    const events = await collect(rig.deps)
    expect(endOf(events).status).toBe('completed')
    expect(of(events, 'tools.changed')).toEqual([])
  })
})

test('a run that fits is not cut, and its requests are as without a window', async () => {
  const with_ = longRun(5, () => 'short', { window: 100_000, measure: bytes(0.25) })
  const without = longRun(
    5,
    () => 'short',
    { window: 100_000, measure: bytes(0.25) },
    { contextWindow: null },
  )
  await collect(with_.rig.deps)
  await collect(without.rig.deps)
  expect(with_.rig.model.requests.map(({ body }) => body)).toEqual(
    without.rig.model.requests.map(({ body }) => body),
  )
})
