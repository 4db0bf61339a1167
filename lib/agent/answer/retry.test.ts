import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { ModelChunk, ModelFault } from '#lib/spec/model'
import type { StepState } from '#lib/spec/state'
import type { RunDeps } from '../deps'
import {
  type Beat,
  calls,
  collect,
  createClock,
  createRig,
  createTool,
  endOf,
  finish,
  of,
  replay,
  saying,
  type Turn,
  text,
  typesOf,
} from '../rig.fixture'
import { run } from '../run'
import { retryOf } from './retry'

const busy: ModelFault = { code: 'overloaded', message: 'Overloaded.', status: 529, retry: 'backoff' }
const failing = (fault: ModelFault): ModelChunk => ({ type: 'fault', fault })

/** Plays the beats of each attempt of the first step, then an answer. */
function attempts(...turns: Turn[]) {
  return ({ step, attempt }: { step: number; attempt: number }): Turn =>
    (step === 1 ? turns[attempt - 1] : undefined) ?? text('It is 5.')
}

function rigOf(turns: Turn[], deps: Partial<RunDeps> = {}) {
  return createRig({ play: attempts(...turns), deps: { random: () => 1, ...deps } })
}

const waits = (events: readonly RunEvent[]) => of(events, 'model.retried').map((event) => event.waitMs)

describe('a failure that may pass', () => {
  test('is waited out 1, 2, 4 s and asked again, each try on record (L1, L2)', async () => {
    const { deps, clock } = rigOf([[failing(busy)], [failing(busy)], [failing(busy)]])
    const events = await collect(deps)
    expect(typesOf(events)).toEqual([
      'run.started',
      'step.started',
      'model.requested',
      'model.retried',
      'model.requested',
      'model.retried',
      'model.requested',
      'model.retried',
      'model.requested',
      'text.delta',
      'model.answered',
      'step.finished',
      'run.finished',
    ])
    expect(of(events, 'model.retried')).toMatchObject([
      { attempt: 1, code: 'overloaded', reason: 'Overloaded.', waitMs: 1_000 },
      { attempt: 2, waitMs: 2_000 },
      { attempt: 3, waitMs: 4_000 },
    ])
    expect(of(events, 'model.requested').map((event) => event.attempt)).toEqual([1, 2, 3, 4])
    expect(clock.monotonic()).toBe(7_000)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'It is 5.', steps: 1 })
  })

  test('ends the run after the fourth time (L1, L2, S3-11)', async () => {
    const { deps, model } = rigOf(Array.from({ length: 9 }, () => [failing(busy)]))
    const events = await collect(deps)
    expect(model.requests).toHaveLength(4)
    expect(of(events, 'model.answered')).toMatchObject([
      { finishReason: 'fault', fault: { code: 'overloaded', message: 'Overloaded.' } },
    ])
    expect(endOf(events)).toMatchObject({
      status: 'failed',
      error: { code: 'model_overloaded', message: 'Overloaded.' },
    })
  })

  test('begins its count anew with each step', async () => {
    const play = ({ attempt, step }: { attempt: number; step: number }): Turn => {
      if (attempt < 4) return [failing(busy)]
      return step < 3 ? calls('look') : text('done')
    }
    const { deps } = createRig({ play, tools: [createTool('look')], deps: { random: () => 0 } })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', steps: 3 })
    expect(of(events, 'model.retried')).toHaveLength(9)
  })

  const noHint: (number | undefined)[] = [undefined, -5, Number.NaN, 0]
  test.each(noHint)(
    'with the hint %s waits by its own measure, at random up to it (L1)',
    async (retryAfterMs) => {
      const fault = { ...busy, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
      const { deps } = rigOf([[failing(fault)], [failing(fault)]], { random: () => 0.25 })
      expect(waits(await collect(deps))).toEqual([250, 500])
    },
  )

  test('with a hint of up to a minute waits at least as long (L1)', async () => {
    const hinted = (retryAfterMs: number): Turn => [failing({ ...busy, retryAfterMs })]
    const { deps, clock } = rigOf([hinted(500), hinted(1_999.2), hinted(60_000)])
    expect(waits(await collect(deps))).toEqual([1_000, 2_000, 60_000])
    expect(clock.monotonic()).toBe(63_000)
  })

  // The clock of the rig begins at 08:53:20 on 9 October 2025.
  const long: [number, string][] = [
    [60_001, '08:55 (UTC)'],
    [3_600_000, '09:54 (UTC)'],
    [86_400_000, '2025-10-10 08:54 (UTC)'],
    [Number.MAX_SAFE_INTEGER, '2026-10-10 08:54 (UTC)'],
  ]
  test.each(long)(
    'with a hint of %i ms ends the run and says until when (L1)',
    async (retryAfterMs, until) => {
      const { deps, model, clock } = rigOf([[failing({ ...busy, code: 'rate_limit', retryAfterMs })]])
      expect(endOf(await collect(deps)).error).toEqual({
        code: 'model_rate_limit',
        message: `Overloaded. The provider accepts no requests until ${until}.`,
      })
      expect([model.requests.length, clock.monotonic()]).toEqual([1, 0])
    },
  )

  test('on a stale socket is asked again at once, but only once (L19)', async () => {
    const stale: Turn = [failing({ code: 'connection', message: 'The connection was closed.', retry: 'now' })]
    const { deps } = rigOf([stale, stale, stale])
    expect(waits(await collect(deps))).toEqual([0, 1_000, 2_000])
    const lucky = rigOf([[failing(busy)], stale], { random: () => 0 })
    expect(waits(await collect(lucky.deps))).toEqual([1, 0])
  })
})

describe('a failure that will not pass', () => {
  const codes: ModelFault['code'][] = [
    'http',
    'auth',
    'quota',
    'not_found',
    'bad_request',
    'context_length',
    'settings',
    'protocol',
    'too_large',
  ]
  test.each(codes)('%s ends the run at its first attempt (L3)', async (code) => {
    const { deps, model, clock } = rigOf([[failing({ code, message: 'No.' })]])
    expect(endOf(await collect(deps))).toMatchObject({
      status: 'failed',
      error: { code: `model_${code}`, message: 'No.' },
    })
    expect([model.requests.length, clock.monotonic()]).toEqual([1, 0])
  })

  test('as when the whole answer takes longer than a person allowed, is not tried again', async () => {
    const { deps, model, clock } = rigOf([['hang']])
    expect(endOf(await collect(deps)).error?.code).toBe('model_timeout')
    expect([model.requests.length, clock.monotonic()]).toEqual([1, 300_000])
  })
})

describe('an answer that breaks off', () => {
  const golden: ModelChunk[] = [
    { type: 'reasoning', text: 'Two and ' },
    { type: 'reasoning', text: 'three.' },
    { type: 'text', text: 'I ' },
    { type: 'text', text: 'look.' },
    { type: 'call.start', index: 0, name: 'look' },
    { type: 'call.args', index: 0, text: '{"a":' },
    { type: 'call.args', index: 0, text: '1}' },
    { type: 'call.end', index: 0 },
  ]
  const whole: Turn = [...golden, finish('calls')]
  const ends: [string, Beat[]][] = [
    ['without a word, L9', []],
    ['and says so, L9', [finish('cut')]],
    ['with its socket, L8', [failing({ code: 'connection', message: 'terminated', retry: 'backoff' })]],
    ['in the client’s eyes, L8', [failing({ code: 'cut', message: 'cut', retry: 'backoff' })]],
    [
      'after a silence, L6',
      [{ waitMs: 60_000 }, failing({ code: 'stalled', message: '…', retry: 'backoff' })],
    ],
    ['by an error after 200, L7', [failing(busy)]],
  ]
  test.each(ends)('%s, is void and asked for again, wherever it breaks', async (_, end) => {
    for (let at = 0; at <= golden.length; at++) {
      const look = createTool('look')
      const play = attempts([...golden.slice(0, at), { waitMs: 50 }, ...end], whole)
      const { deps } = createRig({ play, tools: [look] })
      const events = await collect(deps)
      expect(of(events, 'model.retried')).toHaveLength(1)
      expect(of(events, 'model.answered')[0]?.parts).toEqual([
        { type: 'reasoning', text: 'Two and three.' },
        { type: 'text', text: 'I look.' },
        { type: 'call', id: 'call_1_1', name: 'look', rawArgs: '{"a":1}', args: { a: 1 } },
      ])
      expect(look.ran).toEqual(['call_1_1'])
      expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'It is 5.' })
      const retried = of(events, 'model.retried')[0]?.seq ?? 0
      const state = replay(events.slice(0, retried))
      expect([state.steps[0]?.live, state.calls.size]).toEqual([
        { text: '', reasoning: '', firstAt: null },
        0,
      ])
    }
  })

  test('again and again fails the run and never completes it, its last words on record (L7, L8, L9)', async () => {
    for (const [, end] of ends) {
      const { deps, model } = rigOf(Array.from({ length: 4 }, () => [...golden, ...end]))
      const events = await collect(deps)
      expect(endOf(events).status).toBe('failed')
      expect(model.requests).toHaveLength(4)
      expect(of(events, 'model.answered')).toMatchObject([
        { parts: [{ type: 'reasoning' }, { type: 'text', text: 'I look.' }] },
      ])
    }
  })

  test('after a call was sealed is never asked for again (L8)', () => {
    const sealed = [{ type: 'call', id: 'call_1_1', name: 'look', rawArgs: '{}', args: {} }] as const
    const step = { retries: [], sealed } as unknown as StepState // cast: the two fields that the rule reads
    expect(retryOf(busy, step, { clock: createClock() })).toEqual({ again: false, fault: busy })
  })
})

describe('a wait before the next try', () => {
  const hinted: Turn = [{ type: 'text', text: 'It' }, failing({ ...busy, retryAfterMs: 40_000 })]

  /** Stops the run a little after the wait has begun. */
  async function stoppedIn(reason: 'cancel' | 'drain') {
    const { deps, clock, model } = rigOf([hinted])
    const controller = new AbortController()
    const events = await collect(deps, {
      controller,
      on: ({ type }) => {
        if (type === 'model.retried')
          void clock.sleep(5, controller.signal).then(() => controller.abort(reason))
      },
    })
    return { events, clock, model }
  }

  test('ends with a cancel at once, and the run with it (L1)', async () => {
    const { events, clock, model } = await stoppedIn('cancel')
    expect(endOf(events)).toMatchObject({ status: 'cancelled', answer: null })
    expect(typesOf(events).slice(-3)).toEqual(['model.answered', 'step.finished', 'run.finished'])
    expect(of(events, 'model.answered')).toMatchObject([{ finishReason: 'cancelled', parts: [] }])
    expect([clock.monotonic(), model.requests.length]).toEqual([5, 1])
  })

  test('ends with a drain at once; taken up again, the run waits for what is left and asks (L1, F1)', async () => {
    const { events, clock } = await stoppedIn('drain')
    expect(events.at(-1)?.type).toBe('model.retried')
    expect(clock.monotonic()).toBe(5)
    const again = rigOf([hinted])
    await again.clock.sleep(10_000, new AbortController().signal)
    const rest = await collect(again.deps, { state: replay(events), resumed: 'drain' })
    expect(typesOf(rest).slice(0, 2)).toEqual(['run.resumed', 'model.requested'])
    expect(of(rest, 'model.requested')).toMatchObject([{ attempt: 2 }])
    expect(again.clock.monotonic()).toBe(40_000)
    expect(endOf(rest)).toMatchObject({ status: 'completed', answer: 'It is 5.' })
  })

  test('that a crash ends leaves the tries as many as they were (L2, F1)', async () => {
    const recorded: RunEvent[] = []
    const play = Array.from({ length: 9 }, (): Turn => [failing(busy)])
    for (let crash = 0; crash < 2; crash++) {
      const { deps } = rigOf(play)
      for await (const event of run(replay(recorded), deps, new AbortController().signal)) {
        recorded.push(event)
        if (event.type === 'model.retried') break
      }
    }
    const { deps } = rigOf(play)
    recorded.push(...(await collect(deps, { state: replay(recorded) })))
    expect(of(recorded, 'model.requested').map((event) => event.attempt)).toEqual([1, 2, 3, 4])
    expect(waits(recorded)).toEqual([1_000, 2_000, 4_000])
    expect(endOf(recorded).error?.code).toBe('model_overloaded')
  })

  test('comes before an empty answer’s second asking as well', async () => {
    const { deps, model } = rigOf([[finish('stop')], [failing(busy)]])
    const events = await collect(deps)
    expect(of(events, 'model.requested').map((event) => event.attempt)).toEqual([1, 2, 3])
    expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'It is 5.' })
  })
})

test('calls of a turn that failed and was made again run once (E-19, L8)', async () => {
  const look = createTool('look')
  const broken: Turn = [...saying({ id: 'call_0', name: 'look' }), failing(busy)]
  const { deps } = createRig({
    play: attempts(broken, calls({ id: 'call_0', name: 'look' })),
    tools: [look],
  })
  const events = await collect(deps)
  expect(look.ran).toEqual(['call_1_1'])
  expect(of(events, 'call.finished')).toHaveLength(1)
})
