import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import { request, service } from '../wire/hear.fixture'
import { breakpointsIn, takesBreakpoints, withBreakpoint } from './cache-breakpoints'
import { openai } from './openai'
import { openaiResponses } from './openai-responses'

const context = service(() => new Response())
const long = 'A long text. '.repeat(400)
const user = (text: string): Message => ({ role: 'user', text })
const step = (number: number): Message[] => {
  const id = `call_${number}_1`
  const call = { type: 'call' as const, id, name: 'look', args: {}, rawArgs: '{}' }
  return [
    { role: 'assistant', parts: [call] },
    { role: 'tool', callId: id, name: 'look', text: `result ${number}`, isError: false },
  ]
}
const mark = { mode: 'explicit' }

describe('the breakpoints of the prompt cache', () => {
  it.each([
    ['gpt-5.6-sol', true],
    ['gpt-5.10', true],
    ['gpt-6-astra', true],
    ['ft:gpt-6:acme::1', true],
    ['gpt-5.5', false],
    ['gpt-5', false],
    ['gpt-5-mini', false],
    ['gpt-4o', false],
    ['gpt-4.1-mini', false],
    ['o4-mini', false],
    ['gpt-oss-120b', false],
  ])('are taken by %s: %s', (model, takes) => {
    expect(takesBreakpoints(model)).toBe(takes)
  })

  test('are at the ends of the last two turns, before the hints', () => {
    const places = (messages: Message[], hints?: number) => [
      ...breakpointsIn({ model: 'gpt-6' }, { key: 'k', messages, hints }),
    ]
    expect(places([user('a')])).toEqual([0])
    expect(places([user('a'), ...step(1)])).toEqual([2, 0])
    expect(places([user('a'), ...step(1), ...step(2), user('hint')], 1)).toEqual([4, 2])
    expect(places([user('a'), user('b'), ...step(1)])).toEqual([3, 1])
    expect([...breakpointsIn({ model: 'gpt-6' }, { key: '', messages: [user('a')] })]).toEqual([])
    expect([...breakpointsIn({ model: 'gpt-5' }, { key: 'k', messages: [user('a')] })]).toEqual([])
  })

  test('mark a text without changing it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, id) => {
        const plain = JSON.stringify({ type: 'function_call_output', call_id: id, output: text })
        expect(JSON.parse(withBreakpoint(plain, 'output', 'input_text'))).toEqual({
          type: 'function_call_output',
          call_id: id,
          output: [{ type: 'input_text', text, prompt_cache_breakpoint: mark }],
        })
      }),
    )
  })

  const dialogue = [user(long), ...step(1), ...step(2), user('hint')]
  const given = { ...request, instructions: 'Be brief.', messages: dialogue, hints: 1 }
  const marked = /"prompt_cache_breakpoint":\{"mode":"explicit"\}/g

  test.each([
    {
      name: 'Chat Completions',
      connect: (name: string) => openai.connect(openai.settings.parse({ name }), context),
    },
    {
      name: 'Responses',
      connect: (name: string) => openaiResponses.connect(openaiResponses.settings.parse({ name }), context),
    },
  ])('are in requests of $name that have a key, and in no other', ({ connect }) => {
    const body = connect('gpt-5.6-sol').encode({ ...given, cacheKey: 'k' })
    expect(body.match(marked)).toHaveLength(2)
    const plain = JSON.parse(connect('gpt-5.6-sol').encode(given))
    const undone = JSON.parse(body, (_, value) =>
      Array.isArray(value) && value[0]?.prompt_cache_breakpoint ? value[0].text : value,
    )
    expect(undone).toEqual({ ...plain, prompt_cache_key: 'k' })
    expect(connect('gpt-5.5').encode({ ...given, cacheKey: 'k' })).not.toMatch(marked)
    expect(connect('gpt-5.6-sol').encode(given)).not.toMatch(marked)
    expect(connect('gpt-5.6-sol').encode({ ...request, messages: [user('Hi')], cacheKey: 'k' })).not.toMatch(
      marked,
    )
  })
})
