import { describe, expect, test } from 'vitest'
import { runEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { ModelChunk } from '#lib/spec/model'
import type { OnLimit } from '#lib/spec/policy'
import type { EncodeInput } from '#lib/spec/protocol'
import { request } from './request/rerequest'
import {
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
  type Turn,
  text,
  typesOf,
  unpaired,
} from './rig.fixture'
import { messagesOf } from './state/dialogue'

const look = createTool('look')

describe('a run', () => {
  test('asks, calls, and answers (S3-10, S4-20, S3-04)', async () => {
    const sum = createTool('math.sum', { run: ({ a, b }) => said(String(Number(a) + Number(b))) })
    const asking: Turn = [
      { type: 'text', text: 'Let me see.' },
      ...calls({ name: 'math.sum', args: { a: 2, b: 3 } }),
    ]
    const { deps, model } = createRig({ play: [asking, text('It is ', '5.')], tools: [sum] })
    const events = await collect(deps)
    expect(typesOf(events)).toEqual([
      'run.started',
      'step.started',
      'model.requested',
      'text.delta',
      'call.delta',
      'model.answered',
      'call.started',
      'call.finished',
      'step.finished',
      'step.started',
      'model.requested',
      'text.delta',
      'text.delta',
      'model.answered',
      'step.finished',
      'run.finished',
    ])
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1))
    expect(events.map((event) => event.step)).toEqual([0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2])
    expect(endOf(events)).toMatchObject({
      status: 'completed',
      answer: 'It is 5.',
      steps: 2,
      usage: { input: 20, output: 10 },
      toolCalls: [{ name: 'math.sum', count: 1 }],
      error: null,
    })
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user', text: 'How much?' },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: 'Let me see.' },
          { type: 'call', id: 'call_1_1' },
        ],
      },
      { role: 'tool', callId: 'call_1_1', name: 'math.sum', text: '5', isError: false },
    ])
    for (const event of events) expect(runEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
  })

  test('that needs no tool has one step, and its deltas joined are its answer (S3-09)', async () => {
    const { deps } = createRig({ play: [text('a', 'b', 'c')] })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'abc', steps: 1, toolCalls: [] })
    const joined = of(events, 'text.delta').map((event) => event.text)
    expect(joined.join('')).toBe('abc')
  })

  test('that has an end is left alone', async () => {
    const { deps } = createRig({ play: [text('a')] })
    const events = await collect(deps)
    expect(await collect(deps, { state: replay(events) })).toEqual([])
  })

  test('sends instructions with only date and name put in, once, byte for byte (S3-08, E-48)', async () => {
    const instructions = 'On {{date}} you are {{name}}.\n\n\t{{other}} $& $1 {{ name }}'
    const { deps, model } = createRig({ play: [text('a')], deps: { instructions } })
    await collect(deps, { state: fresh({ input: '{{name}}' }) })
    expect(model.requests[0]?.instructions).toBe(
      'On 2025-10-09 you are tester.\n\n\t{{other}} $& $1 {{ name }}',
    )
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', text: '{{name}}' }])
  })

  test.each([
    "{{7*7}} {{constructor.constructor('x')()}} {{__proto__.x}} {{this}} {{{name}}",
    '{{toString}} {{date.constructor}} {{name|upper}} {% name %} <%= name %>',
  ])('evaluates nothing of its instructions: %s (T7)', async (instructions) => {
    const { deps, model } = createRig({ play: [text('a')], deps: { instructions } })
    await collect(deps)
    const expected = instructions.replace('{{{name}}', '{tester')
    expect(model.requests[0]?.instructions).toBe(expected)
  })

  test('reads nothing again that was put in (T7)', async () => {
    const agent = { ...fresh().start.agent, name: '{{date}}' }
    const { deps, model } = createRig({ play: [text('a')], deps: { instructions: '{{name}}' } })
    await collect(deps, { state: fresh({ agent }) })
    expect(model.requests[0]?.instructions).toBe('{{date}}')
  })

  test('puts the history of its thread before the question, with ids that never meet its own', async () => {
    const first = createRig({ play: [calls('look'), text('one')], tools: [look] })
    const earlier = await collect(first.deps)
    const history = messagesOf(replay(earlier))
    const { deps, model } = createRig({ play: [calls('look'), text('two')], tools: [look] })
    await collect(deps, { state: fresh({ history, input: 'and now?' }) })
    const sent = model.requests[1]?.messages ?? []
    expect(sent.map((each) => each.role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
      'assistant',
      'tool',
    ])
    expect(unpaired(sent)).toEqual([])
  })
})

describe('the step limit', () => {
  const greedy = ({ tools }: { tools: readonly unknown[] }): Turn =>
    tools.length > 0 ? calls('look') : text('in short')

  test('summarizes: the last calls run, then one answer is asked for without tools (S4-22, E-32)', async () => {
    const { deps, model } = createRig({
      play: greedy,
      tools: [createTool('look')],
      policies: [limiting({ maxSteps: 2 })],
    })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'max_steps', answer: 'in short', steps: 2, error: null })
    expect(of(events, 'call.finished')).toHaveLength(2)
    const last = model.requests.at(-1)
    expect(last?.tools).toEqual([])
    expect(last?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('the limit of 2 steps'),
    })
    expect(of(events, 'run.summarizing')).toMatchObject([
      { step: 2, reason: 'the limit of 2 steps is reached' },
    ])
    expect(of(events, 'step.started').map((event) => event.step)).toEqual([1, 2, 3])
    // The hint is part of this request only.
    expect(messagesOf(replay(events)).filter((each) => each.role === 'user')).toHaveLength(1)
  })

  test('ignores calls in the closing answer, and says something even when it is empty (E-32, S1-33)', async () => {
    const play = () => calls('look')
    const { deps } = createRig({ play, tools: [createTool('look')], policies: [limiting({ maxSteps: 1 })] })
    const events = await collect(deps)
    expect(of(events, 'call.finished')).toHaveLength(1)
    expect(endOf(events)).toMatchObject({
      status: 'max_steps',
      answer: 'The step limit was reached before there was an answer.',
      steps: 1,
    })
    expect(messagesOf(replay(events)).at(-1)).toMatchObject({ role: 'assistant' })
  })

  const endings: [OnLimit, object][] = [
    ['error', { answer: 'hm', error: { code: 'max_steps', message: 'No answer within 1 step.' } }],
    ['return_partial', { answer: 'hm', error: null }],
    ['summarize', { answer: 'hm', error: null }],
  ]
  test.each(endings)(
    'with onLimit %s ends as max_steps with what was said (S1-33, X-02)',
    async (onLimit, expected) => {
      const play = ({ step }: { step: number }): Turn =>
        step === 1 ? [{ type: 'text', text: 'hm' }, ...calls('look')] : [finish('stop')]
      const policies = [limiting({ maxSteps: 1, onLimit })]
      const { deps } = createRig({ play, tools: [createTool('look')], policies })
      expect(endOf(await collect(deps))).toMatchObject({ status: 'max_steps', steps: 1, ...expected })
    },
  )
})

describe('an empty answer', () => {
  const empty: Turn = [{ type: 'reasoning', text: 'what now' }, finish('stop')]

  test('is asked for once more in the same step (E-25, L17)', async () => {
    const { deps, model } = createRig({ play: ({ attempt }) => (attempt === 1 ? empty : text('here')) })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({
      status: 'completed',
      answer: 'here',
      steps: 1,
      usage: { input: 20, output: 10 },
    })
    expect(of(events, 'model.requested').map((event) => event.attempt)).toEqual([1, 2])
    expect(model.requests[1]?.messages).toHaveLength(2)
    expect(messagesOf(replay(events))).toHaveLength(2)
  })

  test('that comes twice fails the run (E-25, L17)', async () => {
    const { deps, model } = createRig({ play: () => empty })
    expect(endOf(await collect(deps))).toMatchObject({
      status: 'failed',
      error: { code: 'empty_response' },
      answer: null,
    })
    expect(model.requests).toHaveLength(2)
  })
})

describe('a model that fails', () => {
  const fault: ModelChunk = { type: 'fault', fault: { code: 'http', message: 'overloaded', status: 529 } }
  const half: ModelChunk[] = [
    { type: 'text', text: 'It was ' },
    { type: 'call.start', index: 0, name: 'look' },
    { type: 'call.args', index: 0, text: '{}' },
  ]
  const cases: [string, Turn, string, string][] = [
    ['says so', [...half, fault], 'fault', 'model_http'],
    ['ends too early', half, 'cut', 'model_cut'],
    ['ends too early and knows it', [...half, finish('cut')], 'cut', 'model_cut'],
    ['never ends', [...half, 'hang'], 'fault', 'model_timeout'],
  ]
  test.each(cases)('and %s ends the run, its words on record (S3-11)', async (_, turn, reason, code) => {
    const { deps } = createRig({ play: [turn], tools: [look] })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({ status: 'failed', answer: null, error: { code }, steps: 1 })
    expect(of(events, 'model.answered')).toMatchObject([
      { finishReason: reason, parts: [{ type: 'text', text: 'It was ' }] },
    ])
    expect(of(events, 'call.started')).toEqual([])
    expect(replay(events).messages).toHaveLength(1)
  })

  test('by throwing is reported and told without its inside', async () => {
    const reported: unknown[] = []
    const { deps, model } = createRig({ play: [], deps: { report: (error) => reported.push(error) } })
    const throwing = {
      ...model,
      stream() {
        throw new Error('secret place')
      },
    }
    const events = await collect({ ...deps, model: throwing })
    expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'model_protocol' } })
    expect(JSON.stringify(events)).not.toContain('secret place')
    expect(reported).toHaveLength(1)
  })
})

test('S4-35 which tools a run has called, and how often, is told by its state, its events and its end', async () => {
  const play = [calls('look', 'write', 'look', 'ghost'), calls('look', 'hidden'), text('ok')]
  const tools = [createTool('look'), createTool('write'), createTool('hidden')]
  const { deps } = createRig({ play, tools, policies: [denying('hidden')] })
  const events = await collect(deps)
  const state = replay(events)
  // What was refused is on the list of calls, but was not called.
  expect([...state.calls.values()].map(({ name, status }) => `${name} ${status}`)).toEqual([
    'look ok',
    'write ok',
    'look ok',
    'ghost error',
    'look ok',
    'hidden denied',
  ])
  expect(Object.fromEntries(state.toolCounts)).toEqual({ look: 3, write: 1 })
  expect(of(events, 'call.started').map(({ name }) => name)).toEqual(['look', 'write', 'look', 'look'])
  expect(endOf(events).toolCalls).toEqual([
    { name: 'look', count: 3 },
    { name: 'write', count: 1 },
  ])
})

test('S4-24 a bug ends the run as failed with every call answered, and tells nothing of its inside', async () => {
  const reported: unknown[] = []
  const { deps } = createRig({
    play: [calls('look', 'look')],
    tools: [createTool('look')],
    deps: { report: (error) => reported.push(error) },
  })
  const broken = {
    use: 'broken',
    node: 'policies/0',
    stages: ['risk'] as const,
    limit() {},
    limitTool() {},
    rule: (_: string, { moment }: { moment: string }) => {
      if (moment === 'call') throw new Error('secret place')
      return undefined
    },
  }
  const events = await collect({ ...deps, policies: [broken] })
  expect(endOf(events)).toMatchObject({ status: 'failed', error: { code: 'internal' } })
  expect(of(events, 'call.finished').map((event) => event.status)).toEqual(['skipped', 'skipped'])
  expect(JSON.stringify(events)).not.toContain('secret place')
  expect(reported).toHaveLength(1)
})

test('a run whose events cannot be stored is interrupted before any body begins', async () => {
  const tool = createTool('write', { effect: 'effect' })
  const { deps } = createRig({
    play: [calls('write')],
    tools: [tool],
    deps: { committed: () => Promise.reject(new Error('disk full')) },
  })
  const events = await collect(deps)
  expect(endOf(events)).toMatchObject({ status: 'interrupted', error: { code: 'not_stored' } })
  expect(of(events, 'call.finished').map((event) => event.status)).toEqual(['interrupted'])
  expect(tool.ran).toEqual([])
})

test('a message is the same object in every request it goes out with, so that it is encoded once', async () => {
  const history = [
    { role: 'user', text: 'before' } as const,
    { role: 'assistant', parts: [{ type: 'text', text: 'yes' } as const] } as const,
  ]
  const { deps } = createRig({
    play: ({ step }) => (step < 9 ? calls('look', 'look') : text('ok')),
    tools: [look],
  })
  const sent: (readonly Message[])[] = []
  const codec = {
    ...deps.codec,
    encode: (input: EncodeInput) => {
      sent.push(input.messages)
      return deps.codec.encode(input)
    },
  }
  await collect({ ...deps, codec }, { state: fresh({ history }) })
  expect(sent).toHaveLength(9)
  expect(new Set(sent.flat()).size).toBe(sent.at(-1)?.length)
})

test('a step’s request is made again to the byte, whatever the step was', async () => {
  const play = ({ step, attempt }: { step: number; attempt: number }): Turn => {
    if (step === 2 && attempt === 1) return [finish('stop')]
    return step < 4 ? calls('look', 'look') : text('done')
  }
  const policies = [limiting({ maxSteps: 3, strategy: 'parallel' })]
  const history = [{ role: 'user', text: 'before' } as const, { role: 'assistant', parts: [] } as const]
  const { deps } = createRig({ play, tools: [createTool('look')], policies })
  const events = await collect(deps, { state: fresh({ history }) })
  const state = replay(events, { history })
  const last = new Map(of(events, 'model.requested').map((event) => [event.step, event.hash]))
  expect([...last.keys()]).toEqual([1, 2, 3, 4])
  for (const [step, hash] of last) expect(deps.hash(request(state, deps, step)?.body ?? '')).toBe(hash)
  expect(request(state, deps, 5)).toBeUndefined()
})
