import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isDelta, type RunEvent, runEvent } from '#lib/spec/event'
import type { CallPart } from '#lib/spec/message'
import type { OnLimit } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import { messagesOf } from './dialogue'
import { fold } from './fold'
import { next } from './next'
import { request } from './rerequest'
import {
  type Beat,
  calls,
  collect,
  createRig,
  createTool,
  denying,
  endOf,
  finish,
  fresh,
  limiting,
  of,
  replay,
  said,
  saying,
  type Turn,
  text,
  typesOf,
  unpaired,
} from './rig.fixture'
import { run } from './run'

const effect = () => createTool('write', { effect: 'effect', node: 'tools/1' })
const read = () => createTool('look')

/** Takes events until `count` are recorded, pulls once more so that work begins, and drops what comes: a kill. */
async function killedAfter(
  count: number,
  state: RunState,
  deps: Parameters<typeof run>[1],
): Promise<RunEvent[]> {
  const recorded: RunEvent[] = []
  const events = run(state, deps, new AbortController().signal)
  while (recorded.length < count) {
    const { value, done } = await events.next()
    if (done) return recorded
    recorded.push(value)
  }
  await events.next()
  void events.return()
  return recorded
}

function cutAfter(events: readonly RunEvent[], type: RunEvent['type']): RunEvent[] {
  return events.slice(0, typesOf(events).indexOf(type) + 1)
}

describe('after a crash', () => {
  test('in mid-stream the model is asked again, and what the old attempt said is void (F1)', async () => {
    const { deps } = createRig({ play: [text('a', 'b')] })
    const state = replay(cutAfter(await collect(deps), 'text.delta'))
    expect(state.steps[0]?.live.text).toBe('a')
    const rest = await collect(deps, { state })
    expect(typesOf(rest).slice(0, 2)).toEqual(['run.resumed', 'model.requested'])
    expect(of(rest, 'model.requested')).toMatchObject([{ attempt: 2 }])
    expect(endOf(rest).answer).toBe('ab')
  })

  test('after an answer only calls without a result are due (E-28)', async () => {
    const play = [calls('look', 'look'), text('ok')]
    const first = await collect(createRig({ play, tools: [read()] }).deps)
    const tool = read()
    const { deps, model } = createRig({ play, tools: [tool] })
    const rest = await collect(deps, { state: replay(cutAfter(first, 'call.finished')) })
    expect(tool.ran).toEqual(['call_1_2'])
    expect(model.requests).toHaveLength(1)
    expect(endOf(rest).status).toBe('completed')
  })

  test('a read that had begun runs again under the call.started it has (F2)', async () => {
    const play = [calls('look'), text('ok')]
    const tool = read()
    const { deps } = createRig({ play, tools: [tool] })
    const first = cutAfter(await collect(deps), 'call.started')
    const rest = await collect(deps, { state: replay(first) })
    expect(of(rest, 'call.started')).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'ok', attempts: 2 }])
    expect(endOf(rest).toolCalls).toEqual([{ name: 'look', count: 1 }])
  })

  test('an effect that had begun is unknown and never runs again (F2)', async () => {
    const play = [calls('write'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [effect()] }).deps), 'call.started')
    const tool = effect()
    const { deps, model } = createRig({ play, tools: [tool] })
    const rest = await collect(deps, { state: replay(first) })
    expect(tool.ran).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([
      { status: 'unknown', code: 'unknown', attempts: 1, node: 'tools/1' },
    ])
    expect(model.requests[0]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining('may or may not have happened'),
    })
  })

  test('a call whose tool is gone is unknown', async () => {
    const play = [calls('look'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [read()] }).deps), 'call.started')
    const rest = await collect(createRig({ play }).deps, { state: replay(first) })
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'unknown' }])
  })

  test('sealed calls stand: the model is not asked again, the answer is what was sealed, and it goes on from there', async () => {
    const play = [calls('write', 'look'), text('ok')]
    const first = cutAfter(await collect(createRig({ play, tools: [effect(), read()] }).deps), 'call.delta')
    const part: CallPart = { type: 'call', id: 'call_1_1', name: 'write', rawArgs: '{}', args: {} }
    const stamp = (body: object, index: number) =>
      runEvent.parse({ ...body, seq: first.length + index + 1, at: first.at(-1)?.at, step: 1 })
    const parts = [{ type: 'text', text: 'I write.' }, part]
    const sealed = [{ type: 'call.sealed', parts }].map(stamp)
    const begun = [
      { type: 'call.sealed', parts },
      {
        type: 'call.started',
        callId: 'call_1_1',
        name: 'write',
        args: {},
        source: 'builtin',
        node: 'tools/1',
      },
    ].map(stamp)
    for (const [before, status] of [
      [sealed, 'ok'],
      [begun, 'unknown'],
    ] as const) {
      const { deps, model } = createRig({ play, tools: [effect(), read()] })
      const rest = await collect(deps, { state: replay([...first, ...before]) })
      expect(of(rest, 'model.answered')[0]).toMatchObject({
        step: 1,
        finishReason: 'cut',
        parts: [{ text: 'I write.' }, { id: 'call_1_1' }],
      })
      expect(of(rest, 'call.finished')).toMatchObject([{ callId: 'call_1_1', status }])
      expect(model.requests.map((each) => each.step)).toEqual([2])
      expect(unpaired(model.requests[0]?.messages ?? [])).toEqual([])
      expect(endOf(rest).answer).toBe('ok')
    }
  })

  test('a denial on record is not put on record twice', async () => {
    const play = [calls('write'), text('ok')]
    const given = { play, tools: [effect()], policies: [denying('write')] }
    const first = cutAfter(await collect(createRig(given).deps), 'policy.ruled')
    const rest = await collect(createRig(given).deps, { state: replay(first) })
    expect(of(rest, 'policy.ruled')).toEqual([])
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'denied' }])
  })

  test('a run that was only queued begins', async () => {
    const { deps } = createRig({ play: [text('a')] })
    const state = fresh()
    const { agent, input, threadId } = state.start
    fold(state, { type: 'run.queued', seq: 1, at: 5, step: 0, agent, input, threadId })
    const events = await collect(deps, { state })
    expect(typesOf(events)[0]).toBe('run.started')
    expect(events[0]?.seq).toBe(2)
  })
})

describe('a run that brings the server down', () => {
  /** Kills the server as often as it is told, in the first step's call. */
  async function afterCrashes(count: number, reason: 'crash' | 'drain') {
    const play = [calls('look', 'look'), text('ok')]
    const recorded = cutAfter(await collect(createRig({ play, tools: [read()] }).deps), 'call.started')
    for (let turn = 0; turn < count; turn++) {
      const { deps } = createRig({ play, tools: [read()] })
      const events = run(replay(recorded), deps, new AbortController().signal, reason)
      const { value } = await events.next()
      if (value !== undefined && value !== null) recorded.push(value)
      await events.return()
    }
    const tool = read()
    const { deps } = createRig({ play, tools: [tool] })
    return { rest: await collect(deps, { state: replay(recorded), resumed: reason }), tool }
  }

  test('is given up at the third recovery in a row, its calls answered (F11)', async () => {
    const { rest, tool } = await afterCrashes(2, 'crash')
    expect(endOf(rest)).toMatchObject({ status: 'failed', error: { code: 'poison' } })
    expect(of(rest, 'call.finished').map((event) => event.status)).toEqual(['interrupted', 'skipped'])
    expect(tool.ran).toEqual([])
  })

  test('goes on after two, and after any number of drains', async () => {
    expect(endOf((await afterCrashes(1, 'crash')).rest).status).toBe('completed')
    expect(endOf((await afterCrashes(5, 'drain')).rest).status).toBe('completed')
  })
})

/** What a generated run is made of. */
interface Plot {
  readonly turns: readonly Turn[]
  readonly strategy: 'sequential' | 'parallel'
  readonly maxSteps: number
  readonly onLimit: OnLimit
}

const beat: fc.Arbitrary<Beat> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 5 }) }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string({ maxLength: 5 }) }),
  fc.record({ waitMs: fc.integer({ min: 1, max: 60 }) }),
)

const call = fc.record({
  id: fc.option(fc.constantFrom('call_0', 'same'), { nil: undefined }),
  name: fc.constantFrom('look', 'write', 'slow', 'denied', 'ghost'),
  args: fc.oneof(
    fc.constant({}),
    fc.constant('{"cut": '),
    fc.record({ ms: fc.integer({ min: 0, max: 90 }) }),
  ),
})

const turn: fc.Arbitrary<Turn> = fc
  .record({
    beats: fc.array(beat, { maxLength: 4 }),
    calls: fc.array(call, { maxLength: 4 }),
    isCut: fc.integer({ min: 0, max: 15 }),
  })
  .map(({ beats, calls: asked, isCut }) => [
    ...beats,
    ...saying(...asked),
    ...(isCut === 0 ? [] : [finish(isCut === 1 ? 'length' : 'stop')]),
  ])

const plot: fc.Arbitrary<Plot> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  strategy: fc.constantFrom('sequential', 'parallel'),
  maxSteps: fc.integer({ min: 1, max: 5 }),
  onLimit: fc.constantFrom('summarize', 'error', 'return_partial'),
})

/** After how many events the server is killed. */
const kill = fc.integer({ min: 1, max: 60 })

function staged({ turns, ...limits }: Plot) {
  const write = effect()
  let rig: ReturnType<typeof createRig>
  const slow = createTool('slow', {
    async run({ ms = 0 }, { signal, progress }) {
      progress('at it')
      await rig.clock.sleep(Number(ms), signal)
      return said('slept')
    },
  })
  const tools = [read(), write, slow, createTool('denied')]
  rig = createRig({
    play: turns,
    tools,
    policies: [denying('denied'), limiting({ ...limits, concurrency: 2 })],
  })
  return { ...rig, write }
}

function throughJson(events: readonly RunEvent[]): RunEvent[] {
  return events.map((event) => runEvent.parse(JSON.parse(JSON.stringify(event))))
}

describe('laws', () => {
  test('a state folded live is the state replayed from JSON; deltas leave no trace after their step (law 3)', async () => {
    await fc.assert(
      fc.asyncProperty(plot, async (given) => {
        const { deps } = staged(given)
        const live = fresh()
        const checks: { seq: number; state: RunState }[] = []
        const events = await collect(deps, {
          state: live,
          on: ({ type, seq }) => {
            if (type === 'step.finished' || type === 'run.finished')
              checks.push({ seq, state: structuredClone(live) })
          },
        })
        expect(replay(throughJson(events))).toEqual(live)
        const bare = fresh()
        for (const event of events) {
          if (isDelta(event)) continue
          fold(bare, event)
          const check = checks.find(({ seq }) => seq === event.seq)
          if (check !== undefined) expect(bare).toEqual(check.state)
        }
      }),
      { numRuns: 60 },
    )
  }, 60_000)

  test('a run cut anywhere goes on soundly: one end, one result a call, no effect twice (F2, F16, E-28)', async () => {
    await fc.assert(
      fc.asyncProperty(plot, fc.tuple(kill, kill), async (given, kills) => {
        const bodies: string[] = []
        const recorded: RunEvent[] = []
        const live = async (
          stage: (deps: Parameters<typeof run>[1], state: RunState) => Promise<RunEvent[]>,
        ) => {
          const { deps, model, write } = staged(given)
          recorded.push(...(await stage(deps, replay(recorded))))
          bodies.push(...write.ran)
          for (const { messages } of model.requests) expect(unpaired(messages)).toEqual([])
          return deps
        }
        // Two kills at most, or the run is given up as poisonous, which is another test's.
        for (const count of kills) await live((deps, state) => killedAfter(count, state, deps))
        const deps = await live((last, state) => collect(last, { state }))

        endOf(recorded)
        expect(recorded.map((event) => event.seq)).toEqual(recorded.map((_, index) => index + 1))
        expect(new Set(bodies).size).toBe(bodies.length)
        const started = of(recorded, 'call.started').map((event) => event.callId)
        expect(new Set(started).size).toBe(started.length)
        const state = replay(recorded)
        const finished = of(recorded, 'call.finished').map((event) => event.callId)
        expect(finished.toSorted()).toEqual([...state.calls.keys()].toSorted())
        expect(unpaired(messagesOf(state))).toEqual([])
        expect(
          next(state, { maxSteps: 1, onLimit: 'error', strategy: 'sequential', concurrency: 1 }),
        ).toEqual({ do: 'rest' })
        for (const step of state.steps) {
          if (step.request !== undefined)
            expect(deps.hash(request(state, deps, step.number)?.body ?? '')).toBe(step.request.hash)
        }
      }),
      { numRuns: 500 },
    )
  }, 120_000)

  test('a run cut at every single place ends as the whole run does', async () => {
    const play = [
      calls('look', 'write', 'denied', 'ghost'),
      [{ type: 'text', text: 'hm' }, ...calls('look', 'look')] as Turn,
      text('done'),
    ]
    const given: Plot = { turns: play, strategy: 'parallel', maxSteps: 5, onLimit: 'summarize' }
    const whole = await collect(staged(given).deps)
    for (let count = 1; count < whole.length; count++) {
      const first = staged(given)
      const recorded = await killedAfter(count, fresh(), first.deps)
      const second = staged(given)
      recorded.push(...(await collect(second.deps, { state: replay(recorded) })))
      expect(endOf(recorded)).toMatchObject({ status: 'completed', answer: 'done', steps: 3 })
      expect(first.write.ran.length + second.write.ran.length).toBeLessThanOrEqual(1)
      expect(of(recorded, 'call.finished')).toHaveLength(6)
    }
  })
})
