import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Strategy } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import type { RunDeps } from '../deps'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  endOf,
  fresh,
  type Given,
  limiting,
  of,
  replay,
  text,
  typesOf,
} from '../rig.fixture'
import { fold } from '../state/fold'
import { type Decided, Decisions } from './decisions'

const asking = (...names: string[]) =>
  createPolicy('approval', 'policies/2', {
    appliesTo: names,
    stages: ['approval'],
    rule: () => ({
      verdict: 'confirm',
      reason: 'a person decides',
      expires: { seconds: 900, after: 'reject' },
    }),
  })

interface Going {
  readonly state: RunState
  readonly deps: RunDeps
  readonly decisions: Decisions
  /** Resumes with these decisions, as a later process would, and returns the events. */
  on(...decided: Decided[]): Promise<RunEvent[]>
}

function begin(given: Given): Going {
  const decisions = new Decisions()
  const { deps } = createRig({ ...given, deps: { ...given.deps, decisions } })
  const state = fresh()
  let isBack = false
  return {
    state,
    deps,
    decisions,
    on: (...decided) => {
      for (const each of decided) decisions.push(each)
      const resumed = isBack ? { resumed: 'decided' as const } : {}
      isBack = true
      return collect(deps, { state, ...resumed })
    },
  }
}

const yes = (callId: string, more: Partial<Decided> = {}): Decided => ({
  callId,
  decision: 'approve',
  scope: 'call',
  by: 'person',
  ...more,
})
const no = (callId: string, reason: string): Decided => ({ ...yes(callId), decision: 'reject', reason })

describe('a call that a person decides on (S3-17)', () => {
  test('waits, with the run, and runs once it is approved', async () => {
    const write = createTool('write', { effect: 'effect' })
    const run = begin({ play: [calls('write'), text('ok')], tools: [write], policies: [asking('write')] })
    const first = await run.on()
    expect(typesOf(first).slice(-2)).toEqual(['policy.ruled', 'approval.requested'])
    expect(of(first, 'approval.requested')).toMatchObject([{ callId: 'call_1_1', tool: 'write', args: {} }])
    expect(run.state.status).toBe('waiting')
    expect(write.ran).toEqual([])
    const rest = await run.on(yes('call_1_1'))
    expect(typesOf(rest).slice(0, 3)).toEqual(['approval.decided', 'call.started', 'call.finished'])
    expect(endOf(rest).status).toBe('completed')
    expect(write.ran).toEqual(['call_1_1'])
  })

  test('is decided once: what is said after it is not on record, and would change nothing', async () => {
    const write = createTool('write', { effect: 'effect' })
    const run = begin({ play: [calls('write'), text('ok')], tools: [write], policies: [asking('write')] })
    const first = await run.on()
    const rest = await run.on(yes('call_1_1'), no('call_1_1', 'too late'))
    const decided = of(rest, 'approval.decided')
    expect(decided.map(({ decision }) => decision)).toEqual(['approve'])
    expect(write.ran).toEqual(['call_1_1'])
    const [yea] = decided
    if (yea === undefined) throw new Error('it was decided')
    const state = replay([...first, ...rest.slice(0, rest.indexOf(yea) + 1)])
    fold(state, { ...yea, seq: state.seq + 1, decision: 'reject' })
    expect(state.calls.get('call_1_1')?.approval?.decided?.decision).toBe('approve')
  })

  test('has all that ask in its step beside it, and is judged in call order', async () => {
    const write = createTool('write')
    const run = begin({
      play: [calls('write', 'look', 'write'), text('ok')],
      tools: [write, createTool('look')],
      policies: [asking('write')],
    })
    const first = await run.on()
    expect(of(first, 'approval.requested').map((each) => each.callId)).toEqual(['call_1_1', 'call_1_3'])
    expect(of(first, 'call.started')).toEqual([])
    const second = await run.on(yes('call_1_1'))
    expect(of(second, 'call.finished').map((each) => each.callId)).toEqual(['call_1_1', 'call_1_2'])
    expect(run.state.status).toBe('waiting')
    const last = await run.on(no('call_1_3', 'not today'))
    expect(of(last, 'call.finished')).toMatchObject([
      { callId: 'call_1_3', status: 'denied', code: 'rejected' },
    ])
    expect(of(last, 'call.finished')[0]?.result.text).toContain('a person said no to it: not today.')
    expect(endOf(last).status).toBe('completed')
  })

  const strategies: [Strategy, string[]][] = [
    ['sequential', ['call_1_1']],
    ['auto', ['call_1_1']],
    ['parallel', ['call_1_1', 'call_1_3']],
  ]
  test.each(strategies)('holds back what the strategy says: %s', async (strategy, ran) => {
    const run = begin({
      play: [calls('look', 'write', 'look'), text('ok')],
      tools: [createTool('write', { effect: 'effect' }), createTool('look')],
      policies: [asking('write'), limiting({ strategy, concurrency: 8 })],
    })
    const first = await run.on()
    expect(of(first, 'call.finished').map((each) => each.callId)).toEqual(ran)
    const rest = await run.on(yes('call_1_2'))
    expect(endOf(rest).status).toBe('completed')
    const answer = run.state.messages.filter((each) => each.role === 'tool')
    expect(answer.map((each) => each.callId)).toEqual(['call_1_1', 'call_1_2', 'call_1_3'])
  })

  test('takes a decision that comes while others are at work', async () => {
    const seen: string[] = []
    const slow = createTool('slow', {
      run: async () => {
        run.decisions.push(yes('call_1_1'))
        await Promise.resolve()
        return { ok: true, blocks: [] }
      },
    })
    const write = createTool('write')
    const run = begin({
      play: [calls('write', 'slow'), text('ok')],
      tools: [write, slow],
      policies: [asking('write'), limiting({ strategy: 'parallel', concurrency: 8 })],
    })
    const events = await run.on()
    for (const each of events) if ('callId' in each) seen.push(`${each.type} ${each.callId}`)
    expect(endOf(events).status).toBe('completed')
    expect(seen).toContain('approval.decided call_1_1')
    expect(write.ran).toEqual(['call_1_1'])
  })

  test('runs with the arguments a person wrote, and the model is told of them', async () => {
    const parameters = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const write = createTool('write', { parameters })
    const given = {
      play: [calls({ name: 'write', args: { n: 1 } }), text('ok')],
      tools: [write],
      policies: [asking('write')],
    }
    const run = begin(given)
    await run.on()
    const rest = await run.on(yes('call_1_1', { args: { n: 2 } }))
    expect(of(rest, 'call.started')).toMatchObject([{ args: { n: 2 } }])
    expect(of(rest, 'call.finished')[0]?.result.text).toMatch(/^A person changed the arguments .*{"n":2}/)
    const other = begin(given)
    await other.on()
    const bad = await other.on(yes('call_1_1', { args: { n: 'many' } }))
    expect(of(bad, 'call.finished')).toMatchObject([{ status: 'error', code: 'args_schema' }])
  })

  test('is asked about again when there is a new reason, and not for the old one', async () => {
    const taint = createPolicy('taint', 'policies/3', {
      stages: ['taint'],
      rule: (_, question) =>
        question.moment === 'call' && question.args.to === 'all'
          ? { verdict: 'confirm', reason: 'it goes to all' }
          : undefined,
    })
    const run = begin({
      play: [calls({ name: 'send', args: { to: 'one' } }), text('ok')],
      tools: [createTool('send')],
      policies: [asking('send'), taint],
    })
    await run.on()
    const again = await run.on(yes('call_1_1', { args: { to: 'all' } }))
    expect(of(again, 'approval.requested')).toMatchObject([{ callId: 'call_1_1', args: { to: 'all' } }])
    expect(of(again, 'policy.ruled').map((each) => each.policy)).toContain('taint')
    const rest = await run.on(yes('call_1_1', { args: { to: 'all' } }))
    expect(endOf(rest).status).toBe('completed')
  })

  test('asks no more in this run where that was said', async () => {
    const write = createTool('write')
    const run = begin({
      play: [calls('write'), calls('write'), text('ok')],
      tools: [write],
      policies: [asking('write')],
    })
    await run.on()
    const rest = await run.on(yes('call_1_1', { scope: 'run' }))
    expect(of(rest, 'approval.requested')).toEqual([])
    expect(write.ran).toEqual(['call_1_1', 'call_2_1'])
  })

  test('is denied when a new rule denies it by the time it would run', async () => {
    let isLate = false
    const late = createPolicy('late', 'policies/4', {
      stages: ['budget'],
      rule: (_, { moment }) =>
        isLate && moment === 'call' ? { verdict: 'deny', reason: 'it is late' } : undefined,
    })
    const write = createTool('write')
    const run = begin({
      play: [calls('write'), text('ok')],
      tools: [write],
      policies: [asking('write'), late],
    })
    await run.on()
    isLate = true
    const rest = await run.on(yes('call_1_1'))
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'denied', code: 'denied' }])
    expect(write.ran).toEqual([])
  })

  test('E-60 is dropped with the run that is cancelled, and says who decided', async () => {
    const run = begin({
      play: [calls('write'), text('ok')],
      tools: [createTool('write')],
      policies: [asking('write')],
    })
    await run.on()
    const controller = new AbortController()
    controller.abort('cancel')
    const rest = await collect(run.deps, { state: run.state, controller, resumed: 'decided' })
    expect(of(rest, 'approval.decided')).toMatchObject([{ decision: 'reject', by: 'cancel' }])
    expect(of(rest, 'call.finished')).toMatchObject([{ status: 'skipped' }])
    expect(endOf(rest).status).toBe('cancelled')
  })

  test('goes on from its events alone, without a word of recovery while it waits', async () => {
    const write = createTool('write')
    const given = { play: [calls('write'), text('ok')], tools: [write], policies: [asking('write')] }
    const run = begin(given)
    const stored = await run.on()
    const later = begin(given)
    const state = replay(stored)
    expect(await collect(later.deps, { state, resumed: 'crash' })).toEqual([])
    later.decisions.push(yes('call_1_1'))
    const rest = await collect(later.deps, { state, resumed: 'decided' })
    expect(rest[0]).toMatchObject({ type: 'approval.decided', seq: stored.length + 1 })
    expect(endOf(rest).status).toBe('completed')
  })

  test('is asked about once more when the server stopped between the ruling and the question', async () => {
    const given = {
      play: [calls('write'), text('ok')],
      tools: [createTool('write')],
      policies: [asking('write')],
    }
    const stored = await begin(given).on()
    const cut = stored.findIndex((each) => each.type === 'policy.ruled') + 1
    const rest = await collect(begin(given).deps, { state: replay(stored.slice(0, cut)), resumed: 'crash' })
    expect(of(rest, 'policy.ruled')).toEqual([])
    expect(of(rest, 'approval.requested')).toHaveLength(1)
  })

  test('costs nothing of a budget of seconds', async () => {
    const run = begin({
      play: [calls('write'), text('ok')],
      tools: [createTool('write')],
      policies: [
        asking('write'),
        createPolicy('budget', 'policies/5', {
          limit: ({ budget }) => void Object.assign(budget, { seconds: 60 }),
        }),
      ],
    })
    await run.on()
    await run.deps.clock.sleep(600_000, new AbortController().signal)
    expect(endOf(await run.on(yes('call_1_1'))).status).toBe('completed')
  })
})

describe('the auto strategy', () => {
  test('runs reads together and all else alone', async () => {
    let open = 0
    const most: Record<string, number> = {}
    const tool = (name: string, effect: 'read' | 'effect') =>
      createTool(name, {
        effect,
        run: async ({ id }: JsonObject) => {
          open += 1
          most[String(id)] = open
          // Does not wait by the clock, which would jump to the time limits.
          for (let n = 0; n < 50; n++) await Promise.resolve()
          open -= 1
          return { ok: true, blocks: [] }
        },
      })
    const said = (name: string, id: string) => ({ name, args: { id } })
    const { deps } = createRig({
      play: [
        calls(said('look', 'a'), said('look', 'b'), said('write', 'c'), said('look', 'd'), said('look', 'e')),
        text('ok'),
      ],
      tools: [tool('look', 'read'), tool('write', 'effect')],
      policies: [limiting({ strategy: 'auto', concurrency: 8 })],
    })
    const events = await collect(deps)
    expect(endOf(events).status).toBe('completed')
    expect(most).toEqual({ a: 1, b: 2, c: 1, d: 1, e: 2 })
  })
})
