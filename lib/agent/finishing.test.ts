import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { json, refuse } from '#lib/spec/tool'
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
  said,
  type Turn,
  text,
} from './rig.fixture'

const finish = () =>
  createTool('finish', {
    ends: true,
    aliases: ['generate_response'],
    run: ({ answer }) => (typeof answer === 'string' ? said(answer) : refuse('an answer is missing')),
  })
const done = (answer: string, name = 'finish') => ({ name, args: { answer } })

describe('the finish tool', () => {
  test('ends the run with its answer, which stands in the dialogue as one', async () => {
    const { deps, model } = createRig({ play: [calls(done('42'))], tools: [finish()] })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: '42', error: null, steps: 1 })
    expect(of(events, 'call.finished')).toMatchObject([{ final: { answer: '42' } }])
    expect(model.requests).toHaveLength(1)
    expect(replay(events).messages.at(-1)).toEqual({
      role: 'assistant',
      parts: [{ type: 'text', text: '42' }],
    })
  })

  test('answers to its other name as well', async () => {
    const { deps } = createRig({ play: [calls(done('42', 'generate_response'))], tools: [finish()] })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: '42' })
  })

  test.each(['sequential', 'parallel', 'auto'] as const)(
    'beside other calls it runs last, and of several the last that ended well counts: %s (E-24)',
    async (strategy) => {
      for (const timing of ['after_stream', 'on_stream'] as const) {
        const look = createTool('look')
        const { deps } = createRig({
          play: [calls(done('first'), 'look', done('second'), { name: 'finish', args: {} }, 'look')],
          tools: [look, finish()],
          policies: [limiting({ strategy, timing, concurrency: 8 })],
        })
        const events = await collect(deps)
        expect(of(events, 'call.started').map(({ callId }) => callId)).toEqual([
          'call_1_2',
          'call_1_5',
          'call_1_1',
          'call_1_3',
          'call_1_4',
        ])
        expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'second' })
        const replacing = of(events, 'call.finished').filter(({ replaces }) => replaces !== undefined)
        expect(replacing).toMatchObject([{ callId: 'call_1_3', replaces: 'call_1_1' }])
        expect(replay(events).calls.get('call_1_1')?.replacedBy).toBe('call_1_3')
        // The results are still in call order.
        const results = replay(events).messages.flatMap((each) => (each.role === 'tool' ? [each.callId] : []))
        expect(results).toEqual(['call_1_1', 'call_1_2', 'call_1_3', 'call_1_4', 'call_1_5'])
      }
    },
  )

  test.each(['sequential', 'parallel', 'auto'] as const)(
    'runs last under its other name too, and stands in the dialogue under its own: %s (E-24)',
    async (strategy) => {
      for (const timing of ['after_stream', 'on_stream'] as const) {
        const look = createTool('look')
        const { deps, model } = createRig({
          play: [calls({ name: 'generate_response', args: {} }, 'look'), calls(done('42'))],
          tools: [look, finish()],
          policies: [limiting({ strategy, timing, concurrency: 8 })],
        })
        const events = await collect(deps)
        expect(of(events, 'call.started').map(({ callId }) => callId)).toEqual([
          'call_1_2',
          'call_1_1',
          'call_2_1',
        ])
        expect(model.requests[1]?.messages[1]).toMatchObject({
          parts: [{ name: 'finish' }, { name: 'look' }],
        })
      }
    },
  )

  test('an answer it gave stands, though the budget has no room for another call of it (E-24, E-33)', async () => {
    const { deps, model } = createRig({
      play: [calls(done('42'), 'look', done('43'))],
      tools: [createTool('look'), finish()],
      policies: [budgeting({ calls: 2 })],
    })
    const events = await collect(deps)
    expect(of(events, 'policy.ruled')).toMatchObject([{ callId: 'call_1_3', ends: 'budget' }])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: '42', error: null })
    expect(model.requests).toHaveLength(1)
  })

  test('a call of it that fails ends nothing', async () => {
    const { deps } = createRig({ play: [calls({ name: 'finish', args: {} }), text('so')], tools: [finish()] })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: 'so', steps: 2 })
  })

  test.each(['sequential', 'parallel'] as const)(
    'waits while a person is asked about another call of its step: %s',
    async (strategy) => {
      const asking = createPolicy('approval', 'policies/5', {
        stages: ['approval'],
        rule: (_, { tool }) => (tool.name === 'write' ? { verdict: 'confirm', reason: 'ask' } : undefined),
      })
      const tools = [createTool('write', { effect: 'effect' }), finish()]
      const policies = [limiting({ strategy }), asking]
      const events = await collect(createRig({ play: [calls(done('42'), 'write')], tools, policies }).deps)
      expect(of(events, 'call.started')).toEqual([])
      const waiting = replay(events)
      expect(waiting.status).toBe('waiting')
      const decided = {
        type: 'approval.decided',
        seq: waiting.seq + 1,
        at: waiting.lastAt,
        step: 1,
        callId: 'call_1_2',
        decision: 'approve',
        scope: 'call',
        by: 'person',
      } as const
      const rest = await collect(createRig({ play: [], tools, policies }).deps, {
        state: replay([...events, decided]),
        resumed: 'decided',
      })
      expect(of(rest, 'call.started').map(({ callId }) => callId)).toEqual(['call_1_2', 'call_1_1'])
      expect(endOf(rest)).toMatchObject({ status: 'completed', answer: '42' })
    },
  )
})

describe('where only the finish tool ends a run', () => {
  const policies = [limiting({ finish: 'finish_tool', maxSteps: 3, onLimit: 'summarize' })]

  test('words alone end nothing: the model is told so and goes on', async () => {
    const play = [text('I think it is 42.'), calls(done('42'))]
    const { deps, model } = createRig({ play, tools: [finish()], policies })
    const events = await collect(deps)
    expect(of(events, 'step.started')[1]?.said).toContain('call finish')
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', text: expect.stringContaining('Your words alone do not end this run') },
    ])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: '42', steps: 2 })
  })

  test('the step limit still ends it', async () => {
    const play = [text('a'), text('b'), text('c'), text('so far')]
    const { deps } = createRig({ play, tools: [finish()], policies })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'max_steps', answer: 'so far' })
  })

  test('and a budget, which grants no further step', async () => {
    const spent = limiting({ budget: { tokens: 10, usd: Infinity, seconds: Infinity } })
    const { deps } = createRig({ play: [text('a')], tools: [finish()], policies: [...policies, spent] })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'budget', steps: 1 })
  })

  test('words do where the tool is not offered, since nothing else could', async () => {
    const { deps } = createRig({ play: [text('42')], policies })
    expect(endOf(await collect(deps))).toMatchObject({ status: 'completed', answer: '42' })
  })
})

describe('an answer that has to fit a schema', () => {
  const output = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] }
  const shaped = () =>
    createTool('finish', { ends: true, parameters: output, run: (args: JsonObject) => json(args) })
  const runOf = async (play: readonly Turn[], given: Partial<Parameters<typeof createRig>[0]> = {}) => {
    const { deps, model } = createRig({ play, ...given, deps: { output } })
    return { events: await collect(deps), model }
  }

  test('is told to the model, and taken from words that are JSON, fenced or bare', async () => {
    for (const words of ['{"total": 3}', ' ```json\n{"total": 3}\n``` ']) {
      const { events, model } = await runOf([text(words)])
      expect(model.requests[0]?.instructions).toContain(JSON.stringify(output))
      expect(endOf(events)).toMatchObject({ status: 'completed', output: { total: 3 } })
    }
  })

  test('S4-05 is taken from the finish tool, whose arguments are held to the schema', async () => {
    const play = [
      calls({ name: 'finish', args: { total: 'much' } }),
      calls({ name: 'finish', args: { total: 3 } }),
    ]
    const { events, model } = await runOf(play, { tools: [shaped()] })
    expect(of(events, 'call.finished')[0]).toMatchObject({ status: 'error', code: 'args_schema' })
    expect(model.requests[0]?.instructions).toContain('calling the tool finish')
    expect(endOf(events)).toMatchObject({
      status: 'completed',
      output: { total: 3 },
      answer: '{\n  "total": 3\n}',
    })
    expect(replay(events).output).toEqual({ total: 3 })
  })

  test('is asked for again with what is wrong, three times, and then the run fails with what was said', async () => {
    const { events } = await runOf([text('three'), text('{"total": "3"}'), text('{"total": 3}')])
    expect(of(events, 'step.started').map(({ said: told }) => told)).toEqual([
      undefined,
      expect.stringContaining('It is no JSON'),
      expect.stringContaining('total: is a string ("3"), expected number'),
    ])
    expect(endOf(events)).toMatchObject({ status: 'completed', output: { total: 3 }, steps: 3 })
    const { events: never } = await runOf(Array.from({ length: 9 }, () => text('three')))
    expect(endOf(never)).toMatchObject({
      status: 'failed',
      answer: 'three',
      error: { code: 'output_invalid' },
      steps: 4,
    })
  })

  test('comes from the closing answer too, where that fits', async () => {
    const limits = { policies: [limiting({ maxSteps: 1, onLimit: 'summarize' })] }
    const { events } = await runOf([text('three'), text('{"total": 3}')], limits)
    expect(endOf(events)).toMatchObject({ status: 'max_steps', output: { total: 3 } })
    const { events: not } = await runOf([text('three'), text('four')], limits)
    expect(endOf(not)).not.toHaveProperty('output')
  })
})
