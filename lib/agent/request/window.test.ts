import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import { defaultLimits } from '#lib/spec/policy'
import { estimateTokens } from '#lib/spec/tokens'
import { collect, createRig, fresh, limiting, of, text, unpaired } from '../rig.fixture'
import { pair, renumber } from './pairing'
import { type HistoryLimits, isFull, weightOf, windowOf } from './window'

const defaults = defaultLimits.history
const user: Message = { role: 'user', text: 'q' }
const asked: Message = { role: 'user', text: 'and now?' }

function asking(...ids: string[]): Message {
  const parts = ids.map((id) => ({ type: 'call' as const, id, name: 'look', rawArgs: '{}', args: {} }))
  return { role: 'assistant', parts: [{ type: 'text', text: 'hm' }, ...parts] }
}

function result(callId: string): Message {
  return { role: 'tool', callId, name: 'look', text: `of ${callId}`, isError: false }
}

function answer(value: string): Message {
  return { role: 'assistant', parts: [{ type: 'text', text: value }] }
}

const message = fc.oneof(
  fc.constant(user),
  fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }).map((ids) => asking(...ids)),
  fc.constantFrom('a', 'b', 'c', 'd').map(result),
  fc.string({ maxLength: 80 }).map(answer),
)
const dialogue = fc.array(message, { maxLength: 150 }).map((messages) => pair([user, ...messages]))

const limits: fc.Arbitrary<HistoryLimits> = fc.record({
  maxMessages: fc.integer({ min: 1, max: 60 }),
  maxTokens: fc.oneof(fc.integer({ min: 1, max: 600 }), fc.constant(100_000)),
  clearToolTurns: fc.boolean(),
})

describe('the window', () => {
  test('never breaks a pair, keeps to both limits, and begins with a question (E-34, S3-20, S1-28, S2-18)', () => {
    fc.assert(
      fc.property(dialogue, limits, (history, given) => {
        const { kept, dropped } = windowOf(history, asked, given)
        const weight = weightOf([...kept, asked], { ...given, clearToolTurns: false })
        expect(kept.length + dropped).toBe(history.length)
        expect(unpaired(renumber(kept))).toEqual([])
        if (kept.length === 0) return
        expect(kept[0]?.role).toBe('user')
        expect(weight.messages).toBeLessThanOrEqual(given.maxMessages)
        expect(weight.tokens).toBeLessThanOrEqual(given.maxTokens)
        if (!given.clearToolTurns && dropped === 0) expect(kept).toEqual(history)
      }),
      { numRuns: 1_000 },
    )
  }, 30_000)

  test('of a dialogue that fills the limits is the window of whatever longer one it ends', () => {
    fc.assert(
      fc.property(dialogue, dialogue, limits, (before, history, given) => {
        fc.pre(isFull(weightOf(history, given), given))
        const { kept } = windowOf(history, asked, given)
        expect(windowOf([...before, ...history], asked, given).kept).toEqual(kept)
      }),
      { numRuns: 500 },
    )
  }, 30_000)

  test('takes 50 messages and 100,000 tokens when no policy says (S3-20)', () => {
    const short = Array.from({ length: 60 }, (_, index) => [user, answer(`a${index}`)]).flat()
    expect(windowOf(short, asked, defaults).kept).toHaveLength(49 - 1)
    const long = Array.from({ length: 10 }, () => [user, answer('a'.repeat(80_000))]).flat()
    expect(windowOf(long, asked, defaults).kept).toHaveLength(8)
  })

  test('keeps the question of the turn that it cuts into, by number and by tokens', () => {
    const turn = Array.from({ length: 40 }, (_, index) => [asking(`c${index}`), result(`c${index}`)]).flat()
    const history: Message[] = [{ role: 'user', text: 'the first' }, ...turn]
    for (const given of [defaults, { ...defaults, maxMessages: 9_999, maxTokens: 300 }]) {
      const { kept } = windowOf(history, asked, given)
      expect(kept.length).toBeLessThanOrEqual(49)
      expect(kept.length).toBeGreaterThan(30)
      expect(kept[0]).toEqual({ role: 'user', text: 'the first' })
      expect(kept.at(-1)).toEqual(result('c39'))
    }
  })

  test('never leaves out the question itself, however long, nor what the run adds to it', async () => {
    const policies = [limiting({ history: { ...defaults, maxTokens: 1 } })]
    const { deps, model } = createRig({ play: [text('a')], policies })
    const input = 'x'.repeat(100_000)
    const events = await collect(deps, { state: fresh({ input, history: [user, answer('a')] }) })
    expect(model.requests[0]?.messages).toEqual([{ role: 'user', text: input }])
    expect(model.requests[0]?.instructions).toBe('Be brief.')
    expect(of(events, 'context.truncated')).toMatchObject([{ messages: { kept: 1, dropped: 2 } }])
  })

  test('without the calls of earlier runs keeps their questions and answers, and the last words of one that had none', () => {
    const history = [
      user,
      asking('a', 'b'),
      result('a'),
      result('b'),
      answer('It is 5.'),
      user,
      asking('c'),
      result('c'),
      user,
      { role: 'assistant', parts: [{ type: 'call', id: 'd', name: 'look', rawArgs: '{}' }] } as const,
      result('d'),
    ]
    const { kept, dropped } = windowOf(history, asked, { ...defaults, clearToolTurns: true })
    expect(kept).toEqual([user, answer('It is 5.'), user, answer('hm'), user])
    expect(dropped).toBe(6)
  })

  test('tells apart what is opaque and replays it where it stood (L16)', () => {
    const signed: Message = {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'a' },
        { type: 'opaque', provider: 'anthropic', data: { signature: 's1' } },
        { type: 'reasoning', text: 'b' },
        { type: 'opaque', provider: 'anthropic', data: { signature: 's2' } },
        { type: 'call', id: 'call_1_1', wireId: 'toolu_1', name: 'look', rawArgs: '{}', args: {} },
      ],
    }
    const [, sent] = renumber(windowOf(pair([user, signed, result('call_1_1')]), asked, defaults).kept)
    const parts = sent?.role === 'assistant' ? sent.parts : []
    expect(parts.slice(0, 4)).toEqual(signed.parts.slice(0, 4))
    expect(parts[4]).toMatchObject({ type: 'call', id: 'call_0_1', name: 'look' })
  })
})

test('a dialogue weighs what its words and its messages weigh', () => {
  const messages = [user, asking('a'), result('a')]
  const words = ['q', 'hmlook{}', 'lookof a'].map(estimateTokens)
  const tokens = words.reduce((sum, each) => sum + each + 4, 0)
  expect(weightOf(messages, defaults)).toEqual({ messages: 3, tokens })
  expect(isFull({ messages: 3, tokens }, { ...defaults, maxTokens: tokens })).toBe(false)
  expect(isFull({ messages: 3, tokens }, { ...defaults, maxTokens: tokens - 1 })).toBe(true)
  expect(isFull({ messages: 3, tokens }, { ...defaults, maxMessages: 3 })).toBe(true)
})
