import { describe, expect, test } from 'vitest'
import { textOf } from '#lib/spec/message'
import type { ModelFault, Price } from '#lib/spec/model'
import { estimateTokens } from '#lib/spec/tokens'
import {
  type Beat,
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  finish,
  limiting,
  of,
  replay,
  said,
  saying,
  type Turn,
  text,
  typesOf,
  unpaired,
  usage,
} from './rig.fixture'
import { costOf } from './state/cost'
import { messagesOf } from './state/dialogue'

const look = () => createTool('look')

describe('an answer that ran out of length', () => {
  test('is the run’s answer, and says that it may not be whole (E-31)', async () => {
    const { deps, model } = createRig({ play: [[{ type: 'text', text: 'It is ' }, finish('length')]] })
    const events = await collect(deps)
    expect(endOf(events)).toMatchObject({
      status: 'completed',
      answer: 'It is ',
      error: { code: 'truncated', message: expect.stringContaining('may be incomplete') },
    })
    expect(model.requests).toHaveLength(1)
    expect(of(events, 'model.answered')).toMatchObject([{ finishReason: 'length' }])
    expect(messagesOf(replay(events)).at(-1)).toMatchObject({ role: 'assistant' })
  })

  test('among its calls goes on with what is whole, and ends well (E-30)', async () => {
    const cut: Turn = [...saying('look', { name: 'look', args: '{"a": ' }), finish('length')]
    const { deps } = createRig({ play: [cut, text('ok')], tools: [look()] })
    const events = await collect(deps)
    expect(of(events, 'call.finished').map(({ status, code }) => [status, code])).toEqual([
      ['ok', null],
      ['error', 'truncated'],
    ])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok', error: null })
  })

  test('before it said anything is asked for once more, then fails and says why (L17, E-25, E-31)', async () => {
    const spent: Turn = [{ type: 'reasoning', text: 'hm' }, finish('length')]
    const { deps, model } = createRig({ play: () => spent })
    expect(endOf(await collect(deps)).error).toEqual({
      code: 'empty_response',
      message: 'The model reached the limit of its output tokens before it wrote anything.',
    })
    expect(model.requests).toHaveLength(2)
  })
})

describe('an answer that the provider filtered', () => {
  const filters: [string, Beat[], string | null][] = [
    ['after some words', [{ type: 'text', text: 'It is ' }], 'It is '],
    ['before any word', [], null],
    ['while it thought', [{ type: 'reasoning', text: 'hm' }], null],
  ]
  test.each(filters)(
    '%s ends the run with what was said, and is not asked for again (E-31, L17)',
    async (_, beats, answer) => {
      const { deps, model } = createRig({ play: () => [...beats, finish('filter')] })
      const events = await collect(deps)
      expect(endOf(events)).toMatchObject({ status: 'failed', answer, error: { code: 'model_filter' } })
      expect(model.requests).toHaveLength(1)
    },
  )

  test('runs none of its calls, each with its result (E-31)', async () => {
    const tool = look()
    const turn: Turn = [{ type: 'text', text: 'Let me.' }, ...saying('look', 'look'), finish('filter')]
    const { deps } = createRig({ play: [turn], tools: [tool] })
    const events = await collect(deps)
    expect(tool.ran).toEqual([])
    expect(of(events, 'call.finished').map((event) => event.status)).toEqual(['skipped', 'skipped'])
    expect(endOf(events)).toMatchObject({
      status: 'failed',
      answer: 'Let me.',
      error: { code: 'model_filter' },
    })
    expect(unpaired(messagesOf(replay(events)))).toEqual([])
  })

  test('ends a closing answer as well (E-31)', async () => {
    const play = ({ tools }: { tools: readonly unknown[] }): Turn =>
      tools.length > 0 ? calls('look') : [{ type: 'text', text: 'In' }, finish('filter')]
    const { deps } = createRig({ play, tools: [look()], policies: [limiting({ maxSteps: 1 })] })
    expect(endOf(await collect(deps))).toMatchObject({
      status: 'failed',
      answer: 'In',
      error: { code: 'model_filter' },
    })
  })
})

describe('what a run costs', () => {
  const prices: [string, Price | undefined, number | null][] = [
    ['no price', undefined, null],
    ['nothing', { input: 0, output: 0 }, 0],
    ['input and output', { input: 2, output: 10 }, 0.0025],
    ['input, cached input and output', { input: 2, output: 10, cached: 0.2 }, 0.00196],
  ]
  test.each(prices)('by %s', (_, price, cost) => {
    const counted = { input: 1_000, output: 50, cached: 300, reasoning: 20 }
    const found = costOf(counted, price)
    if (cost === null) expect(found).toBeNull()
    else expect(found).toBeCloseTo(cost, 12)
  })

  test('stands in each answer and in its end, as do tokens, steps, tools and time (S3-14, S1-15)', async () => {
    const asking: Turn = [
      { type: 'reasoning', text: 'hm' },
      { waitMs: 200 },
      { type: 'text', text: 'Let me see.' },
      { waitMs: 300 },
      ...calls('look', 'look'),
    ]
    const price = { input: 1, output: 4 }
    const { deps } = createRig({ play: [asking, text('ok')], tools: [look()], deps: { price } })
    const events = await collect(deps)
    expect(of(events, 'model.answered')[0]).toMatchObject({
      parts: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Let me see.' },
        { type: 'call', id: 'call_1_1' },
        { type: 'call', id: 'call_1_2' },
      ],
      finishReason: 'calls',
      usage,
      durationMs: 500,
      firstTokenMs: 0,
      costUsd: 30 / 1_000_000,
    })
    const end = endOf(events)
    expect(end).toMatchObject({
      usage: { input: 20, output: 10 },
      steps: 2,
      toolCalls: [{ name: 'look', count: 2 }],
      costUsd: 60 / 1_000_000,
    })
    expect(end.finishedAt - end.startedAt).toBe(500)
    expect(replay(events)).toMatchObject({ costUsd: end.costUsd, usage: end.usage })
  })

  test('counts by our own estimate what broke off once it had begun, also when it is asked for again (L8, S3-14)', async () => {
    const price = { input: 1, output: 4 }
    const said: Beat = { type: 'text', text: 'x'.repeat(40) }
    const fault: ModelFault = { code: 'cut', message: 'Cut.', retry: 'backoff' }
    const play = ({ attempt }: { attempt: number }): Turn => {
      if (attempt === 1) return [{ type: 'fault', fault }]
      return attempt === 2 ? [said, { type: 'fault', fault }] : [said, 'hang']
    }
    const { deps, model } = createRig({ play, tools: [look()], deps: { price } })
    const events = await collect(deps, {
      on: (event, controller) => event.seq > 8 && event.type === 'text.delta' && controller.abort('cancel'),
    })
    const [first, second] = of(events, 'model.retried')
    expect(first).not.toHaveProperty('usage')
    const taken = { input: estimateTokens(model.requests[1]?.body ?? ''), output: 10, estimated: true }
    expect(second).toMatchObject({ usage: taken, costUsd: costOf(taken, price) })
    const [answer] = of(events, 'model.answered')
    expect(answer).toMatchObject({ finishReason: 'cancelled', usage: { output: 10, estimated: true } })
    const end = endOf(events)
    expect(end.usage).toEqual({
      input: taken.input + (answer?.usage.input ?? 0),
      output: 20,
      estimated: true,
    })
    expect(end.costUsd).toBeCloseTo(costOf(end.usage, price) ?? 0, 12)
    expect(replay(events)).toMatchObject({ costUsd: end.costUsd, usage: end.usage })
  })

  test('is unknown without a price (S3-14)', async () => {
    const { deps } = createRig({ play: [text('ok')] })
    const events = await collect(deps)
    expect([of(events, 'model.answered')[0]?.costUsd, endOf(events).costUsd]).toEqual([null, null])
  })

  test('in time of our own is little: fifty steps in less than 50 ms each (S3-14)', async () => {
    const play = ({ step }: { step: number }): Turn => (step < 50 ? calls('look', 'look') : text('ok'))
    const { deps } = createRig({ play, tools: [look()], policies: [limiting({ maxSteps: 60 })] })
    const begun = performance.now()
    expect(endOf(await collect(deps)).steps).toBe(50)
    expect(performance.now() - begun).toBeLessThan(50 * 50)
  })
})

test('a secret in a provider’s failure reaches nobody', async () => {
  const fault: ModelFault = { code: 'overloaded', message: 'No, sk-1234!', retry: 'backoff' }
  const redact = (value: string) => value.replaceAll('sk-1234', '•••')
  const { deps } = createRig({ play: () => [{ type: 'fault', fault }], deps: { redact } })
  const events = await collect(deps)
  expect(JSON.stringify(events)).not.toContain('sk-1234')
  expect(of(events, 'model.retried').map((event) => event.reason)).toEqual(Array(3).fill('No, •••!'))
  expect(of(events, 'model.answered')[0]?.fault?.message).toBe('No, •••!')
  expect(endOf(events).error?.message).toBe('No, •••!')
})

test('a step thinks, then acts: each shows on its own, the thought beside its calls (S1-16, S1-18, E-24)', async () => {
  const play: Turn[] = [[{ type: 'text', text: 'Let me see.' }, ...calls('look')], text('ok')]
  const { deps } = createRig({ play, tools: [look()] })
  const states: [string, string][] = []
  const state = replay([])
  const events = await collect(deps, { state, on: ({ type }) => states.push([type, state.status]) })
  const stepTypes = typesOf(events.filter((event) => event.step === 1))
  expect(stepTypes.filter((type) => !type.endsWith('.delta'))).toEqual([
    'step.started',
    'model.requested',
    'model.answered',
    'call.started',
    'call.finished',
    'step.finished',
  ])
  expect([states[0], states.at(-1)]).toEqual([
    ['run.started', 'running'],
    ['run.finished', 'completed'],
  ])
  expect(state.steps[0]?.parts).toMatchObject([{ type: 'text', text: 'Let me see.' }, { type: 'call' }])
  expect(state.messages[1]).toMatchObject({
    role: 'assistant',
    parts: [{ text: 'Let me see.' }, { type: 'call' }],
  })
})

test('streamed or whole, the last message is the same, its deltas as many as were sent (S4-23)', async () => {
  const words = ['It', ' is', ' five', '.']
  const streamed: Turn = [
    ...words.flatMap((word): Beat[] => [{ type: 'text', text: word }, { waitMs: 100 }]),
    finish('stop'),
  ]
  const runOf = async (turn: Turn) => collect(createRig({ play: [turn] }).deps)
  const [many, one] = [await runOf(streamed), await runOf(text(words.join('')))]
  expect(of(many, 'text.delta').map((event) => event.text)).toEqual(words)
  expect(of(one, 'text.delta')).toHaveLength(1)
  expect(of(many, 'model.answered').map((event) => event.parts)).toEqual(
    of(one, 'model.answered').map((event) => event.parts),
  )
  expect(endOf(many).answer).toBe(endOf(one).answer)
})

test('thought, results and answer enter the dialogue in that order, each call with one result (S4-25)', async () => {
  const slow = createTool('slow', { run: () => said('late') })
  const play: Turn[] = [[{ type: 'text', text: 'Both.' }, ...calls('slow', 'look')], text('Done.')]
  const { deps } = createRig({ play, tools: [look(), slow], policies: [limiting({ strategy: 'parallel' })] })
  const messages = messagesOf(replay(await collect(deps)))
  const words = messages.map((each) => (each.role === 'assistant' ? textOf(each.parts) : each.text))
  expect(messages.map((each, index) => `${each.role}: ${words[index]}`)).toEqual([
    'user: How much?',
    'assistant: Both.',
    'tool: late',
    'tool: done',
    'assistant: Done.',
  ])
  expect(unpaired(messages)).toEqual([])
})
