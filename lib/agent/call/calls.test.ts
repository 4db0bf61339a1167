import { describe, expect, test } from 'vitest'
import { runEvent } from '#lib/spec/event'
import type { ToolOutput } from '#lib/spec/tool'
import {
  calls,
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  endOf,
  fresh,
  limiting,
  of,
  said,
  text,
  typesOf,
} from '../rig.fixture'

const parallel = limiting({ strategy: 'parallel', concurrency: 2 })

/** A tool that takes `ms` milliseconds, and records how many of its bodies were at work at once. */
function slow(rig: () => ReturnType<typeof createRig>) {
  let now = 0
  const seen = { most: 0 }
  const tool = createTool('slow', {
    async run({ ms }, { signal }) {
      now += 1
      seen.most = Math.max(seen.most, now)
      await rig().clock.sleep(Number(ms), signal)
      now -= 1
      return said(`after ${String(ms)}`)
    },
  })
  return { tool, seen }
}

describe('calls', () => {
  test('in parallel keep to the width, and reach the model in call order (S1-22, S4-21)', async () => {
    let rig: ReturnType<typeof createRig>
    const { tool, seen } = slow(() => rig)
    const play = [calls(...[90, 10, 50, 20].map((ms) => ({ name: 'slow', args: { ms } }))), text('ok')]
    rig = createRig({ play, tools: [tool], policies: [parallel] })
    const events = await collect(rig.deps)
    expect(seen.most).toBe(2)
    expect(of(events, 'call.finished').map((event) => event.callId)).toEqual([
      'call_1_2',
      'call_1_3',
      'call_1_4',
      'call_1_1',
    ])
    expect(of(events, 'step.finished')[0]?.durationMs).toBe(90)
    const results = rig.model.requests[1]?.messages.filter((each) => each.role === 'tool')
    expect(results?.map((each) => each.text)).toEqual(['after 90', 'after 10', 'after 50', 'after 20'])
  })

  test('in sequence run one after the other in call order', async () => {
    let rig: ReturnType<typeof createRig>
    const { tool, seen } = slow(() => rig)
    const play = [calls(...[30, 10].map((ms) => ({ name: 'slow', args: { ms } }))), text('ok')]
    rig = createRig({ play, tools: [tool] })
    const events = await collect(rig.deps)
    expect(seen.most).toBe(1)
    expect(typesOf(events).filter((type) => type.startsWith('call.') && type !== 'call.delta')).toEqual([
      'call.started',
      'call.finished',
      'call.started',
      'call.finished',
    ])
  })

  test('of a batch are all announced and stored before the first body begins', async () => {
    const order: string[] = []
    const tool = createTool('look', {
      run: ({ n }) => {
        order.push(`body ${String(n)}`)
        return said('')
      },
    })
    const play = [calls({ name: 'look', args: { n: 1 } }, { name: 'look', args: { n: 2 } }), text('ok')]
    const committed = async () => void order.push('stored')
    const { deps } = createRig({ play, tools: [tool], policies: [parallel], deps: { committed } })
    await collect(deps, { on: ({ type }) => type === 'call.started' && order.push('announced') })
    expect(order).toEqual(['announced', 'announced', 'stored', 'body 1', 'body 2'])
  })

  test('that take too long are stopped, and the model is told how long they had (E-43)', async () => {
    const aborted: unknown[] = []
    const tool = createTool('slow', {
      timeoutSeconds: 60,
      run: (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.push(signal.reason))
        return new Promise<ToolOutput>(() => {})
      },
    })
    const capped = createPolicy('timeout', 'policies/0', {
      appliesTo: ['slo*'],
      limitTool(limits) {
        limits.timeoutSeconds = Math.min(limits.timeoutSeconds, 2)
      },
    })
    const { deps, model } = createRig({
      play: [calls('slow'), text('ok')],
      tools: [tool],
      policies: [capped],
    })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'timeout', code: 'timeout', durationMs: 2_000 },
    ])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: 'Error: slow was stopped after 2 seconds, its time limit.',
      isError: true,
    })
    expect(aborted).toEqual(['timeout'])
    expect(endOf(events).status).toBe('completed')
  })

  test('of a withheld tool are ruled on again and denied, the body never runs, the run goes on (S3-06, E-22)', async () => {
    const drop = createTool('db.drop', { node: 'tools/1', effect: 'effect' })
    const look = createTool('db.look')
    const { deps, model } = createRig({
      play: [calls('db.drop', 'db.look'), text('ok')],
      tools: [drop, look],
      policies: [denying('db.drop')],
    })
    const events = await collect(deps)
    expect(of(events, 'run.started')[0]?.tools).toEqual({
      offered: [{ name: 'db.look', node: 'tools/0' }],
      withheld: [
        {
          name: 'db.drop',
          entry: 'tools/1',
          policy: 'skills',
          node: 'policies/0',
          reason: 'skills denies db.drop',
        },
      ],
    })
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['db_look'])
    expect(of(events, 'policy.ruled')).toMatchObject([
      { verdict: 'deny', node: 'policies/0', callId: 'call_1_1' },
    ])
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'denied', node: 'tools/1', attempts: 0 },
      { status: 'ok', node: 'tools/0', attempts: 1 },
    ])
    expect(model.requests[1]?.messages.at(-2)).toMatchObject({
      text: expect.stringMatching(/^Error: .*not permitted/),
    })
    expect(drop.ran).toEqual([])
    expect(endOf(events).status).toBe('completed')
  })

  test('of a withheld tool by its name on the wire stand under the name the tool has itself', async () => {
    const drop = createTool('db.drop', { node: 'tools/1', effect: 'effect' })
    const { deps } = createRig({
      play: [calls('db_drop'), text('ok')],
      tools: [drop],
      policies: [denying('db.drop')],
    })
    const events = await collect(deps)
    expect(of(events, 'policy.ruled')).toMatchObject([{ tool: 'db.drop' }])
    expect(of(events, 'call.finished')).toMatchObject([{ name: 'db.drop', status: 'denied' }])
  })

  test('S4-13 E-47 run without what the model sent for a preset argument, and say so in their events', async () => {
    const tool = createTool('look', { preset: ['secret'] })
    const play = [calls({ name: 'look', args: { secret: 'guess', word: 'a' } }), text('ok')]
    const { deps } = createRig({ play, tools: [tool] })
    const events = await collect(deps)
    expect(of(events, 'call.started')).toMatchObject([{ args: { word: 'a' } }])
    expect(of(events, 'call.started')[0]?.args).not.toHaveProperty('secret')
  })

  test('of a tool that a policy denies only when called are denied as well', async () => {
    const late = createPolicy('late', 'policies/4', {
      stages: ['taint'],
      rule: (_, { moment }) => (moment === 'call' ? { verdict: 'deny', reason: 'tainted' } : undefined),
    })
    const tool = createTool('look')
    const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [tool], policies: [late] })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'denied', code: 'denied' }])
    expect(tool.ran).toEqual([])
  })

  test('with a limit on them do not run, and end as skipped', async () => {
    const careful = createPolicy('careful', 'policies/2', {
      appliesTo: ['wr*'],
      stages: ['approval'],
      rule: () => ({ verdict: 'limit', reason: 'it is late' }),
    })
    const tool = createTool('write')
    const { deps } = createRig({ play: [calls('write'), text('ok')], tools: [tool], policies: [careful] })
    const events = await collect(deps)
    expect(of(events, 'policy.ruled')).toMatchObject([
      { verdict: 'limit', policy: 'careful', node: 'policies/2' },
    ])
    expect(of(events, 'call.finished')).toMatchObject([{ status: 'skipped' }])
    expect(tool.ran).toEqual([])
  })

  test('of a tool that does not exist are told which do (E-21, L18, S4-29, S1-21)', async () => {
    const look = createTool('look')
    const { deps, model } = createRig({ play: [calls('Look', ''), text('ok')], tools: [look] })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toMatchObject([
      { status: 'error', code: 'unknown_tool', node: null, name: 'Look' },
      { status: 'error', code: 'invalid_call', node: null, name: '' },
    ])
    expect(model.requests[1]?.messages.at(-2)).toMatchObject({
      text: 'Error: There is no tool named "Look". Tools offered: look.',
    })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: 'Error: Invalid function call format: the call names no tool. Tools offered: look.',
      isError: true,
    })
    expect(look.ran).toEqual([])
  })

  test('whose arguments do not fit are told what to mend, and do not run (L18, S0-29, S0-32)', async () => {
    const parameters = {
      type: 'object',
      properties: { limit: { type: 'integer', minimum: 1 }, table: { type: 'string' } },
      required: ['table'],
      additionalProperties: false,
    }
    const tool = createTool('look', { parameters })
    const play = [
      calls(
        { name: 'look', args: { limit: 'x', other: 1 } },
        { name: 'look', args: '{"table": ' },
        { name: 'look', args: '[1]' },
      ),
      text('ok'),
    ]
    const { deps, model } = createRig({ play, tools: [tool] })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map((event) => event.code)).toEqual([
      'args_schema',
      'args_json',
      'args_schema',
    ])
    expect(tool.ran).toEqual([])
    const told = model.requests[1]?.messages.filter((each) => each.role === 'tool').map((each) => each.text)
    expect(told?.[0]).toBe(
      'Error: The arguments do not fit look: table: is missing, expected string; limit: is a string ("x"), expected integer; other: is not known; known: limit, table.',
    )
    expect(told?.[1]).toMatch(/^Error: The arguments are not valid JSON: /)
    expect(told?.[2]).toMatch(/^Error: The arguments must be one JSON object .* not of type array\.$/)
  })

  test('with no arguments at all run with none, and __proto__ never reaches a body (E-49)', async () => {
    const seen: unknown[] = []
    const tool = createTool('look', {
      run: (args) => {
        seen.push(Object.getOwnPropertyNames(args), 'polluted' in args)
        return said('')
      },
    })
    const play = [
      calls({ name: 'look', args: '' }, { name: 'look', args: '{"__proto__":{"polluted":1},"a":2}' }),
      text('ok'),
    ]
    const { deps, model } = createRig({ play, tools: [tool] })
    const events = await collect(deps)
    expect(seen).toEqual([[], false, ['a'], false])
    expect(of(events, 'call.started').map((event) => event.args)).toEqual([{}, { a: 2 }])
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: '(no output)' })
  })

  test('keep the limit on what the model reads, and the whole of it on record (S1-19)', async () => {
    const tool = createTool('look', { run: () => said('é'.repeat(50_000)) })
    const { deps, model } = createRig({ play: [calls('look'), text('ok')], tools: [tool] })
    const events = await collect(deps)
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      text: `${'é'.repeat(10_000)}\n... (40000 more characters truncated)`,
    })
    expect(of(events, 'call.finished')[0]?.result.blocks).toEqual([
      { type: 'text', text: 'é'.repeat(50_000) },
    ])
  })

  test('report progress in batches: text appends, blocks replace (S4-18)', async () => {
    let rig: ReturnType<typeof createRig>
    const tool = createTool('look', {
      async run(_, { progress, signal }) {
        progress('a')
        for (let turn = 0; turn < 100; turn++) progress('b')
        await rig.clock.sleep(100, signal)
        progress([{ type: 'text', text: 'table' }])
        progress('c')
        return said('done')
      },
    })
    rig = createRig({ play: [calls('look'), text('ok')], tools: [tool] })
    const state = fresh()
    let shown: unknown
    const events = await collect(rig.deps, {
      state,
      on: ({ type }) => {
        if (type === 'call.progressed') shown = structuredClone(state.calls.get('call_1_1')?.progress)
      },
    })
    expect(of(events, 'call.progressed').map(({ text, blocks }) => text ?? blocks)).toEqual([
      'a',
      'b'.repeat(100),
      [{ type: 'text', text: 'table' }],
      'c',
    ])
    expect(shown).toEqual({ text: 'c', blocks: [{ type: 'text', text: 'table' }] })
  })
})

describe('a body that breaks its contract still gives a well-formed observation (E-40, S4-17)', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const junk = (value: unknown) => () => value as ToolOutput // cast: the test passes values that the type forbids
  const json = (value: unknown) => junk({ ok: true, blocks: [{ type: 'json', value }] })
  const throwing = (value: unknown) => () => {
    throw value
  }
  const bodies: [string, () => ToolOutput | Promise<ToolOutput>, string, string][] = [
    ['undefined', junk(undefined), 'bad_result', 'The tool returned nothing that can be read.'],
    ['a string', junk('text'), 'bad_result', 'The tool returned nothing that can be read.'],
    [
      'no blocks',
      junk({ ok: true }),
      'bad_result',
      'The tool returned a result that cannot be written as JSON.',
    ],
    ['a circle', json(circle), 'bad_result', 'The tool returned a result that cannot be written as JSON.'],
    ['a big integer', json(1n), 'bad_result', 'The tool returned a result that cannot be written as JSON.'],
    ['a function', json(() => 1), 'bad_result', 'The tool returned a result that cannot be written as JSON.'],
    [
      'a wrong block',
      junk({ ok: true, blocks: [{ type: 'sound' }] }),
      'bad_result',
      'The tool returned a result that cannot be written as JSON.',
    ],
    ['an Error', throwing(new Error('no such row')), 'tool_failed', 'Tool odd Error. no such row'],
    ['a thrown string', throwing('odd'), 'tool_failed', 'Tool odd Error. odd'],
    [
      'a thrown nothing',
      throwing(undefined),
      'tool_failed',
      'Tool odd Error. It failed without giving a reason.',
    ],
    [
      'a late rejection',
      () => Promise.resolve().then(throwing(42)),
      'tool_failed',
      'Tool odd Error. It failed without giving a reason.',
    ],
    ['a refusal without words', junk({ ok: false }), '', 'the tool failed without giving a reason'],
  ]
  test.each(bodies)('%s', async (_, run, code, message) => {
    const { deps, model } = createRig({
      play: [calls('odd'), text('ok')],
      tools: [createTool('odd', { run })],
    })
    const events = await collect(deps)
    const [finished] = of(events, 'call.finished')
    expect(finished).toMatchObject({ status: 'error', code: code === '' ? null : code })
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ text: `Error: ${message}`, isError: true })
    for (const event of events) expect(runEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
    expect(endOf(events).status).toBe('completed')
  })

  test('values that JSON writes otherwise are on record as JSON has them', async () => {
    const run = json({ when: new Date(0), none: undefined, not: Number.NaN })
    const { deps } = createRig({ play: [calls('odd'), text('ok')], tools: [createTool('odd', { run })] })
    const [finished] = of(await collect(deps), 'call.finished')
    expect(finished?.result.text).toBe('{"when":"1970-01-01T00:00:00.000Z","not":null}')
  })

  test('and reports after its end are not heard', async () => {
    let late: (() => void) | undefined
    const run = (_: object, { progress }: { progress(text: string): void }) => {
      late = () => progress('late')
      return said('done')
    }
    const { deps } = createRig({ play: [calls('odd'), text('ok')], tools: [createTool('odd', { run })] })
    const events = await collect(deps, { on: ({ type }) => type === 'call.finished' && late?.() })
    expect(of(events, 'call.progressed')).toEqual([])
  })
})
