import { describe, expect, test } from 'vitest'
import type { ToolOutput } from '#lib/spec/tool'
import { budgeting } from './policies.fixture'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  endOf,
  limiting,
  of,
  replay,
  type Turn,
  text,
  typesOf,
  unpaired,
} from './rig.fixture'
import { messagesOf } from './state/dialogue'

const talk = (...names: string[]): Turn => [{ type: 'text', text: 'I look.' }, ...calls(...names)]
const parallel = limiting({ strategy: 'parallel', concurrency: 2 })

describe('a budget of calls', () => {
  test('ends the run at the call over it, which is skipped like all after it (E-33)', async () => {
    const look = createTool('look')
    const { deps } = createRig({
      play: [talk('look'), talk('look', 'look', 'look')],
      tools: [look],
      policies: [budgeting({ calls: 2 })],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1', 'call_2_1'])
    expect(of(events, 'policy.ruled')).toMatchObject(
      ['call_2_2', 'call_2_3'].map((callId) => ({
        callId,
        policy: 'budget',
        node: 'policies/2',
        tool: 'look',
        verdict: 'limit',
        reason: 'the budget of 2 calls is used up',
        ends: 'budget',
      })),
    )
    expect(of(events, 'call.finished').slice(2)).toMatchObject([
      {
        status: 'skipped',
        code: 'limit',
        attempts: 0,
        result: { text: 'Error: This call was not run: the budget of 2 calls is used up.' },
      },
      { status: 'skipped', code: 'limit' },
    ])
    expect(endOf(events)).toMatchObject({
      status: 'budget',
      answer: 'I look.',
      error: { code: 'budget', message: 'The budget of 2 calls is used up.' },
      toolCalls: [{ name: 'look', count: 2 }],
    })
    expect(unpaired(messagesOf(replay(events)))).toEqual([])
  })

  test('counts what begins side by side, and lets it end', async () => {
    const look = createTool('look')
    const { deps } = createRig({
      play: [talk('look', 'look', 'look', 'look')],
      tools: [look],
      policies: [parallel, budgeting({ calls: 1 })],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map(({ callId, status }) => `${callId} ${status}`)).toEqual([
      'call_1_2 skipped',
      'call_1_1 ok',
      'call_1_3 skipped',
      'call_1_4 skipped',
    ])
    expect(endOf(events).status).toBe('budget')
  })

  test('a step leaves out the calls over it, and the run goes on (S4-27)', async () => {
    const look = createTool('look')
    const { deps, model } = createRig({
      play: [calls('look', 'look', 'look', 'look', 'look'), calls('look'), text('ok')],
      tools: [look],
      policies: [budgeting({ callsPerStep: 2 })],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map((event) => event.status)).toEqual([
      'ok',
      'ok',
      'skipped',
      'skipped',
      'skipped',
      'ok',
    ])
    expect(unpaired(model.requests[1]?.messages ?? [])).toEqual([])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok', error: null })
  })

  test('wired to some tools counts the calls of these alone', async () => {
    const { deps } = createRig({
      play: [calls('look', 'sql.a', 'sql.b'), calls('sql.c', 'look'), text('ok')],
      tools: ['look', 'sql.a', 'sql.b', 'sql.c'].map((name) => createTool(name)),
      policies: [{ ...budgeting({ callsPerStep: 1 }), appliesTo: ['sql.*'] }],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map(({ name, status }) => `${name} ${status}`)).toEqual([
      'look ok',
      'sql.a ok',
      'sql.b skipped',
      'sql.c ok',
      'look ok',
    ])
  })
})

describe('a budget of tokens or money', () => {
  test('is looked at after each answer: its calls are skipped, in the name of the policy that decides', async () => {
    const look = createTool('look')
    const generous = createPolicy('budget', 'policies/9', {
      limit(limits) {
        limits.budget = { ...limits.budget, tokens: Math.min(limits.budget.tokens, 1_000) }
      },
    })
    const { deps } = createRig({
      play: [talk('look'), talk('look', 'look')],
      tools: [look],
      policies: [generous, budgeting({ tokens: 30 })],
    })
    const events = await collect(deps)
    expect(look.ran).toEqual(['call_1_1'])
    expect(of(events, 'policy.ruled')).toMatchObject([
      { callId: 'call_2_1', node: 'policies/2', verdict: 'limit', ends: 'budget' },
      { callId: 'call_2_2', node: 'policies/2', verdict: 'limit', ends: 'budget' },
    ])
    expect(endOf(events)).toMatchObject({
      status: 'budget',
      answer: 'I look.',
      error: { message: 'The budget of 30 tokens is used up.' },
    })
  })

  test('used up by the answer itself changes nothing of it', async () => {
    const { deps } = createRig({ play: [text('all said')], policies: [budgeting({ tokens: 1 })] })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: 'all said', error: null })
  })

  test('used up asks no more for an empty answer', async () => {
    const { deps, model } = createRig({
      play: () => [{ type: 'finish', reason: 'stop', usage: { input: 9, output: 0 } }],
      policies: [budgeting({ tokens: 5 })],
    })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'budget', answer: null })
    expect(model.requests).toHaveLength(1)
  })

  test('in dollars holds at the price known', async () => {
    const { deps } = createRig({
      play: [talk('look'), talk('look')],
      tools: [createTool('look')],
      policies: [budgeting({ usd: 0.00003 })],
      deps: { price: { input: 1, output: 2 } },
    })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({
      status: 'budget',
      error: { message: 'The budget of $0.00003 is used up.' },
    })
    expect(of(events, 'call.finished').map((event) => event.status)).toEqual(['ok', 'skipped'])
  })

  test('in dollars without a price does not begin', async () => {
    const { deps, model } = createRig({ play: [text('a')], policies: [budgeting({ usd: 1 })] })
    const events = await collect(deps)
    expect(typesOf(events)).toEqual(['run.finished'])
    expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'price_unknown' } })
    expect(model.requests).toEqual([])
  })
})

describe('a budget of time', () => {
  const stuck = (signals: unknown[] = []) =>
    createTool('stuck', {
      timeoutSeconds: 1_000,
      run: (_, { signal, progress }) => {
        progress('half ')
        return new Promise<ToolOutput>((_, reject) =>
          signal.addEventListener('abort', () => {
            signals.push(signal.reason)
            reject(signal.reason)
          }),
        )
      },
    })

  test('stops a stream and keeps what it said', async () => {
    const { deps, clock } = createRig({
      play: [[{ type: 'text', text: 'It is ' }, 'hang']],
      policies: [budgeting({ seconds: 10 })],
    })
    const events = await collect(deps)
    expect(clock.monotonic()).toBe(10_000)
    expect(of(events, 'model.answered')).toMatchObject([
      { finishReason: 'cut', parts: [{ type: 'text', text: 'It is ' }] },
    ])
    expect(of(events, 'model.answered')[0]).not.toHaveProperty('fault')
    expect(endOf(events)).toMatchObject({
      status: 'budget',
      answer: 'It is ',
      error: { message: 'The budget of 10 seconds is used up.' },
    })
  })

  test.each(['read', 'effect'] as const)(
    'stops a body of class %s: what is finished stays, what runs is interrupted, the rest is skipped with a ruling',
    async (effect) => {
      const signals: unknown[] = []
      const { deps, clock } = createRig({
        play: [talk('look', 'stuck', 'look')],
        tools: [createTool('look'), { ...stuck(signals), effect }],
        policies: [budgeting({ seconds: 10 })],
      })
      const events = await collect(deps)
      expect(clock.monotonic()).toBeLessThanOrEqual(10_500)
      expect(signals).toEqual(['budget'])
      expect(of(events, 'call.finished')).toMatchObject([
        { status: 'ok' },
        {
          status: 'interrupted',
          result: { text: expect.stringMatching(/^half \nError: .*10 seconds is used up/) },
        },
        { status: 'skipped', code: 'limit' },
      ])
      expect(of(events, 'policy.ruled')).toMatchObject([{ callId: 'call_1_3', node: 'policies/2' }])
      expect(endOf(events)).toMatchObject({ status: 'budget', answer: 'I look.' })
    },
  )

  test('is over for a resumed run by its events alone', async () => {
    const given = {
      play: [talk('stuck', 'look')],
      tools: [stuck(), createTool('look')],
      policies: [budgeting({ seconds: 10 })],
    }
    const whole = await collect(createRig(given).deps)
    const at = (type: string) => whole.findIndex((event) => event.type === type)
    const started = whole[at('run.started')]?.at ?? 0
    const cut = whole.slice(0, at('call.started') + 1)
    const { deps, clock, model } = createRig(given)
    await clock.sleep(20_000, new AbortController().signal)
    const rest = await collect(deps, { state: replay(cut) })
    expect(rest[0]?.at).toBe(started + 20_000)
    expect(of(rest, 'call.finished').map((event) => event.status)).toEqual(['interrupted', 'skipped'])
    expect(endOf(rest).status).toBe('budget')
    expect(model.requests).toEqual([])
  })

  test('leaves no timer behind, and does not hold a run that is quicker', async () => {
    const { deps, clock } = createRig({ play: [text('ok')], policies: [budgeting({ seconds: 10 })] })
    expect(endOf(await collect(deps)).status).toBe('completed')
    await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(clock.monotonic()).toBe(0)
  })

  test('a person who cancels comes first', async () => {
    const { deps } = createRig({
      play: [[{ type: 'text', text: 'a' }, 'hang']],
      policies: [budgeting({ seconds: 10 })],
    })
    const events = await collect(deps, {
      on: (event, controller) => event.type === 'text.delta' && controller.abort('cancel'),
    })
    expect(endOf(events).status).toBe('cancelled')
  })
})
