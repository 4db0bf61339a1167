import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { ModelRequest } from '#lib/spec/model'
import { answered, asked, tools } from '../dialogue.fixture'
import { request, service } from '../wire/hear.fixture'
import { anthropic } from './anthropic'
import { cacheMinimumOf } from './cache-marks'

const context = service(() => new Response())
const mark = { type: 'ephemeral' }
const long = 'A long text. '.repeat(400)

function body(given: Partial<ModelRequest>, settings: object = {}): JsonObject {
  const client = anthropic.connect(anthropic.settings.parse(settings), context)
  return JSON.parse(client.encode({ ...request, cacheKey: 'key', ...given }))
}

/** Where the marks of a body are. */
function marks({ tools: listed, system, messages }: JsonObject): string[] {
  const found: string[] = []
  const look = (value: unknown, at: string) => {
    if (!Array.isArray(value)) return
    for (const [index, each] of value.entries()) {
      if (each.cache_control !== undefined) {
        expect(each.cache_control).toEqual(mark)
        found.push(`${at}${index}`)
      }
      look(each.content, `${at}${index}.`)
    }
  }
  look(listed, 'tools.')
  look(system, 'system.')
  look(messages, '')
  return found
}

const steps = (count: number): Message[] => [
  { role: 'user', text: 'a' },
  ...Array.from({ length: count }, (_, step): Message[] => [
    { role: 'assistant', parts: [asked(`call_${step}_1`), asked(`call_${step}_2`)] },
    answered(`call_${step}_1`, 'one'),
    answered(`call_${step}_2`, 'two'),
  ]).flat(),
]

describe('cache marks', () => {
  const bigTools = tools.map((each) => ({ ...each, description: long }))

  test('stand at the last tool, the system text and the last two turns of the user', () => {
    const found = marks(body({ tools: bigTools, instructions: long, messages: steps(4) }))
    expect(found).toEqual([`tools.${tools.length - 1}`, 'system.0', '6.1', '8.1'])
  })

  test('stand before the hints, which the next request does not repeat', () => {
    const hints: Message[] = [
      { role: 'user', text: 'one more step' },
      { role: 'user', text: 'hurry' },
    ]
    const given = { instructions: long, messages: [...steps(2), ...hints], hints: 2 }
    expect(marks(body(given))).toEqual(['system.0', '2.1', '4.1'])
  })

  test('skip the words that only fill the place of the user', () => {
    const messages: Message[] = [...steps(1), { role: 'assistant', parts: [{ type: 'text', text: 'Hm.' }] }]
    const { messages: sent } = body({ instructions: long, messages })
    expect(JSON.stringify(sent)).toContain('Go on.')
    expect(marks(body({ instructions: long, messages }))).toEqual(['system.0', '0.0', '2.1'])
  })

  test('stand nowhere in a beginning that is too short for the model, and are counted from its first byte', () => {
    expect(marks(body({ tools, messages: steps(3) }))).toEqual([])
    const messages: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [{ type: 'text', text: long }] },
      { role: 'user', text: 'b' },
    ]
    expect(marks(body({ messages }))).toEqual(['2.0'])
    expect(marks(body({ messages }, { name: 'claude-haiku-4-5' }))).toEqual([])
  })

  test('are not set without a key, nor where a person asks for caching in another way', () => {
    const given = { tools: bigTools, instructions: long, messages: steps(1) }
    expect(JSON.stringify(body({ ...given, cacheKey: undefined as never }))).not.toContain('cache_control') // cast: an absent key
    const own = body(given, { extra: { cache_control: mark } })
    expect([marks(own), own.cache_control]).toEqual([[], mark])
  })

  test.each([
    ['claude-sonnet-5-5', 1_024],
    ['claude-opus-5-5', 512],
    ['claude-opus-4-7', 2_048],
    ['claude-opus-4-6-20260205', 4_096],
    ['claude-haiku-4-5-20251001', 4_096],
    ['a model of tomorrow', 1_024],
  ])('of %s begin at %i tokens', (name, minimum) => expect(cacheMinimumOf(name)).toBe(minimum))
})
