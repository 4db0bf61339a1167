import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDelta, type RunEvent } from '#lib/spec/event'
import type { Strategy } from '#lib/spec/policy'
import {
  type Beat,
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  endOf,
  finish,
  fresh,
  type Given,
  limiting,
  of,
  replay,
  said,
  saying,
  type Turn,
  text,
} from '../rig.fixture'

const early = (strategy: Strategy = 'sequential') => limiting({ strategy, timing: 'on_stream' })

/** One call after another, with a pause of the model after each. */
function paced(...named: readonly string[]): Beat[] {
  return named.flatMap((name, at) => {
    const beats = saying(name).map((beat) =>
      typeof beat === 'object' && 'index' in beat ? { ...beat, index: at } : beat,
    )
    return [...beats, { waitMs: 100 }]
  })
}

/** A tool that takes this many milliseconds. */
function slowly(name: string, ms: number, given: Parameters<typeof createTool>[1] = {}) {
  const rig: { clock?: ReturnType<typeof createRig>['clock'] } = {}
  const tool = createTool(name, {
    ...given,
    async run(_, { signal }) {
      await rig.clock?.sleep(ms, signal)
      return said(`${name} is done`)
    },
  })
  return { tool, rig }
}

function orderOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'model.answered') return ['answered']
    return 'callId' in event && event.type !== 'call.delta' ? [`${event.type} ${event.callId}`] : []
  })
}

describe('a call that stands complete in the stream', () => {
  test('begins while the model still writes, runs once, and the time it saved is known (S0-16, E-44)', async () => {
    const look = slowly('look', 60)
    const given = { play: [[...paced('look', 'look'), finish('calls')], text('ok')], tools: [look.tool] }
    const { deps, clock } = createRig({ ...given, policies: [early()] })
    look.rig.clock = clock
    const events = await collect(deps)
    expect(orderOf(events)).toEqual([
      'call.started call_1_1',
      'call.finished call_1_1',
      'call.started call_1_2',
      'call.finished call_1_2',
      'answered',
      'answered',
    ])
    expect(of(events, 'call.sealed').map(({ parts }) => parts)).toMatchObject([
      [{ type: 'call', id: 'call_1_1', args: {} }],
      [{ type: 'call', id: 'call_1_2', args: {} }],
    ])
    expect(look.tool.ran).toEqual(['call_1_1', 'call_1_2'])
    expect(replay(events).steps[0]?.savedMs).toBe(120)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
  })

  test('goes on when the answer is complete before it is', async () => {
    const look = slowly('look', 1_000)
    const { deps, clock } = createRig({
      play: [[...paced('look'), finish('calls')], text('ok')],
      tools: [look.tool],
      policies: [early()],
    })
    look.rig.clock = clock
    const events = await collect(deps)
    expect(orderOf(events).slice(0, 3)).toEqual([
      'call.started call_1_1',
      'answered',
      'call.finished call_1_1',
    ])
    expect(replay(events).steps[0]?.savedMs).toBe(100)
  })

  test('waits its turn: one by one, in parallel, or reads together and writes alone (E-39)', async () => {
    const begins = async (strategy: Strategy) => {
      const tools = [slowly('read', 500), slowly('write', 500, { effect: 'effect' })]
      const turn: Turn = [...paced('read', 'read', 'write', 'read'), finish('calls')]
      const { deps, clock } = createRig({
        play: [turn, text('ok')],
        tools: tools.map(({ tool }) => tool),
        policies: [early(strategy)],
      })
      for (const { rig } of tools) rig.clock = clock
      const events = await collect(deps)
      const t0 = events[0]?.at ?? 0
      return of(events, 'call.started').map(({ at }) => Math.round((at - t0) / 100))
    }
    expect(await begins('sequential')).toEqual([0, 5, 10, 15])
    expect(await begins('parallel')).toEqual([0, 1, 2, 3])
    expect(await begins('auto')).toEqual([0, 1, 6, 11])
  })

  test('is not run when a policy says no, and a person is asked only once all calls are known', async () => {
    const asking = createPolicy('approval', 'policies/5', {
      stages: ['approval'],
      rule: (_, { tool }) => (tool.name === 'write' ? { verdict: 'confirm', reason: 'ask' } : undefined),
    })
    const look = createTool('look')
    const write = createTool('write', { effect: 'effect' })
    const { deps } = createRig({
      play: [[...paced('look', 'write', 'denied', 'write'), finish('calls')]],
      tools: [look, write, createTool('denied')],
      policies: [early('parallel'), denying('denied'), asking],
    })
    const events = await collect(deps)
    expect(orderOf(events)).toEqual([
      'call.started call_1_1',
      'call.finished call_1_1',
      'policy.ruled call_1_3',
      'call.finished call_1_3',
      'answered',
      'policy.ruled call_1_2',
      'approval.requested call_1_2',
      'policy.ruled call_1_4',
      'approval.requested call_1_4',
    ])
    expect(write.ran).toEqual([])
  })

  test('stands when the stream breaks off: what followed is dropped, and the model is not asked again', async () => {
    const look = createTool('look')
    const cut: Turn = [
      { type: 'text', text: 'First' },
      ...paced('look'),
      { type: 'text', text: 'and th' },
      { type: 'fault', fault: { code: 'overloaded', message: 'busy', retry: 'backoff' } },
    ]
    const { deps, model } = createRig({ play: [cut, text('ok')], tools: [look], policies: [early()] })
    const events = await collect(deps)
    expect(of(events, 'model.retried')).toEqual([])
    expect(of(events, 'model.answered')[0]).toMatchObject({
      finishReason: 'cut',
      parts: [
        { type: 'text', text: 'First' },
        { type: 'call', id: 'call_1_1' },
      ],
    })
    expect(look.ran).toEqual(['call_1_1'])
    expect(model.requests).toHaveLength(2)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
  })

  test('is told as unknown when the server stopped while its effect was under way, and the model is not asked again', async () => {
    const turn: Turn = [...paced('write'), 'hang']
    const write = createTool('write', { effect: 'effect' })
    const { deps } = createRig({ play: [turn, text('ok')], tools: [write], policies: [early()] })
    const events = await collect(deps, {
      on: (event, controller) => event.type === 'call.finished' && controller.abort('drain'),
    })
    const cut = events.slice(0, events.findIndex(({ type }) => type === 'call.started') + 1)
    const { deps: again, model } = createRig({
      play: [turn, text('ok')],
      tools: [write],
      policies: [early()],
    })
    const rest = await collect(again, { state: replay(cut) })
    expect(of(rest, 'model.answered')[0]).toMatchObject({ finishReason: 'cut', parts: [{ id: 'call_1_1' }] })
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'unknown' }])
    expect(write.ran).toEqual(['call_1_1'])
    expect(model.requests.map(({ step }) => step)).toEqual([2])
    expect(endOf(rest).status).toBe('completed')
  })

  test('is interrupted when the run is cancelled in mid-stream, after the grace', async () => {
    const look = slowly('look', 60_000)
    const { deps, clock } = createRig({
      play: [[...paced('look', 'look'), 'hang']],
      tools: [look.tool],
      policies: [early()],
    })
    look.rig.clock = clock
    const events = await collect(deps, {
      on: (event, controller) => event.type === 'call.sealed' && event.seq > 8 && controller.abort('cancel'),
    })
    expect(of(events, 'call.finished').map(({ status }) => status)).toEqual(['interrupted', 'skipped'])
    expect(endOf(events).status).toBe('cancelled')
  })

  test.each(['cancel', 'timeout'])('hears no more of a stream once the answer stands: %s', async (end) => {
    // It ignores its abort, so the grace period is waited out.
    const look = createTool('look', {
      async run() {
        await rig.clock.sleep(5_000, new AbortController().signal)
        return said('seen')
      },
    })
    const write = createTool('write', { effect: 'effect' })
    const further = Array.from({ length: 60 }, (): Beat[] => [
      { type: 'text', text: 'and ' },
      { type: 'call.args', index: 1, text: '{' },
      { waitMs: 50 },
    ])
    const play: Turn[] = [
      [...paced('look'), ...saying('write', 'write').slice(4, 5), ...further.flat()],
      text('ok'),
    ]
    const rig = createRig({
      play,
      tools: [look, write],
      policies: [early('parallel')],
      deps: { modelTimeoutSeconds: end === 'timeout' ? 1 : 300 },
    })
    const state = fresh()
    const events = await collect(rig.deps, {
      state,
      on: ({ type }, controller) => type === 'text.delta' && end === 'cancel' && controller.abort('cancel'),
    })
    const answered = events.findIndex(({ type }) => type === 'model.answered')
    const late = events.slice(answered).filter((each) => each.step === 1 && each.type.endsWith('.delta'))
    expect(late).toEqual([])
    expect(write.ran).toEqual([])
    expect(of(events, 'call.finished').map(({ callId }) => callId)).toEqual(['call_1_1'])
    expect(replay(events.filter((each) => !isDelta(each))).steps).toEqual(state.steps)
  })

  test('leads to the very dialogue that calls after the stream lead to, whatever came', async () => {
    const step = fc.array(fc.constantFrom('look', 'write', 'fails', 'denied', 'ghost'), { maxLength: 5 })
    const strategy = fc.constantFrom('sequential', 'parallel', 'auto')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), strategy, async (steps, by) => {
        const given = (): Given => ({
          play: [...steps.map((names) => calls(...names)), text('ok')],
          tools: [
            createTool('look'),
            createTool('write', { effect: 'effect' }),
            createTool('fails', { run: () => ({ ok: false, message: 'no' }) }),
            createTool('denied'),
          ],
        })
        const messages = async (timing: 'after_stream' | 'on_stream') => {
          const policies = [limiting({ strategy: by, timing }), denying('denied')]
          return replay(await collect(createRig({ ...given(), policies }).deps)).messages
        }
        expect(await messages('on_stream')).toEqual(await messages('after_stream'))
      }),
      { numRuns: 100 },
    )
  }, 60_000)
})
