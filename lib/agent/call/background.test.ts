import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { RunEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { ToolContext } from '#lib/spec/tool'
import type { Clock } from '../deps'
import { budgeting } from '../policies.fixture'
import { request } from '../request/rerequest'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  endOf,
  finish,
  type Given,
  limiting,
  of,
  replay,
  said,
  saying,
  text,
  typesOf,
  unpaired,
} from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { phaseOf } from '../state/reading'
import { Decisions } from './decisions'

/** A rig whose tools can wait by its clock. */
function rig(given: (wait: (ms: number, context: ToolContext) => Promise<void>) => Given) {
  let clock: Clock | undefined
  const wait = async (ms: number, { signal }: ToolContext) => clock?.sleep(ms, signal)
  const made = createRig(given(wait))
  clock = made.clock
  return made
}

/** A tool in the background that takes this long. */
const slow = (
  wait: (ms: number, context: ToolContext) => Promise<void>,
  ms: number,
  given: Parameters<typeof createTool>[1] = {},
) =>
  createTool('slow', {
    background: true,
    timeoutSeconds: 60,
    node: 'tools/1',
    ...given,
    run: async (args, context) => {
      await wait(ms, context)
      return said(`found ${JSON.stringify(args)}`)
    },
  })

const texts = (messages: readonly Message[]) =>
  messages.map((each) => (each.role === 'assistant' ? each.parts : each.text))

const started = 'Started in the background as call_1_1.'
const note =
  '[The call call_1_1 of slow, which ran in the background, has ended. What follows is its result, not words of the user.]\nfound {}'

describe('a call in the background (S4-42)', () => {
  test('is answered at once with its id, and its result is a note at the next step', async () => {
    const { deps, model } = rig((wait) => ({
      play: [
        calls('slow', 'look'),
        [...saying('look'), { waitMs: 2_000 }, finish('calls')],
        calls('look'),
        text('ok'),
      ],
      tools: [slow(wait, 1_000), createTool('look')],
    }))
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok', steps: 4 })
    const [, second, third, fourth] = model.requests
    expect(second?.messages[2]).toMatchObject({ role: 'tool', callId: 'call_1_1', isError: false })
    expect(String(texts(second?.messages ?? [])[2])).toContain(started)
    expect(texts(second?.messages ?? [])).not.toContain(note)
    expect(texts(third?.messages ?? []).at(-1)).toBe(note)
    // It is told once, and stays where it is.
    expect(texts(fourth?.messages ?? []).filter((each) => each === note)).toHaveLength(1)
    for (const each of model.requests) expect(unpaired(each.messages)).toEqual([])
    expect(of(events, 'call.finished').map(({ callId, step }) => [callId, step])).toEqual([
      ['call_1_2', 1],
      ['call_1_1', 2],
      ['call_2_1', 2],
      ['call_3_1', 3],
    ])
    expect(of(events, 'call.finished')[1]).toMatchObject({ status: 'ok', durationMs: 1_000 })
  })

  test('keeps the requests of later steps beginning with the earlier ones, and each can be built again', async () => {
    const { deps, model } = rig((wait) => ({
      play: [
        calls('slow'),
        [...saying('look'), { waitMs: 2_000 }, finish('calls')],
        calls('look'),
        text('ok'),
      ],
      tools: [slow(wait, 1_000), createTool('look')],
    }))
    const state = replay(await collect(deps))
    model.requests.forEach(({ body, messages }, index) => {
      expect(request(state, deps, index + 1)?.body).toBe(body)
      const next = model.requests[index + 1]?.messages
      if (next !== undefined) expect(next.slice(0, messages.length)).toEqual(messages)
    })
  })

  test('reports its result while the model answers, before the answer is complete', async () => {
    const { deps } = rig((wait) => ({
      play: [
        calls('slow'),
        [{ type: 'text', text: 'a' }, { waitMs: 5_000 }, { type: 'text', text: 'b' }, finish('stop')],
      ],
      tools: [slow(wait, 1_000)],
    }))
    const types = typesOf(await collect(deps))
    expect(types.lastIndexOf('call.finished')).toBeLessThan(
      types.indexOf('step.finished', types.indexOf('text.delta')),
    )
    expect(types.lastIndexOf('call.finished')).toBeLessThan(types.lastIndexOf('text.delta'))
  })

  test('is awaited at the end of the run, and the model then answers with its result', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), text('I have started it.'), text('It found something.')],
      tools: [slow(wait, 30_000)],
    }))
    const phases: string[] = []
    const seen: RunEvent[] = []
    const events = await collect(deps, {
      on: (event) => {
        seen.push(event)
        phases.push(phaseOf(replay(seen)).at)
      },
    })
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'It found something.' })
    expect(model.requests).toHaveLength(3)
    expect(texts(model.requests[2]?.messages ?? []).slice(-2)).toEqual([
      note,
      expect.stringContaining('calls in the background have ended'),
    ])
    const finished = events.findIndex(({ type }) => type === 'call.finished')
    expect(phases[finished - 1]).toBe('calling')
  })

  test('is awaited before the closing answer at the step limit', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), text('closing')],
      tools: [slow(wait, 30_000)],
      policies: [limiting({ maxSteps: 1 })],
    }))
    expect(endOf(await collect(deps))).toMatchObject({ status: 'max_steps', answer: 'closing' })
    expect(texts(model.requests[1]?.messages ?? [])).toContain(note)
  })

  test('has its own time limit at the end of the run, after which its result says so', async () => {
    const { deps } = rig((wait) => ({
      play: [calls('slow'), text('started'), text('it took too long')],
      tools: [slow(wait, 90_000)],
    }))
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'timeout', durationMs: 60_000 }])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'it took too long' })
  })

  test('does not keep the run from ending with a call that ends it; the next run of the thread reads the result', async () => {
    const { deps, model } = rig((wait) => ({
      play: [calls('slow'), calls('done')],
      tools: [slow(wait, 1_000), createTool('done', { ends: true, run: () => said('the answer') })],
    }))
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'the answer' })
    expect(of(events, 'call.finished').at(-1)).toMatchObject({ callId: 'call_1_1', status: 'ok' })
    expect(model.requests).toHaveLength(2)
    expect(texts(messagesOf(replay(events))).at(-1)).toBe(note)
  })

  test('stops within its grace period when the run is cancelled, and gets one result', async () => {
    const { deps, clock } = rig((wait) => ({
      play: [calls('slow'), ['hang']],
      tools: [slow(wait, 50_000, { effect: 'effect' })],
    }))
    const events = await collect(deps, {
      on: ({ type, step }, controller) =>
        type === 'model.requested' && step === 2 && controller.abort('cancel'),
    })
    expect(endOf(events).status).toBe('cancelled')
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(clock.monotonic()).toBeLessThan(2_000)
  })

  test('is stopped when the time of the run is over', async () => {
    const { deps, clock } = rig((wait) => ({
      play: [calls('slow'), text('started')],
      tools: [slow(wait, 50_000)],
      policies: [budgeting({ seconds: 5 })],
    }))
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(clock.monotonic()).toBeLessThan(6_000)
    expect(endOf(events)).toMatchObject({ answer: 'started' })
  })

  test('counts in a budget of calls, is denied like any other, and needs the same approval', async () => {
    const asking = createPolicy('approval', 'policies/5', {
      stages: ['approval'],
      rule: (_, asked) =>
        asked.moment === 'call' ? { verdict: 'confirm', reason: 'approval is needed' } : undefined,
    })
    const one = (policy: Given['policies']) =>
      rig((wait) => ({
        play: [calls('slow', 'slow'), text('ok'), text('ok')],
        tools: [slow(wait, 10)],
        policies: policy ?? [],
      })).deps
    const counted = await collect(one([budgeting({ calls: 1 })]))
    expect(of(counted, 'call.started')).toHaveLength(1)
    expect(of(counted, 'call.finished').map(({ status }) => status)).toContain('skipped')
    const denied = await collect(one([denying('slow')]))
    expect(of(denied, 'call.started')).toHaveLength(0)
    const waiting = await collect(one([asking]))
    expect(waiting.at(-1)?.type).toBe('approval.requested')
    expect(of(waiting, 'call.started')).toHaveLength(0)
  })

  test('goes on while another call waits for a person, and the run waits for both', async () => {
    const decisions = new Decisions()
    const asking = createPolicy('approval', 'policies/5', {
      appliesTo: ['write'],
      stages: ['approval'],
      rule: (_, asked) =>
        asked.moment === 'call' ? { verdict: 'confirm', reason: 'approval is needed' } : undefined,
    })
    const { deps } = rig((wait) => ({
      play: [calls('slow', 'write'), text('ok')],
      tools: [slow(wait, 5_000), createTool('write', { effect: 'effect' })],
      policies: [asking],
      deps: { decisions },
    }))
    const events = await collect(deps, {
      on: (event) => {
        if (event.type === 'call.finished' && event.callId === 'call_1_1')
          decisions.push({ callId: 'call_1_2', decision: 'approve', scope: 'call', by: 'person' })
      },
    })
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
    expect(of(events, 'call.finished').map(({ callId }) => callId)).toEqual(['call_1_1', 'call_1_2'])
  })

  test('waits for room when as many run in the background as may run at once', async () => {
    const { deps } = rig((wait) => ({
      play: [calls('slow', 'slow', 'slow'), text('ok'), text('ok')],
      tools: [slow(wait, 1_000)],
      policies: [limiting({ concurrency: 2 })],
    }))
    const events = await collect(deps)
    const order = events
      .filter(({ type }) => type === 'call.started' || type === 'call.finished')
      .map(({ type }) => type)
    expect(order.slice(0, 4)).toEqual(['call.started', 'call.started', 'call.finished', 'call.started'])
    expect(endOf(events).status).toBe('completed')
  })

  test('a call of a tool that ends the run is waited for, whatever its entry says', async () => {
    const { deps } = rig(() => ({ play: [calls('done')], tools: [createTool('done', { ends: true })] }))
    expect(of(await collect(deps), 'call.started')[0]).not.toHaveProperty('background')
  })

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
