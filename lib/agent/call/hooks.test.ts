import { describe, expect, test } from 'vitest'
import { closedPorts } from '#lib/spec/ports.fixture'
import { request } from '../request/rerequest'
import {
  calls,
  collect,
  createTool,
  digest,
  endOf,
  fresh,
  of,
  replay,
  said,
  text,
  unpaired,
} from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { type Decided, Decisions } from './decisions'
import { asks, called, closeAfterEach, program, send, stage } from './hooks.fixture'

closeAfterEach()

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
    expect(program.stand?.asked).toMatchObject([
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
    expect(program.stand?.asked).toHaveLength(1)
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
    expect(program.stand?.asked).toEqual([])
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
    expect(program.stand?.asked.map(({ call }) => call)).toMatchObject([
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
    expect(program.stand?.asked).toHaveLength(2)
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
    expect(program.stand?.asked).toMatchObject([
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
      {
        status: 'error',
        code: 'withheld',
        attempts: 1,
        result: { text: 'The call ran, but its result is withheld: it names people.' },
      },
    ])
    expect(of(events, 'policy.ruled')).toMatchObject([{ policy: 'hook', verdict: 'deny' }])
    expect(JSON.stringify(rig.model.requests)).not.toContain('lives here')
  })

  test('withholds an answer that would end the run, and the artifact it is kept in, by its no', async () => {
    const kept = { id: 'art_1', name: 'a.txt', path: 'a.txt', mediaType: 'text/plain', bytes: 1 }
    const rig = await stage({
      hooks: [{ on: 'post_acting' }],
      answer: () => ({ decision: 'deny' }),
      play: [calls('finish'), text('so')],
      tools: [createTool('finish', { ends: true, run: () => said('secret '.repeat(50_000)) })],
      deps: { ports: { ...closedPorts, artifacts: { ...closedPorts.artifacts, keep: async () => kept } } },
    })
    const events = await collect(rig.deps)
    const [result] = of(events, 'call.finished')
    expect(result).toMatchObject({ status: 'error', code: 'withheld' })
    expect(result).not.toHaveProperty('final')
    expect(result).not.toHaveProperty('artifact')
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'so' })
  })

  test('is heard to its end when the server stops meanwhile, since the call could not run again', async () => {
    const controller = new AbortController()
    const rig = await stage({
      hooks: [{ on: 'post_acting' }],
      answer: () => {
        controller.abort('drain')
        return { text: 'seen' }
      },
      play: [asks('ann'), text('ok')],
      tools: [send()],
    })
    const events = await collect(rig.deps, { controller })
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'ok', result: { text: 'seen' } }])
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
    expect(program.stand?.asked).toMatchObject([
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
    expect(program.stand?.asked).toMatchObject([
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
