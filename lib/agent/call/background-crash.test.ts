import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { RunEvent } from '#lib/spec/event'
import {
  calls,
  collect,
  createTool,
  endOf,
  finish,
  limiting,
  of,
  replay,
  said,
  saying,
  text,
  unpaired,
} from '../rig.fixture'
import { rig, slow } from './background.fixture'

describe('a call in the background when the server stops (S4-42)', () => {
  test.each([
    ['read', 'ok', 2],
    ['effect', 'unknown', 1],
  ] as const)('after a crash a call with the effect %s ends as %s', async (effect, status, bodies) => {
    let ran = 0
    const make = () =>
      rig((wait) => ({
        play: [calls('slow'), text('started'), text('all')],
        tools: [
          createTool('slow', {
            background: true,
            effect,
            run: async (_, context) => {
              ran += 1
              await wait(20_000, context)
              return said('found')
            },
          }),
        ],
      }))
    const events = await collect(make().deps)
    ran = 0
    const cut = events.findIndex(({ type }) => type === 'call.finished')
    // The first process begins the body and is lost.
    const before = events.slice(0, cut)
    ran += 1
    const rest = await collect(make().deps, { state: replay(before) })
    expect(of(rest, 'call.finished')).toMatchObject([{ callId: 'call_1_1', status }])
    expect(ran).toBe(bodies)
    expect(endOf(rest)).toMatchObject({ status: 'completed', answer: 'all' })
  })

  test('ends the run as poisonous when the server stops three times while it runs, whatever the steps do', async () => {
    const { deps } = rig((wait) => ({
      play: [calls('slow'), calls('look'), calls('look'), calls('look'), text('ok'), text('ok')],
      tools: [slow(wait, 50_000), createTool('look')],
    }))
    let events = (await collect(deps)).filter(({ step }) => step <= 1)
    for (let crash = 1; crash <= 2; crash++) {
      const more: RunEvent[] = []
      const stop = new AbortController()
      for (const event of await collect(deps, {
        state: replay(events),
        controller: stop,
        on: ({ type }, controller) => type === 'step.finished' && controller.abort('drain'),
      }))
        more.push(event)
      events = [...events, ...more]
    }
    const last = await collect(deps, { state: replay(events) })
    expect(endOf(last)).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(of(last, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
  })

  test('a drain gives a call with an effect time to end, and stops one that can run again', async () => {
    const drain = async (effect: 'read' | 'effect') => {
      const { deps } = rig((wait) => ({
        play: [calls('slow'), ['hang']],
        tools: [slow(wait, 3_000, { effect })],
      }))
      const stop = new AbortController()
      return collect(deps, {
        controller: stop,
        on: ({ type, step }) => type === 'model.requested' && step === 2 && stop.abort('drain'),
      })
    }
    expect(of(await drain('effect'), 'call.finished')).toMatchObject([{ status: 'ok' }])
    expect(of(await drain('read'), 'call.finished')).toEqual([])
  })

  test('@deep wherever the run is cut off, each call gets one result, no effect happens twice, and requests pair up', async () => {
    const plot = fc.record({
      ms: fc.constantFrom(0, 500, 4_000),
      strategy: fc.constantFrom('sequential' as const, 'parallel' as const, 'auto' as const),
      timing: fc.constantFrom('after_stream' as const, 'on_stream' as const),
      effect: fc.constantFrom('read' as const, 'effect' as const),
      cut: fc.nat(40),
    })
    await fc.assert(
      fc.asyncProperty(plot, async ({ ms, strategy, timing, effect, cut }) => {
        const make = () => {
          const ran: string[] = []
          const made = rig((wait) => ({
            play: [
              calls('slow', 'look', 'slow'),
              [...saying('look', 'slow'), { waitMs: 1_000 }, finish('calls')],
              text('started'),
              text('all'),
            ],
            tools: [
              createTool('slow', {
                background: true,
                effect,
                run: async (_, context) => {
                  ran.push(context.callId)
                  await wait(ms, context)
                  return said('found')
                },
              }),
              createTool('look'),
            ],
            policies: [limiting({ strategy, timing })],
          }))
          return { ...made, ran }
        }
        const first = make()
        const whole = await collect(first.deps)
        const before = whole.slice(0, Math.min(cut, whole.length - 1))
        const again = make()
        const rest = await collect(again.deps, { state: replay(before) })
        const all = [...before, ...rest]
        const ids = of(all, 'call.finished').map(({ callId }) => callId)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.toSorted()).toEqual([...replay(all).calls.keys()].toSorted())
        expect(endOf(all).status).toBe('completed')
        const begun = of(before, 'call.started').map(({ callId }) => callId)
        if (effect === 'effect') expect(again.ran.filter((id) => begun.includes(id))).toEqual([])
        for (const each of [...first.model.requests, ...again.model.requests])
          expect(unpaired(each.messages)).toEqual([])
      }),
      { numRuns: countFor({ quick: 60, deep: 2_000 }) },
    )
  })
})
