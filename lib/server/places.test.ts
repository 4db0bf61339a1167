/**
 * All runs share a limited number of call slots: a waiting call has no running time limit, is visible as
 * waiting, and is never lost.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  calls,
  collect,
  createClock,
  createRig,
  createTool,
  endOf,
  limiting,
  of,
  replay,
  said,
  text,
} from '#lib/agent/rig.fixture'
import { TurnQueue } from '#lib/sandbox/turns'
import type { RunEvent } from '#lib/spec/event'
import type { ToolContext } from '#lib/spec/tool'

type Clock = ReturnType<typeof createClock>

const parallel = limiting({ strategy: 'parallel', concurrency: 8 })
const never = () => new AbortController().signal

interface Given {
  readonly places: TurnQueue
  readonly clock: Clock
  /** Calls that the model makes in one answer. */
  readonly count?: number
  readonly bodyMs?: number
  readonly effect?: 'read' | 'effect'
  readonly run?: (context: ToolContext) => Promise<void>
  /** Called for each body that begins. */
  readonly onBody?: () => void
}

function runOf({ places, clock, count = 1, bodyMs = 0, effect = 'read', run, onBody }: Given) {
  const work = createTool('work', {
    effect,
    run: async (_, context) => {
      onBody?.()
      await clock.sleep(bodyMs, context.signal)
      await run?.(context)
      return said('done')
    },
  })
  const play = [calls(...Array.from({ length: count }, () => 'work')), text('ok')]
  return createRig({ play, tools: [work], policies: [parallel], deps: { clock, places } }).deps
}

const waitsIn = (events: readonly RunEvent[]) =>
  of(events, 'call.progressed').flatMap(({ wait }) => (wait === undefined ? [] : [wait]))

/** Whether every slot is free again. */
function areFree(places: TurnQueue, count: number): boolean {
  const taken = Array.from({ length: count }, () => places.takeNow())
  for (const back of taken) back?.()
  return taken.every((back) => back !== undefined)
}

describe('a call for which there is no place', () => {
  test('waits before it has begun, is shown to wait, and has all of its time afterwards', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const taken = places.takeNow()
    void clock.sleep(60_000, never()).then(() => taken?.())
    const events = await collect(runOf({ places, clock, bodyMs: 25_000 }))
    const [started] = of(events, 'call.started')
    const [finished] = of(events, 'call.finished')
    expect(waitsIn(events)).toEqual([{ for: 'place', ahead: 0 }])
    expect((started?.at ?? 0) - (events[0]?.at ?? 0)).toBe(60_000)
    expect(finished).toMatchObject({ status: 'ok', durationMs: 25_000, waitedMs: 60_000, attempts: 1 })
    expect(replay(events).calls.get('call_1_1')?.wait).toBeUndefined()
    expect(areFree(places, 1)).toBe(true)
  })

  test('is shown in the state until it has begun', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const taken = places.takeNow()
    void clock.sleep(1_000, never()).then(() => taken?.())
    const events = await collect(runOf({ places, clock }))
    const until = events.findIndex(({ type }) => type === 'call.started')
    const call = replay(events.slice(0, until)).calls.get('call_1_1')
    expect(call).toMatchObject({ status: 'due', wait: { for: 'place', ahead: 0 } })
  })

  test('ends at once when the run is cancelled, and has not begun', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const taken = places.takeNow()
    const events = await collect(runOf({ places, clock, effect: 'effect' }), {
      on: (event, controller) => {
        if (event.type === 'call.progressed') controller.abort('cancel')
      },
    })
    expect(endOf(events).status).toBe('cancelled')
    expect(of(events, 'call.started')).toEqual([])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'skipped', attempts: 0 }])
    expect(clock.monotonic()).toBe(0)
    taken?.()
    expect(areFree(places, 1)).toBe(true)
  })

  test('runs after a crash in which it only waited, even when it must not run twice', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const taken = places.takeNow()
    const deps = runOf({ places, clock, effect: 'effect' })
    const before: RunEvent[] = []
    const controller = new AbortController()
    await collect(deps, {
      controller,
      on: (event) => {
        before.push(event)
        if (event.type === 'call.progressed') controller.abort('drain')
      },
    })
    taken?.()
    const after = await collect(deps, { state: replay(before) })
    expect(of(after, 'call.finished')).toMatchObject([{ status: 'ok', attempts: 1 }])
    expect(endOf(after).status).toBe('completed')
  })

  test('is given up after ten minutes, and the model is told why', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const taken = places.takeNow()
    const events = await collect(runOf({ places, clock }))
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'error', code: 'busy', attempts: 0, result: { text: expect.stringContaining('10 minutes') } },
    ])
    expect(clock.monotonic()).toBe(600_000)
    expect(endOf(events).status).toBe('completed')
    taken?.()
    expect(areFree(places, 1)).toBe(true)
  })
})

test('a run with many calls does not keep another run from its one call', async () => {
  const clock = createClock()
  const places = new TurnQueue(2)
  const many = collect(runOf({ places, clock, count: 8, bodyMs: 10_000 }))
  const one = await collect(runOf({ places, clock, bodyMs: 10_000 }))
  const [started] = of(one, 'call.started')
  expect((started?.at ?? 0) - (one[0]?.at ?? 0)).toBeLessThanOrEqual(10_000)
  expect(endOf(await many).status).toBe('completed')
})

describe('a body that waits in a line', () => {
  test('has no time running, and its place is another’s until it goes on', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    let isFreeMeanwhile = false
    const events = await collect(
      runOf({
        places,
        clock,
        bodyMs: 20_000,
        run: async ({ inLine, signal }) => {
          await inLine('sandbox', async (ahead) => {
            ahead(3)
            isFreeMeanwhile = areFree(places, 1)
            await clock.sleep(120_000, signal)
          })
          await clock.sleep(5_000, signal)
        },
      }),
    )
    expect(isFreeMeanwhile).toBe(true)
    expect(waitsIn(events)).toEqual([{ for: 'sandbox', ahead: 3 }, null])
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'ok', durationMs: 25_000, waitedMs: 120_000 },
    ])
  })

  test('has its time limit still: what it does beside the wait counts', async () => {
    const clock = createClock()
    const events = await collect(
      runOf({
        places: new TurnQueue(1),
        clock,
        bodyMs: 20_000,
        run: async ({ inLine, signal }) => {
          await inLine('sandbox', () => clock.sleep(50_000, signal))
          await clock.sleep(20_000, signal)
        },
      }),
    )
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'timeout', durationMs: 30_000, waitedMs: 50_000 },
    ])
    expect(clock.monotonic()).toBe(80_000)
  })

  test('may wait for another call even when there is but one place', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const inner = runOf({ places, clock, bodyMs: 5_000 })
    const events = await collect(
      runOf({ places, clock, run: ({ inLine }) => inLine('place', async () => void (await collect(inner))) }),
    )
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'ok', waitedMs: 5_000 }])
  })

  test('is stopped in its wait by a cancel', async () => {
    const clock = createClock()
    const places = new TurnQueue(1)
    const events = await collect(
      runOf({
        places,
        clock,
        run: async ({ inLine, signal }) => {
          await inLine('sandbox', async (ahead) => {
            ahead(0)
            await clock.sleep(300_000, signal)
          })
        },
      }),
      {
        on: (event, controller) => {
          if (event.type === 'call.progressed') controller.abort('cancel')
        },
      },
    )
    expect(endOf(events).status).toBe('cancelled')
    expect(clock.monotonic()).toBeLessThan(1_000)
    expect(areFree(places, 1)).toBe(true)
  })
})

test('never more bodies than places, and every place is free in the end, however runs end', async () => {
  const aRun = fc.record({
    count: fc.integer({ min: 1, max: 5 }),
    bodyMs: fc.integer({ min: 1, max: 50_000 }),
    waitMs: fc.integer({ min: 0, max: 50_000 }),
    stopAt: fc.option(fc.tuple(fc.nat(40), fc.constantFrom('cancel', 'drain', 'budget'))),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(aRun, { minLength: 1, maxLength: 4 }),
      async (cap, all) => {
        const clock = createClock()
        const places = new TurnQueue(cap)
        let atWork = 0
        let most = 0
        const working = async (ms: number, signal: AbortSignal) => {
          atWork += 1
          most = Math.max(most, atWork)
          await clock.sleep(ms, signal).finally(() => {
            atWork -= 1
          })
        }
        const work = async (bodyMs: number, waitMs: number, { inLine, signal }: ToolContext) => {
          await working(bodyMs, signal)
          await inLine('sandbox', () => clock.sleep(waitMs, signal))
          // A body whose signal is aborted has already lost its slot.
          if (!signal.aborted) await working(1_000, signal)
        }
        await Promise.all(
          all.map(({ count, bodyMs, waitMs, stopAt }) => {
            const run = (context: ToolContext) => work(bodyMs, waitMs, context)
            return collect(runOf({ places, clock, count, run }), {
              on: (event, controller) => {
                if (event.seq === stopAt?.[0]) controller.abort(stopAt[1])
              },
            })
          }),
        )
        // A stopped body ends a little later than its run.
        await clock.sleep(200_000, never())
        expect(most).toBeLessThanOrEqual(cap)
        expect(areFree(places, cap)).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})
