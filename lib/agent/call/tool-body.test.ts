import { describe, expect, test } from 'vitest'
import type { Artifact } from '#lib/spec/artifact'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import { retrying } from '../policies.fixture'
import {
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  said,
  type ToolStandIn,
  text,
  unpaired,
} from '../rig.fixture'
import { messagesOf } from '../state/dialogue'

const busy: ToolOutput = { ok: false, message: 'the server is busy', code: 'busy', retryable: true }

describe('a failed call is tried again (S0-28)', () => {
  test('until it ends well: three attempts, one observation', async () => {
    const outputs = [busy, busy, said('here')]
    const look = createTool('look', { run: () => outputs.shift() ?? busy })
    const { deps, clock, model } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [retrying(2, 500)],
    })
    const events = await collect(deps)
    expect(of(events, 'call.started')).toHaveLength(1)
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'ok', attempts: 3, durationMs: 1_500, result: { text: 'here' } },
    ])
    expect(of(events, 'call.progressed').map((event) => event.text)).toEqual([
      'the server is busy\nAttempt 2 of 3 starts in 0.5 s.\n',
      'the server is busy\nAttempt 3 of 3 starts in 1 s.\n',
    ])
    expect(clock.monotonic()).toBe(1_500)
    expect(model.requests[1]?.messages.filter((each) => each.role === 'tool')).toHaveLength(1)
  })

  test('as often as its policies say together, in order, and then told as it failed', async () => {
    const look = createTool('look', { run: () => busy })
    const { deps, clock } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [retrying(2, 100), retrying(1, 1_000)],
    })
    const events = await collect(deps)
    expect(clock.monotonic()).toBe(100 + 200 + 1_000)
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'error', code: 'busy', attempts: 4, result: { text: 'Error: the server is busy' } },
    ])
  })

  const once: [string, ToolOutput | (() => never), 'read' | 'effect'][] = [
    ['has an effect', busy, 'effect'],
    ['says nothing of a later try', { ok: false, message: 'no' }, 'read'],
    [
      'throws',
      () => {
        throw new Error('bug')
      },
      'read',
    ],
  ]
  test.each(once)('never when it %s', async (_, output, effect) => {
    const look = createTool('look', { effect, run: () => (typeof output === 'function' ? output() : output) })
    const { deps } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [retrying(5, 1)],
    })
    const events = await collect(deps)
    expect(look.ran).toHaveLength(1)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'error', attempts: 1 }])
  })

  test('after its time limit as well, each try with the whole of it (E-43)', async () => {
    const aborted: unknown[] = []
    const look: ToolStandIn = createTool('look', {
      timeoutSeconds: 2,
      effect: 'idempotent',
      run: (_, { signal }) => {
        if (look.ran.length === 2) return said('quick now')
        return new Promise<ToolOutput>(() =>
          signal.addEventListener('abort', () => aborted.push(signal.reason)),
        )
      },
    })
    const { deps, clock } = createRig({
      play: [calls('look'), text('ok')],
      tools: [look],
      policies: [retrying(1, 500)],
    })
    const events = await collect(deps)
    expect(aborted).toEqual(['timeout'])
    expect(clock.monotonic()).toBe(2_500)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'ok', attempts: 2 }])
  })

  test('not when the run is cancelled in the wait', async () => {
    const look = createTool('look', { run: () => busy })
    const { deps, clock } = createRig({
      play: [calls('look')],
      tools: [look],
      policies: [retrying(3, 60_000)],
    })
    const events = await collect(deps, {
      on: (event, controller) => event.type === 'call.progressed' && controller.abort('cancel'),
    })
    expect(look.ran).toHaveLength(1)
    expect(clock.monotonic()).toBeLessThan(1_000)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'interrupted' }])
    expect(endOf(events).status).toBe('cancelled')
  })
})

describe('what a body has shown is kept', () => {
  /** Shows two chunks, then waits for its abort and obeys. */
  const showing = (then: (context: ToolContext) => Promise<ToolOutput>) =>
    createTool('show', {
      run: async (_, context) => {
        context.progress('one ')
        context.progress('two')
        return then(context)
      },
    })
  const untilAborted = ({ signal }: ToolContext) =>
    new Promise<ToolOutput>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  test('when the run is cancelled: the chunks, then a note (S4-31, S4-30)', async () => {
    const show = showing(untilAborted)
    const { deps } = createRig({ play: [calls('show', 'show')], tools: [show] })
    const events = await collect(deps, {
      on: (event, controller) => event.type === 'call.progressed' && controller.abort('cancel'),
    })
    const [finished] = of(events, 'call.finished')
    expect(finished).toMatchObject({
      status: 'interrupted',
      result: { blocks: [{ text: 'one two' }, { text: expect.stringContaining('interrupted') }] },
    })
    expect(finished?.result.text).toMatch(
      /^one two\nError: This call was interrupted, since the run was cancelled/,
    )
    const messages = messagesOf(replay(events))
    expect(unpaired(messages)).toEqual([])
    const { deps: next, model } = createRig({ play: [text('go on')], tools: [show] })
    expect(endOf(await collect(next, { state: fresh({ history: messages }) })).status).toBe('completed')
    expect(unpaired(model.requests[0]?.messages ?? [])).toEqual([])
  })

  test('when it throws after two chunks (E-41)', async () => {
    const show = showing(async () => {
      throw new Error('broken pipe')
    })
    const { deps, model } = createRig({ play: [calls('show'), text('ok')], tools: [show] })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'error', code: 'tool_failed' }])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: 'one two\nError: Tool show Error. broken pipe',
      isError: true,
    })
  })

  test('when its time is over (E-43, S1-30)', async () => {
    const { deps, model } = createRig({ play: [calls('show'), text('ok')], tools: [showing(untilAborted)] })
    await collect(deps)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: 'one two\nError: show was stopped after 30 seconds, its time limit.',
    })
  })

  test('but not beside a result or a refusal of its own', async () => {
    const { deps, model } = createRig({
      play: [calls('show'), text('ok')],
      tools: [showing(async () => ({ ok: false, message: 'no' }))],
    })
    await collect(deps)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: 'Error: no' })
  })

  test('a body hears of a cancel at once (S4-40)', async () => {
    let heardAt = -1
    let rig: ReturnType<typeof createRig>
    const show = showing((context) => {
      context.signal.addEventListener('abort', () => {
        heardAt = rig.clock.monotonic()
      })
      return untilAborted(context)
    })
    rig = createRig({ play: [calls('show')], tools: [show] })
    let cancelledAt = 0
    await collect(rig.deps, {
      on: (event, controller) => {
        if (event.type !== 'call.progressed') return
        cancelledAt = rig.clock.monotonic()
        controller.abort('cancel')
      },
    })
    expect(heardAt - cancelledAt).toBeGreaterThanOrEqual(0)
    expect(heardAt - cancelledAt).toBeLessThan(100)
  })
})

test('the files that a call has made are reported before the call ends, without secrets in what is said of them', async () => {
  const artifact: Artifact = { id: 'art_1', name: 'a.csv', path: 'a.csv', mediaType: 'text/csv', bytes: 3 }
  let late: (() => void) | undefined
  const write = createTool('write', {
    run: async (_, { created }) => {
      created({ ...artifact, description: 'by sk-secret' })
      late = () => created(artifact)
      return said('written')
    },
  })
  const redact = (value: string) => value.replaceAll('sk-secret', '[secret]')
  const { deps } = createRig({ play: [calls('write'), text('ok')], tools: [write], deps: { redact } })
  const state = fresh()
  const events = await collect(deps, { state, on: ({ type }) => type === 'call.finished' && late?.() })
  const types = events.map((event) => event.type)
  expect(types.indexOf('artifact.created')).toBe(types.indexOf('call.finished') - 1)
  const told = { ...artifact, description: 'by [secret]' }
  expect(of(events, 'artifact.created')).toMatchObject([{ callId: 'call_1_1', artifact: told }])
  expect(state.artifacts).toEqual([told])
  expect(state.calls.get('call_1_1')?.created).toEqual([told])
})

test('known secrets stand in no observation, progress or error, and neither does a stack (E-47, S3-22)', async () => {
  const outputs: (() => ToolOutput)[] = [
    () => said('key sk-secret'),
    () => ({ ok: true, blocks: [{ type: 'json', value: { 'sk-secret': [{ a: 'is sk-secret' }] } }] }),
    () => ({ ok: true, blocks: [{ type: 'table', columns: ['sk-secret'], rows: [['sk-secret', 1]] }] }),
    () => ({ ok: false, message: 'refused sk-secret' }),
    () => {
      throw new Error('sk-secret is wrong')
    },
  ]
  const look = createTool('look', {
    run: (_, { progress }) => {
      progress('sending sk-secret')
      progress([{ type: 'text', text: 'sent sk-secret' }])
      return outputs.shift()?.() ?? said('')
    },
  })
  const { deps, model } = createRig({
    play: [calls('look', 'look', 'look', 'look', 'look'), text('ok')],
    tools: [look],
    deps: { redact: (value) => value.replaceAll('sk-secret', '[secret]') },
  })
  const events = await collect(deps)
  const all = JSON.stringify([events, model.requests])
  expect(all).not.toContain('sk-secret')
  expect(all).not.toMatch(/\.ts:\d+|at async|at look/)
  expect(of(events, 'call.finished').map((event) => event.result.text)).toEqual([
    'key [secret]',
    '{"[secret]":[{"a":"is [secret]"}]}',
    '| [secret] |\n| --- |\n| [secret] | 1 |',
    'Error: refused [secret]',
    'sent [secret]\nError: Tool look Error. [secret] is wrong',
  ])
})

test('arguments run in the form the tool wants, and that form is on record (S0-29)', async () => {
  const seen: unknown[] = []
  const look = createTool('look', {
    parameters: { type: 'object', properties: { n: { type: 'integer' }, tags: { type: 'array' } } },
    run: (args) => {
      seen.push(args)
      return said('')
    },
  })
  const play = [calls({ name: 'look', args: JSON.stringify('{"n": "3", "tags": "[1]"}') }), text('ok')]
  const { deps } = createRig({ play, tools: [look] })
  const events = await collect(deps)
  expect(seen).toEqual([{ n: 3, tags: [1] }])
  expect(of(events, 'call.started')).toMatchObject([{ args: { n: 3, tags: [1] } }])
  expect(of(events, 'model.answered')[0]?.parts).toMatchObject([{ args: { n: '3', tags: '[1]' } }])
})

test('each of unknown, unfit, slow, quick and throwing has its one observation, and the run goes on (S0-21, S0-22, S0-30, S1-31, S4-28)', async () => {
  let rig: ReturnType<typeof createRig>
  const tools = [
    createTool('strict', { parameters: { type: 'object', required: ['n'] } }),
    createTool('slow', {
      async run(_, { signal }) {
        await rig.clock.sleep(20, signal)
        return said('slept')
      },
    }),
    createTool('quick'),
    createTool('throws', {
      run: () => {
        throw new Error('oh no')
      },
    }),
  ]
  rig = createRig({ play: [calls('ghost', 'strict', 'slow', 'quick', 'throws'), text('ok')], tools })
  const events = await collect(rig.deps)
  const finished = of(events, 'call.finished')
  expect(of(events, 'call.started').map(({ callId, name, args }) => [callId, name, args])).toEqual([
    ['call_1_3', 'slow', {}],
    ['call_1_4', 'quick', {}],
    ['call_1_5', 'throws', {}],
  ])
  expect(
    finished.map(({ name, status, durationMs, attempts }) => [name, status, durationMs, attempts]),
  ).toEqual([
    ['ghost', 'error', 0, 0],
    ['strict', 'error', 0, 0],
    ['slow', 'ok', 20, 1],
    ['quick', 'ok', 0, 1],
    ['throws', 'error', 0, 1],
  ])
  const results = rig.model.requests[1]?.messages.filter((each) => each.role === 'tool') ?? []
  expect(results.map(({ callId, text, isError }) => [callId, isError, text])).toEqual([
    ['call_1_1', true, 'Error: There is no tool named "ghost". Tools offered: slow, throws, strict, quick.'],
    ['call_1_2', true, 'Error: The arguments do not fit strict: n: is missing, expected a value.'],
    ['call_1_3', false, 'slept'],
    ['call_1_4', false, 'done'],
    ['call_1_5', true, 'Error: Tool throws Error. oh no'],
  ])
  expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
})

test('two calls of a second each take two one by one, and one side by side, in call order either way (S0-19, S3-21)', async () => {
  for (const [strategy, ms] of [
    ['sequential', 2_000],
    ['parallel', 1_000],
  ] as const) {
    let rig: ReturnType<typeof createRig>
    const wait = createTool('wait', {
      async run({ n }, { signal }) {
        await rig.clock.sleep(n === 1 ? 1_000 : 999, signal)
        return said(`done ${String(n)}`)
      },
    })
    const play = [calls({ name: 'wait', args: { n: 1 } }, { name: 'wait', args: { n: 2 } }), text('ok')]
    rig = createRig({ play, tools: [wait], policies: [limiting({ strategy })] })
    await collect(rig.deps)
    expect(Math.abs(rig.clock.monotonic() - ms)).toBeLessThanOrEqual(1)
    const results = rig.model.requests[1]?.messages.filter((each) => each.role === 'tool') ?? []
    expect(results.map((each) => each.text)).toEqual(['done 1', 'done 2'])
  }
})

test('an answer in one piece and the same in single characters ask for the same calls (S0-18, L10)', async () => {
  const raw = '{"a":1,"limit":10}'
  const runs = await Promise.all(
    [[raw], [...raw]].map(async (pieces) => {
      const look = createTool('look', { run: (args) => said(JSON.stringify(args)) })
      const { deps } = createRig({
        play: [
          [
            { type: 'call.start', index: 0, name: 'look' },
            ...pieces.map((piece) => ({ type: 'call.args' as const, index: 0, text: piece })),
            { type: 'call.end', index: 0 },
            { type: 'finish', reason: 'calls', usage: { input: 1, output: 1 } },
          ],
          text('ok'),
        ],
        tools: [look],
      })
      const events = await collect(deps)
      expect(
        of(events, 'call.delta')
          .map((event) => event.argsText)
          .join(''),
      ).toBe(raw)
      return of(events, 'call.finished').map((event) => event.result.text)
    }),
  )
  expect(runs).toEqual([[raw], [raw]])
})

test('the question names the files given with it (S0-20)', async () => {
  const file: Artifact = {
    id: 'art_1',
    name: 'sales.csv',
    path: 'sales.csv',
    mediaType: 'text/csv',
    bytes: 12,
  }
  const { deps, model } = createRig({ play: [text('ok')] })
  await collect(deps, { state: fresh({ files: [file] }) })
  expect(model.requests[0]?.messages).toMatchObject([
    { role: 'user', text: expect.stringContaining('sales.csv (text/csv, 12 bytes)') },
  ])
})
