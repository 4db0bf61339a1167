import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { type HookStandIn, openHook, type Played } from '#lib/server/hooks.fixture'
import type { RunEvent } from '#lib/spec/event'
import type { HookMoment } from '#lib/spec/hook'
import type { JsonObject } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import { type Decided, Decisions } from './decisions'
import { messagesOf } from './dialogue'
import { request } from './rerequest'
import {
  calls,
  collect,
  createRig,
  createTool,
  digest,
  endOf,
  fresh,
  type Given,
  of,
  replay,
  said,
  type Turn,
  text,
  unpaired,
} from './rig.fixture'

let stand: HookStandIn | undefined
afterEach(async () => {
  await stand?.close()
  stand = undefined
})

type Entry = { on?: HookMoment; path?: string; [key: string]: unknown }

interface Staged extends Omit<Given, 'policies'> {
  readonly hooks: readonly Entry[]
  readonly answer: (asked: JsonObject & { path: string }, index: number) => Played
  readonly more?: readonly { use: string; [key: string]: unknown }[]
}

async function stage({ hooks, answer, more = [], deps, ...given }: Staged) {
  stand ??= await openHook(answer)
  const { url } = stand
  const entries = hooks.map(({ path = '/', ...each }) => ({ use: 'hook', url: `${url}${path}`, ...each }))
  const bound = bindPolicies([...entries, ...more], policies)
  return createRig({ ...given, policies: bound, deps: { ...deps, hooks: stand.hooks('run_1') } })
}

const send = (run = (args: JsonObject) => said(`sent ${JSON.stringify(args)}`)) =>
  createTool('send', {
    effect: 'effect',
    parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    run,
  })
const asks = (to: string): Turn => calls({ name: 'send', args: { to } })
const called = (events: readonly RunEvent[]) => of(events, 'hook.called')

describe('a hook before a call (S4-26)', () => {
  test('is asked in order, each of what the one before left, and what is left runs', async () => {
    const tool = send()
    const rig = await stage({
      hooks: [{ path: '/a' }, { path: '/b' }, { path: '/c', appliesTo: ['other'] }],
      answer: ({ path, call }) =>
        path === '/a' ? { args: { to: 'bob' } } : { reason: JSON.stringify(call) },
      play: [asks('ann'), text('ok')],
      tools: [tool],
    })
    const events = await collect(rig.deps)
    expect(stand?.asked).toMatchObject([
      {
        path: '/a',
        version: 1,
        on: 'pre_acting',
        agent: { name: 'tester' },
        runId: 'run_1',
        threadId: 'thread_1',
        step: 1,
        call: { id: 'call_1_1', tool: 'send', args: { to: 'ann' } },
      },
      { path: '/b', call: { args: { to: 'bob' } } },
    ])
    expect(called(events)).toMatchObject([
      { node: 'policies/0', callId: 'call_1_1', decision: 'continue', changed: { args: { to: 'bob' } } },
      { node: 'policies/1', decision: 'continue' },
    ])
    expect(of(events, 'call.started')).toMatchObject([{ args: { to: 'bob' } }])
    const result = of(events, 'call.finished')[0]?.result.text
    expect(result).toBe(
      'A hook changed the arguments of this call before it ran, to {"to":"bob"}\n\nsent {"to":"bob"}',
    )
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
  })

  test.each(['', '{}', '{"decision":"continue"}'])('changes nothing by %j', async (answer) => {
    const rig = await stage({
      hooks: [{}],
      answer: () => answer,
      play: [asks('ann'), text('ok')],
      tools: [send()],
    })
    const events = await collect(rig.deps)
    expect(called(events)).toMatchObject([{ decision: 'continue' }])
    expect(called(events)[0]).not.toHaveProperty('changed')
    expect(of(events, 'call.finished')[0]?.result.text).toBe('sent {"to":"ann"}')
  })

  test('denies, as a policy does', async () => {
    const tool = send()
    const rig = await stage({
      hooks: [{}, { path: '/never' }],
      answer: () => ({ decision: 'deny', reason: 'not on Sundays.' }),
      play: [asks('ann'), text('ok')],
      tools: [tool],
    })
    const events = await collect(rig.deps)
    expect(of(events, 'policy.ruled')).toMatchObject([
      { policy: 'hook', node: 'policies/0', verdict: 'deny', reason: 'not on Sundays', callId: 'call_1_1' },
    ])
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'denied', result: { text: 'Error: send is not permitted: not on Sundays.' } },
    ])
    expect(tool.ran).toEqual([])
    expect(stand?.asked).toHaveLength(1)
  })

  test('changes arguments that are then validated and ruled on again', async () => {
    const tool = send()
    const misfit = await stage({
      hooks: [{}],
      answer: (_, index) => (index === 0 ? { args: { to: 5 } } : { args: { to: 'evil' } }),
      play: [asks('ann'), asks('ann'), text('ok')],
      tools: [tool],
      more: [{ use: 'arguments', schema: { properties: { to: { not: { const: 'evil' } } } } }],
    })
    const events = await collect(misfit.deps)
    expect(of(events, 'call.finished').map(({ status, code }) => [status, code])).toEqual([
      ['ok', null],
      ['denied', 'denied'],
    ])
    expect(of(events, 'policy.ruled')).toMatchObject([{ policy: 'arguments', callId: 'call_2_1' }])
    expect(of(events, 'call.started')).toMatchObject([{ args: { to: '5' } }])
  })

  test('is not asked of a call that cannot run', async () => {
    const rig = await stage({
      hooks: [{}],
      answer: () => '',
      play: [calls('ghost', { name: 'send', args: '{"x":' }, 'send'), text('ok')],
      tools: [send()],
    })
    await collect(rig.deps)
    expect(stand?.asked).toEqual([])
  })

  test('has its word before a person, who sees what it left; a person’s own arguments it sees again', async () => {
    const tool = send()
    const decisions = new Decisions()
    const rig = await stage({
      hooks: [{}],
      answer: ({ call }, index) => (index === 0 ? { args: { to: 'bob' } } : { reason: JSON.stringify(call) }),
      play: [asks('ann'), text('ok')],
      tools: [tool],
      more: [{ use: 'approval' }],
      deps: { decisions },
    })
    const state = fresh()
    const first = await collect(rig.deps, { state })
    expect(of(first, 'approval.requested')).toMatchObject([{ args: { to: 'bob' } }])
    decisions.push({ ...yes, args: { to: 'eve' } })
    const rest = await collect(rig.deps, { state, resumed: 'decided' })
    expect(stand?.asked.map(({ call }) => call)).toMatchObject([
      { args: { to: 'ann' } },
      { args: { to: 'eve' } },
    ])
    expect(of(rest, 'call.started')).toMatchObject([{ args: { to: 'eve' } }])
    expect(endOf(rest).status).toBe('completed')
    expect(replay([...first, ...rest])).toEqual(state)
  })

  test('that changes what a person has said yes to has them asked again', async () => {
    const decisions = new Decisions()
    const rig = await stage({
      hooks: [{}],
      answer: (_, index) => (index === 1 ? { args: { to: 'mallory' } } : ''),
      play: [asks('ann'), text('ok')],
      tools: [send()],
      more: [{ use: 'approval' }],
      deps: { decisions },
    })
    const state = fresh()
    await collect(rig.deps, { state })
    decisions.push({ ...yes, args: { to: 'eve' } })
    const again = await collect(rig.deps, { state, resumed: 'decided' })
    expect(of(again, 'approval.requested')).toMatchObject([{ args: { to: 'mallory' } }])
    expect(of(again, 'call.started')).toEqual([])
    decisions.push(yes)
    const rest = await collect(rig.deps, { state, resumed: 'decided' })
    expect(of(rest, 'call.started')).toMatchObject([{ args: { to: 'mallory' } }])
    expect(stand?.asked).toHaveLength(2)
  })
})

const yes: Decided = { callId: 'call_1_1', decision: 'approve', scope: 'call', by: 'person' }

describe('a hook after a call (S4-26)', () => {
  test('puts its words in place of what the model reads; people see what the tool gave', async () => {
    const rig = await stage({
      hooks: [
        { on: 'post_acting', path: '/a' },
        { on: 'post_acting', path: '/b' },
      ],
      answer: ({ path }) => (path === '/a' ? { text: 'first' } : { text: 'second' }),
      play: [asks('ann'), text('ok')],
      tools: [send()],
    })
    const events = await collect(rig.deps)
    expect(stand?.asked).toMatchObject([
      {
        on: 'post_acting',
        call: { id: 'call_1_1', tool: 'send', args: { to: 'ann' } },
        result: { text: 'sent {"to":"ann"}', status: 'ok', code: null },
      },
      { result: { text: 'first' } },
    ])
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'ok', result: { text: 'second', blocks: [{ text: 'sent {"to":"ann"}' }] } },
    ])
    expect(rig.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'second' })
  })

  test('withholds the result by its no', async () => {
    const rig = await stage({
      hooks: [{ on: 'post_acting' }],
      answer: () => ({ decision: 'deny', reason: 'it names people' }),
      play: [asks('ann'), text('ok')],
      tools: [send(() => said('ann lives here'))],
    })
    const events = await collect(rig.deps)
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'denied', result: { text: 'The call ran, but its result is withheld: it names people.' } },
    ])
    expect(of(events, 'policy.ruled')).toMatchObject([{ policy: 'hook', verdict: 'deny' }])
    expect(JSON.stringify(rig.model.requests)).not.toContain('lives here')
  })
})

describe('hooks on thoughts and replies (S4-26)', () => {
  test('notes reach the model: those before the reply in each step, those before a thought in its own', async () => {
    const rig = await stage({
      hooks: [{ on: 'pre_reply' }, { on: 'pre_reasoning' }],
      answer: ({ on, step }) => ({ text: `${on} ${step}` }),
      play: [asks('ann'), text('ok')],
      tools: [send()],
    })
    const state = fresh()
    const events = await collect(rig.deps, { state })
    const told = rig.model.requests.map(({ messages }) =>
      messages.map((each) => ('text' in each ? `${each.role}: ${each.text}` : each.role)),
    )
    expect(told).toEqual([
      ['user: How much?', 'user: pre_reply 0', 'user: pre_reasoning 1'],
      [
        'user: How much?',
        'user: pre_reply 0',
        'assistant',
        'tool: sent {"to":"ann"}',
        'user: pre_reasoning 2',
      ],
    ])
    expect(stand?.asked).toMatchObject([
      { on: 'pre_reply', question: 'How much?' },
      { on: 'pre_reasoning', counts: { messages: 1, tools: 1 }, lastMessage: { text: 'How much?' } },
      { on: 'pre_reasoning', counts: { messages: 3, tools: 1 }, lastMessage: { role: 'tool' } },
    ])
    for (const step of state.steps)
      expect(digest(request(replay(events), rig.deps, step.number)?.body ?? '')).toBe(step.request?.hash)
    expect(JSON.stringify(messagesOf(state))).not.toContain('pre_')
  })

  test('the answer’s parts are shown before calls run, and the last answer may become another', async () => {
    const rig = await stage({
      hooks: [{ on: 'post_reasoning' }, { on: 'post_reply' }, { on: 'post_reply', path: '/last' }],
      answer: ({ on, answer }) => (on === 'post_reply' ? { text: `${answer}!` } : ''),
      play: [asks('ann'), text('ok')],
      tools: [send()],
    })
    const state = fresh()
    const events = await collect(rig.deps, { state })
    expect(stand?.asked).toMatchObject([
      { on: 'post_reasoning', step: 1, parts: [{ type: 'call', name: 'send' }], finishReason: 'calls' },
      { on: 'post_reasoning', step: 2, parts: [{ type: 'text', text: 'ok' }] },
      { on: 'post_reply', answer: 'ok', status: 'completed' },
      { on: 'post_reply', answer: 'ok!' },
    ])
    expect(endOf(events).answer).toBe('ok!!')
    expect(messagesOf(state).at(-1)).toEqual({ role: 'assistant', parts: [{ type: 'text', text: 'ok!!' }] })
    expect(messagesOf(state)).toHaveLength(4)
  })

  test.each(['pre_reply', 'pre_reasoning', 'post_reasoning', 'post_reply'] as const)(
    'a no on %s ends the run, and every call has its result',
    async (on) => {
      const tool = send()
      const rig = await stage({
        hooks: [{ on }],
        answer: () => ({ decision: 'deny', reason: 'enough' }),
        play: [on === 'post_reply' ? text('secret words') : asks('ann'), text('ok')],
        tools: [tool],
      })
      const state = fresh()
      const events = await collect(rig.deps, { state })
      expect(endOf(events)).toMatchObject({
        status: 'failed',
        answer: null,
        error: { code: 'hook_denied', message: 'A hook ended the run: enough.' },
      })
      expect(tool.ran).toEqual([])
      expect(unpaired(messagesOf(state))).toEqual([])
      expect(JSON.stringify(messagesOf(state))).not.toContain('secret words')
    },
  )
})

describe('a hook that fails (S4-26)', () => {
  const failures: [string, Played, RegExp][] = [
    ['a status', { status: 500 }, /status 500/],
    ['a redirect', { status: 302, location: '/elsewhere' }, /sends on to 127/],
    ['no JSON', 'yes please', /no JSON/],
    ['a strange key', { verdict: 'deny' }, /does not fit/],
    ['a strange decision', { decision: 'maybe' }, /does not fit at "decision"/],
    ['a text where none is taken', { text: 'x' }, /takes no "text"/],
    ['too much', `"${'x'.repeat(70_000)}"`, /larger than 65536 bytes/],
    ['nothing in time', 'hang', /within 0.2 s/],
  ]
  test.each(failures)('by %s: the call is denied, or goes on', async (_, answer, why) => {
    for (const onFailure of ['deny', 'continue'] as const) {
      const tool = send()
      const rig = await stage({
        hooks: [{ onFailure, timeoutSeconds: 0.2 }],
        answer: ({ path }) => (path === '/elsewhere' ? '' : answer),
        play: [asks('ann'), text('ok')],
        tools: [tool],
      })
      const events = await collect(rig.deps)
      const isDenied = onFailure === 'deny'
      expect(called(events)).toMatchObject([
        { decision: onFailure, error: expect.stringMatching(why), durationMs: expect.any(Number) },
      ])
      expect(of(events, 'policy.ruled')).toHaveLength(isDenied ? 1 : 0)
      expect(of(events, 'call.finished')).toMatchObject([{ status: isDenied ? 'denied' : 'ok' }])
      expect(tool.ran).toHaveLength(isDenied ? 0 : 1)
      expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
    }
  })

  test.each(['pre_reply', 'pre_reasoning', 'post_reasoning', 'post_reply'] as const)(
    'on %s: the run ends, or goes on',
    async (on) => {
      for (const onFailure of ['deny', 'continue'] as const) {
        const rig = await stage({
          hooks: [{ on, onFailure }],
          answer: () => ({ status: 503 }),
          play: [text('ok')],
        })
        const end = endOf(await collect(rig.deps))
        const error = {
          code: 'hook_failed',
          message: `The hook on ${on} failed: It answered with status 503.`,
        }
        expect(end).toMatchObject(
          onFailure === 'deny'
            ? { status: 'failed', answer: null, error }
            : { status: 'completed', answer: 'ok' },
        )
      }
    },
  )

  test('where there is no way out, nobody to answer, or an address that is refused', async () => {
    const bound = bindPolicies([{ use: 'hook', url: 'http://127.0.0.1:9/' }], policies)
    const bare = createRig({ play: [asks('ann'), text('ok')], tools: [send()], policies: bound })
    expect(called(await collect(bare.deps))[0]?.error).toContain('no way out to hooks')
    stand = await openHook(() => '')
    const deps = { hooks: stand.hooks(null) }
    const private9 = createRig({ play: [asks('ann'), text('ok')], tools: [send()], policies: bound, deps })
    expect(called(await collect(private9.deps))[0]).toMatchObject({ decision: 'deny', error: /./ })
  })
})

describe('stops and crashes around a hook (S4-26)', () => {
  test.each([
    'pre_reply',
    'pre_reasoning',
    'pre_acting',
    'post_acting',
    'post_reasoning',
    'post_reply',
  ] as const)('a cancel ends one on %s at once', async (on) => {
    const controller = new AbortController()
    const tool = send()
    const rig = await stage({
      hooks: [{ on, timeoutSeconds: 10 }],
      answer: () => {
        setImmediate(() => controller.abort('cancel'))
        return 'hang'
      },
      play: [on === 'post_reply' ? text('ok') : asks('ann'), text('ok')],
      tools: [tool],
    })
    const began = performance.now()
    const state = fresh()
    const events = await collect(rig.deps, { state, controller })
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(endOf(events).status).toBe('cancelled')
    expect(called(events)).toEqual([])
    expect(tool.ran).toHaveLength(on === 'post_acting' ? 1 : 0)
    expect(unpaired(messagesOf(state))).toEqual([])
    if (on === 'post_acting')
      expect(of(events, 'call.finished')).toMatchObject([
        { status: 'ok', result: { text: expect.stringContaining('is withheld: the run was stopped') } },
      ])
  })

  test('cut after any event, a run goes on to the same end and asks nothing twice that is on record', async () => {
    const hooks = (['pre_reply', 'pre_reasoning', 'post_reasoning', 'pre_acting', 'post_reply'] as const).map(
      (on) => ({ on }),
    )
    const answers: Partial<Record<string, Played>> = {
      pre_reply: { text: 'be kind' },
      pre_reasoning: { text: 'be brief' },
      pre_acting: { args: { to: 'bob' } },
      post_reply: { text: 'the end' },
    }
    const given = () =>
      stage({
        hooks,
        answer: ({ on }) => answers[String(on)] ?? '',
        play: [asks('ann'), text('ok')],
        tools: [send()],
      })
    const whole = await collect((await given()).deps)
    expect(endOf(whole)).toMatchObject({ status: 'completed', answer: 'the end' })
    for (let count = 1; count < whole.length; count++) {
      const before = replay(whole.slice(0, count))
      const known = called(whole.slice(0, count)).length
      const asked = stand?.asked.length ?? 0
      const rig = await given()
      const rest = await collect(rig.deps, { state: before })
      expect((stand?.asked.length ?? 0) - asked).toBe(called(whole).length - known)
      expect(endOf(rest)).toMatchObject({ status: 'completed', answer: 'the end' })
      const all = [...whole.slice(0, count), ...rest]
      expect(called(all)).toHaveLength(called(whole).length)
      const state = replay(all)
      for (const { request: sent, number } of state.steps)
        expect(digest(request(state, rig.deps, number)?.body ?? '')).toBe(sent?.hash)
      const started = of(all, 'call.started')
      if (started.length > 0) expect(started).toMatchObject([{ args: { to: 'bob' } }])
    }
  })

  test('law 3: the state is the fold of the events, whatever the hooks say', async () => {
    const moment = fc.constantFrom<HookMoment>(
      'pre_reply',
      'pre_reasoning',
      'post_reasoning',
      'pre_acting',
      'post_acting',
      'post_reply',
    )
    const answer = fc.constantFrom<Played>(
      '',
      { decision: 'deny', reason: 'no' },
      { args: { to: 'bob' } },
      { text: 'words' },
      'no JSON',
    )
    const plot = fc.record({
      on: fc.array(moment, { minLength: 1, maxLength: 4 }),
      onFailure: fc.constantFrom('deny', 'continue'),
      answers: fc.array(answer, { minLength: 1, maxLength: 6 }),
    })
    let answers: readonly Played[] = []
    stand = await openHook((_, index) => answers[index % answers.length] ?? '')
    await fc.assert(
      fc.asyncProperty(plot, async (given) => {
        answers = given.answers
        const rig = await stage({
          hooks: given.on.map((on) => ({ on, onFailure: given.onFailure })),
          answer: () => '',
          play: [calls({ name: 'send', args: { to: 'a' } }, { name: 'send', args: { to: 'b' } }), text('ok')],
          tools: [send()],
        })
        const live: RunState = fresh()
        const events = await collect(rig.deps, { state: live })
        endOf(events)
        expect(replay(JSON.parse(JSON.stringify(events)))).toEqual(live)
        expect(unpaired(messagesOf(live))).toEqual([])
        expect(of(events, 'call.finished').length).toBe(live.calls.size)
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})
