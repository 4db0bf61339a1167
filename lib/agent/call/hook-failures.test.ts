import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { openHook, type Played } from '#lib/server/ports/hooks.fixture'
import type { HookMoment } from '#lib/spec/hook'
import type { RunState } from '#lib/spec/state'
import { request } from '../request/rerequest'
import { calls, collect, createRig, digest, endOf, fresh, of, replay, text, unpaired } from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { asks, called, closeAfterEach, program, send, stage } from './hooks.fixture'

closeAfterEach()

describe('a hook that fails (S4-26)', () => {
  const failures: [string, Played, RegExp][] = [
    ['a status', { status: 500 }, /status 500/],
    ['a redirect', { status: 302, location: '/elsewhere' }, /redirects to 127/],
    ['no JSON', 'yes please', /not valid JSON/],
    ['a strange key', { verdict: 'deny' }, /is invalid/],
    ['a strange decision', { decision: 'maybe' }, /is invalid at "decision"/],
    ['a text where none is taken', { text: 'x' }, /"text" is not allowed/],
    ['too much', `"${'x'.repeat(70_000)}"`, /larger than 65536 bytes/],
    ['nothing in time', 'hang', /within 0.2 s/],
  ]
  test.each(failures)('by %s: the call is denied, or goes on', async (_, answer, why) => {
    for (const onFailure of ['deny', 'continue'] as const) {
      const tool = send()
      const rig = await stage({
        hooks: [{ onFailure, timeoutSeconds: answer === 'hang' ? 0.2 : 5 }],
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
    expect(called(await collect(bare.deps))[0]?.error).toContain('cannot send requests to hooks')
    program.stand = await openHook(() => '')
    const deps = { hooks: program.stand.hooks(null) }
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
    expect(performance.now() - began).toBeLessThan(8_000)
    expect(endOf(events).status).toBe('cancelled')
    expect(called(events)).toEqual([])
    expect(tool.ran).toHaveLength(on === 'post_acting' ? 1 : 0)
    expect(unpaired(messagesOf(state))).toEqual([])
    if (on === 'post_acting')
      expect(of(events, 'call.finished')).toMatchObject([
        {
          status: 'error',
          code: 'withheld',
          result: { text: expect.stringContaining('is withheld: the run was stopped') },
        },
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
      const asked = program.stand?.asked.length ?? 0
      const rig = await given()
      const rest = await collect(rig.deps, { state: before })
      expect((program.stand?.asked.length ?? 0) - asked).toBe(called(whole).length - known)
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
    program.stand = await openHook((_, index) => answers[index % answers.length] ?? '')
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
