import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { isDelta, type RunEvent, runEvent } from '#lib/spec/event'
import type { ModelFault } from '#lib/spec/model'
import { defaultLimits, type FinishWhen, type OnLimit, type Strategy, type Timing } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import { next } from './next'
import { budgeting, repeating, retrying } from './policies.fixture'
import { request } from './request/rerequest'
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
  type ToolStandIn,
  type Turn,
  text,
  unpaired,
} from './rig.fixture'
import { run } from './run'
import { messagesOf } from './state/dialogue'
import { fold } from './state/fold'

const effect = () => createTool('write', { effect: 'effect', node: 'tools/1' })
const read = () => createTool('look', { cache: true })

/** Takes events until `count` are recorded, pulls once more to begin work, and drops the result: a kill. */
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

/** What a generated run is made of. */
interface Plot {
  readonly turns: readonly Turn[]
  /** For each step, how its first attempts fail, each after that many beats. */
  readonly failures?: readonly (readonly { readonly after: number; readonly fault: ModelFault | null }[])[]
  /** How long the breaker holds back each request, in order. */
  readonly rests?: readonly number[]
  readonly strategy: Strategy
  readonly timing?: Timing
  readonly finish?: FinishWhen
  readonly continues?: number
  readonly maxSteps: number
  readonly onLimit: OnLimit
  readonly budget?: Parameters<typeof budgeting>[0]
  readonly repeat?: number
  readonly tries?: number
}

const beat: fc.Arbitrary<Beat> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 5 }) }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string({ maxLength: 5 }) }),
  fc.record({ waitMs: fc.integer({ min: 1, max: 60 }) }),
)

const call = fc.record({
  id: fc.option(fc.constantFrom('call_0', 'same'), { nil: undefined }),
  name: fc.constantFrom('look', 'write', 'slow', 'flaky', 'denied', 'ghost', 'finish', ''),
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
    ...(isCut === 0 ? [] : [finish(isCut <= 2 ? 'length' : 'stop')]),
  ])

const failure = fc.record({
  after: fc.integer({ min: 0, max: 12 }),
  fault: fc.option(
    fc.record(
      {
        code: fc.constantFrom('overloaded', 'connection', 'stalled', 'cut', 'auth'),
        message: fc.constant('failed'),
        retry: fc.constantFrom('backoff', 'backoff', 'now'),
        retryAfterMs: fc.constantFrom(0, 500, 20_000, 61_000),
      },
      { requiredKeys: ['code', 'message', 'retry'] },
    ),
  ),
})

const plot: fc.Arbitrary<Plot> = fc.record({
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
  failures: fc.array(fc.array(failure, { maxLength: 5 }), { maxLength: 3 }),
  rests: fc.array(fc.constantFrom(0, 0, 0, 400, 30_000), { maxLength: 6 }),
  strategy: fc.constantFrom('sequential', 'parallel', 'auto'),
  timing: fc.constantFrom('after_stream', 'on_stream'),
  finish: fc.constantFrom('text', 'finish_tool', 'either'),
  continues: fc.integer({ min: 0, max: 2 }),
  maxSteps: fc.integer({ min: 1, max: 5 }),
  onLimit: fc.constantFrom('summarize', 'error', 'return_partial'),
  budget: fc.record(
    {
      calls: fc.integer({ min: 1, max: 6 }),
      callsPerStep: fc.integer({ min: 1, max: 3 }),
      tokens: fc.integer({ min: 10, max: 60 }),
      usd: fc.constantFrom(0.00002, 0.001),
      seconds: fc.constantFrom(0.03, 0.1, 0.5, 5),
    },
    { requiredKeys: [] },
  ),
  repeat: fc.integer({ min: 1, max: 3 }),
  tries: fc.integer({ min: 1, max: 2 }),
})

/** After how many events the server is killed. */
const kill = fc.integer({ min: 1, max: 60 })

function staged({ turns, failures = [], rests = [], budget = {}, repeat = 3, tries = 1, ...limits }: Plot) {
  const held = [...rests]
  const nothing = () => {}
  const play = ({ step, attempt }: { step: number; attempt: number }): Turn => {
    const whole = turns[step - 1] ?? text('nothing more to say')
    const failed = failures[step - 1]?.[attempt - 1]
    if (failed === undefined) return whole
    const begun = whole.filter((each) => each === 'hang' || !('type' in each && each.type === 'finish'))
    const end: Beat[] = failed.fault === null ? [] : [{ type: 'fault', fault: failed.fault }]
    return [...begun.slice(0, failed.after), ...end]
  }
  const write = effect()
  let rig: ReturnType<typeof createRig>
  const slow = createTool('slow', {
    async run({ ms = 0 }, { signal, progress }) {
      progress('at it')
      await rig.clock.sleep(Number(ms), signal)
      return said('slept')
    },
  })
  const flaky: ToolStandIn = createTool('flaky', {
    run: () =>
      flaky.ran.length % 3 === 0 ? said('at last') : { ok: false, message: 'busy', retryable: true },
  })
  const tools = [read(), write, slow, flaky, createTool('denied'), createTool('finish', { ends: true })]
  rig = createRig({
    play,
    tools,
    policies: [
      denying('denied'),
      limiting({ ...limits, concurrency: 2 }),
      budgeting(budget),
      repeating(repeat),
      retrying(tries, 20),
    ],
    deps: {
      breaker: {
        waitMs: () => held.shift() ?? 0,
        answering: nothing,
        succeeded: nothing,
        failed: nothing,
        released: nothing,
      },
      price: { input: 1, output: 2 },
      nextStepPrompt: 'Go on, {{name}}.',
    },
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
        // A client that resumes may get an event again.
        expect(replay(throughJson(events.flatMap((event) => [event, event])))).toEqual(live)
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

  test('a run cut anywhere goes on soundly: one end, one result a call, no effect twice (F2, F16, E-28) @deep', async () => {
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
        // At most two kills: more would end the run as poisonous, which another test covers.
        for (const count of kills) await live((deps, state) => killedAfter(count, state, deps))
        const deps = await live((last, state) => collect(last, { state }))

        const end = endOf(recorded)
        const begun = of(recorded, 'call.started').length
        expect(begun).toBeLessThanOrEqual(given.budget?.calls ?? begun)
        const isOver = of(recorded, 'policy.ruled').some((event) => event.ends !== undefined)
        // An answer that a finishing call gave before the budget ran out is kept.
        const isAnswered = of(recorded, 'call.finished').some((event) => event.final !== undefined)
        if (isOver) expect(isAnswered ? ['completed'] : ['budget', 'failed']).toContain(end.status)
        for (const { rulings } of replay(recorded).calls.values())
          expect(rulings.filter((each) => each.ends !== undefined).length).toBeLessThanOrEqual(1)
        expect(recorded.map((event) => event.seq)).toEqual(recorded.map((_, index) => index + 1))
        expect(new Set(bodies).size).toBe(bodies.length)
        const started = of(recorded, 'call.started').map((event) => event.callId)
        expect(new Set(started).size).toBe(started.length)
        for (const { retries } of replay(recorded).steps) {
          const tries = retries.filter(({ code }) => code !== 'resting')
          expect(tries.length).toBeLessThanOrEqual(3)
          expect(retries.length - tries.length).toBeLessThanOrEqual(3)
          expect(new Set(tries.map(({ attempt }) => attempt)).size).toBe(tries.length)
        }
        const state = replay(recorded)
        const finished = of(recorded, 'call.finished').map((event) => event.callId)
        expect(finished.toSorted()).toEqual([...state.calls.keys()].toSorted())
        expect(unpaired(messagesOf(state))).toEqual([])
        expect(next(state, { ...defaultLimits, maxSteps: 1 })).toEqual({ do: 'rest' })
        for (const step of state.steps) {
          if (step.request !== undefined)
            expect(deps.hash(request(state, deps, step.number)?.body ?? '')).toBe(step.request.hash)
        }
      }),
      { numRuns: countFor({ quick: 100, deep: 500 }) },
    )
  }, 120_000)

  test('a run cut at every single place ends as the whole run does', async () => {
    const play = [
      calls('look', 'write', 'denied', 'ghost'),
      [{ type: 'text', text: 'hm' }, ...calls('look', 'look')] as Turn,
      text('done'),
    ]
    const busy = { code: 'overloaded', message: 'busy', retry: 'backoff' } as const
    const failures = [[{ after: 2, fault: busy }], [], [{ after: 0, fault: null }]]
    const given: Plot = { turns: play, failures, strategy: 'parallel', maxSteps: 5, onLimit: 'summarize' }
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
