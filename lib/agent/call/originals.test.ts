import { describe, expect, test } from 'vitest'
import { createRedact } from '#lib/server/secrets/redact'
import type { HookPort } from '#lib/spec/hook'
import type { JsonObject } from '#lib/spec/json'
import { callsOf } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  endOf,
  fresh,
  of,
  replay,
  said,
  text,
} from '../rig.fixture'
import { Decisions } from './decisions'
import { createOriginals } from './originals'

const secret = 'sk-live-4711-"x"/y'
const other = 'another-known-value'
const redact = createRedact(() => [[secret, other]])

/** A tool that records what its body gets. */
function recording(given: Parameters<typeof createTool>[1] = {}) {
  const got: JsonObject[] = []
  const tool = createTool('send', {
    effect: 'effect',
    run: (args) => {
      got.push(args)
      return said('sent')
    },
    ...given,
  })
  return { tool, got }
}

const asking = (args: JsonObject | string, more: Parameters<typeof createRig>[0]['deps'] = {}) => {
  const { tool, got } = recording()
  const rig = createRig({
    play: [calls({ name: 'send', args }), text('ok')],
    tools: [tool],
    deps: { redact, ...more },
  })
  return { ...rig, got }
}

describe('a secret in the arguments of a call (S0-30, S3-22)', () => {
  test.each<[string, JsonObject | string, JsonObject]>([
    ['a text', { key: secret }, { key: '[secret]' }],
    ['a part of a text', { header: `Bearer ${secret}!` }, { header: 'Bearer [secret]!' }],
    ['deep inside', { a: [{ b: [other, 1] }] }, { a: [{ b: ['[secret]', 1] }] }],
    ['a key', { [other]: 1 }, { '[secret]': 1 }],
    ['base64', { auth: btoa(`user:${secret}`) }, { auth: expect.stringContaining('[secret]') }],
    ['a URL', { url: `/?key=${encodeURIComponent(secret)}` }, { url: '/?key=[secret]' }],
    ['escapes that JSON does not need', `{"key":"\\u0061nother-known\\u002dvalue"}`, { key: '[secret]' }],
    ['JSON text inside JSON text', JSON.stringify(JSON.stringify({ key: secret })), { key: '[secret]' }],
  ])('reaches the body alone: %s', async (_, args, shown) => {
    const { deps, got, model } = asking(args)
    const events = await collect(deps)
    expect(endOf(events).status).toBe('completed')
    expect(of(events, 'call.started')[0]?.args).toEqual(shown)
    const [part] = callsOf(of(events, 'model.answered')[0]?.parts ?? [])
    expect(part).toMatchObject({ args: shown, redacted: true })
    const sent = typeof args === 'string' ? JSON.parse(args) : args
    expect(got).toEqual([typeof sent === 'string' ? JSON.parse(sent) : sent])
    const stored = JSON.stringify([events, model.requests])
    for (const word of ['4711', 'nother-known', btoa(secret).slice(4, 12)]) expect(stored).not.toContain(word)
  })

  test('that is a number reaches the body as a number', async () => {
    const { deps, got } = asking({ pin: 12345678, n: 7 }, { redact: createRedact(() => [['12345678']]) })
    const events = await collect(deps)
    expect(got).toEqual([{ pin: 12345678, n: 7 }])
    expect(of(events, 'call.started')[0]?.args).toEqual({ pin: '[secret]', n: 7 })
  })

  test('that is JSON itself is hidden as a whole value', async () => {
    const key = JSON.stringify({ type: 'service', token: 'abc' })
    const { deps, got } = asking(
      { key: { type: 'service', token: 'abc' } },
      { redact: createRedact(() => [[key]]) },
    )
    const events = await collect(deps)
    expect(got).toEqual([{ key: { type: 'service', token: 'abc' } }])
    expect(of(events, 'call.started')[0]?.args).toEqual({ key: '[secret]' })
  })

  test('a placeholder that the model writes is only these letters, alone and beside a secret', async () => {
    const plain = asking({ key: '[secret]' })
    const events = await collect(plain.deps)
    expect(plain.got).toEqual([{ key: '[secret]' }])
    expect(callsOf(of(events, 'model.answered')[0]?.parts ?? [])[0]).not.toHaveProperty('redacted')
    const beside = asking({ a: '[secret]', b: secret })
    await collect(beside.deps)
    expect(beside.got).toEqual([{ a: '[secret]', b: secret }])
  })

  test('the schema is asked about the secret, not about the placeholder', async () => {
    const parameters = {
      type: 'object',
      properties: { key: { type: 'string', pattern: '^another-' } },
    } as const
    const { tool, got } = recording({ parameters: { ...parameters } })
    const { deps } = createRig({
      play: [
        calls({ name: 'send', args: { key: other } }, { name: 'send', args: { key: secret } }),
        text('ok'),
      ],
      tools: [tool],
      deps: { redact },
    })
    const events = await collect(deps)
    expect(got).toEqual([{ key: other }])
    expect(of(events, 'call.finished').map(({ status }) => status)).toEqual(['ok', 'error'])
    expect(JSON.stringify(events)).not.toContain('4711')
  })

  test.each([
    ['that break off in it', `{"key":"${other.slice(0, 12)}`],
    ['that are no JSON around it', `{"key": ${other} }`],
    ['that quote it in what is wrong', `{"a":1} ${other}`],
  ])('is in nothing that is stored of arguments %s', async (_, raw) => {
    const { deps, model } = asking(raw)
    const stored = JSON.stringify([await collect(deps), model.requests])
    expect(stored).toContain('args_json')
    expect(stored).not.toContain('another-k')
  })

  test('is not shown while the arguments stream, however they are cut', async () => {
    const raw = JSON.stringify({ a: 'first', key: secret, z: 'last words' })
    for (let size = 1; size < raw.length; size++) {
      const pieces = raw.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      const { deps } = createRig({
        play: [
          [
            { type: 'call.start', index: 0, name: 'send' },
            ...pieces.flatMap((piece) => [
              { type: 'call.args', index: 0, text: piece } as const,
              { waitMs: 50 },
            ]),
            { type: 'call.end', index: 0 },
            { type: 'finish', reason: 'calls', usage: { input: 1, output: 1 } },
          ],
          text('ok'),
        ],
        tools: [recording().tool],
        deps: { redact },
      })
      const told = of(await collect(deps), 'call.delta').map(({ argsText }) => argsText)
      expect(told.join('')).toBe('{"a":"first","key":"[secret]","z":"last words"}')
    }
  })

  test('with a secret of another call is never answered from memory', async () => {
    const { tool, got } = recording({ effect: 'read', cache: true })
    const { deps } = createRig({
      play: [
        calls({ name: 'send', args: { key: secret } }),
        calls({ name: 'send', args: { key: other } }),
        calls({ name: 'send', args: { key: '[secret]' } }),
        text('ok'),
      ],
      tools: [tool],
      deps: { redact },
    })
    await collect(deps)
    expect(got).toEqual([{ key: secret }, { key: other }, { key: '[secret]' }])
  })
})

describe('a call with a secret after the server stopped (S0-30)', () => {
  async function stoppedAt(type: 'call.started' | 'model.answered', effect: 'read' | 'effect') {
    const originals = createOriginals()
    const { tool } = recording({ effect, run: () => new Promise(() => {}) })
    const play = [calls({ name: 'send', args: { key: secret } }), text('ok')]
    const rig = createRig({ play, tools: [tool], deps: { redact, originals } })
    const events = await collect(rig.deps, {
      on: (event, controller) => event.type === type && controller.abort('drain'),
    })
    const again = recording({ effect })
    const rest = (deps: object) => createRig({ play, tools: [again.tool], deps: { redact, ...deps } })
    const state = (): RunState => replay(events)
    return { state, rest, got: again.got, originals, first: rig.model.requests }
  }

  test.each([
    ['due', 'model.answered', 'effect'],
    ['at work and may run again', 'call.started', 'read'],
  ] as const)(
    'gets its original when it was %s, and the next request has the bytes of a run without a stop',
    async (_, at, effect) => {
      const { state, rest, got, originals } = await stoppedAt(at, effect)
      const { deps, model } = rest({ originals })
      const events = await collect(deps, { state: state() })
      expect(endOf(events).status).toBe('completed')
      expect(got).toEqual([{ key: secret }])
      const whole = asking({ key: secret })
      await collect(whole.deps)
      expect(model.requests.at(-1)?.body).toBe(whole.model.requests.at(-1)?.body)
    },
  )

  test.each([
    ['due', 'model.answered', 'effect'],
    ['at work and may run again', 'call.started', 'read'],
  ] as const)('does not run with a placeholder when its original is lost: %s', async (_, at, effect) => {
    const { state, rest, got } = await stoppedAt(at, effect)
    const { deps } = rest({ originals: createOriginals() })
    const events = await collect(deps, { state: state() })
    expect(got).toEqual([])
    const [finished] = of(events, 'call.finished')
    expect(finished).toMatchObject({ status: 'error', code: 'secret_lost' })
    expect(finished?.result.text).toContain('is no longer kept')
  })
})

describe('people and hooks (S0-30)', () => {
  const asks = createPolicy('approval', 'policies/0', {
    stages: ['approval'],
    rule: () => ({ verdict: 'confirm', reason: 'each call' }),
  })

  async function decided(args: JsonObject, becomes: JsonObject) {
    const { tool, got } = recording()
    const decisions = new Decisions()
    const { deps } = createRig({
      play: [calls({ name: 'send', args }), text('ok')],
      tools: [tool],
      policies: [asks],
      deps: { redact, decisions, originals: createOriginals() },
    })
    const state = fresh()
    const events = await collect(deps, { state })
    decisions.push({ callId: 'call_1_1', decision: 'approve', scope: 'call', by: 'person', args: becomes })
    events.push(...(await collect(deps, { state, resumed: 'decided' })))
    return { events, got }
  }

  test('a person sees placeholders; what they leave is sent as it was, what they write as they wrote it', async () => {
    const { events, got } = await decided(
      { to: 'a', key: secret, all: [{ key: other }, { key: 'x' }] },
      { to: '[secret]', key: '[secret]', all: [{ key: '[secret]' }, { key: 'y' }], more: '[secret]' },
    )
    expect(of(events, 'approval.requested')[0]?.args).toEqual({
      to: 'a',
      key: '[secret]',
      all: [{ key: '[secret]' }, { key: 'x' }],
    })
    expect(got).toEqual([
      { to: '[secret]', key: secret, all: [{ key: other }, { key: 'y' }], more: '[secret]' },
    ])
    expect(of(events, 'approval.decided')[0]).toMatchObject({ redacted: true })
    expect(JSON.stringify(events)).not.toMatch(/4711|another-known/)
  })

  test('a secret that a person writes is kept out of the events as well', async () => {
    const { events, got } = await decided({ key: 'none' }, { key: other })
    expect(got).toEqual([{ key: other }])
    expect(of(events, 'approval.decided')[0]).toMatchObject({ args: { key: '[secret]' }, redacted: true })
  })

  test('of a list with more or fewer items no item counts as left as it was', async () => {
    const { got } = await decided({ keys: [secret, other] }, { keys: ['[secret]'] })
    expect(got).toEqual([{ keys: ['[secret]'] }])
  })

  test('a hook sees placeholders, and what it leaves is sent as it was', async () => {
    const seen: string[] = []
    const hooks: HookPort = {
      runId: 'run_1',
      call: async ({ body }) => {
        seen.push(body)
        const { call } = JSON.parse(body)
        return { ok: true, text: JSON.stringify({ args: { ...call.args, by: 'hook', own: other } }) }
      },
    }
    const hook = {
      on: 'pre_acting',
      url: 'http://hook',
      headers: {},
      timeoutSeconds: 5,
      onFailure: 'deny',
    } as const
    const { tool, got } = recording()
    const { deps } = createRig({
      play: [calls({ name: 'send', args: { key: secret } }), text('ok')],
      tools: [tool],
      policies: [{ ...createPolicy('hook', 'policies/1', {}), hook }],
      deps: { redact, hooks },
    })
    const events = await collect(deps)
    expect(got).toEqual([{ key: secret, by: 'hook', own: other }])
    expect(of(events, 'hook.called')[0]?.changed).toEqual({
      args: { key: '[secret]', by: 'hook', own: '[secret]' },
      redacted: true,
    })
    expect(JSON.stringify([events, seen])).not.toMatch(/4711|another-known/)
  })
})
