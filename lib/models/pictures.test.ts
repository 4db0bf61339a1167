import { describe, expect, test } from 'vitest'
import { refusalOfAnthropic } from '#e2e/model-server/refusal-anthropic'
import { refusalOfOpenai } from '#e2e/model-server/refusal-openai'
import { refusalOfResponses } from '#e2e/model-server/refusal-responses'
import type { Message } from '#lib/spec/message'
import type { ModelClient, ModelRequest } from '#lib/spec/model'
import { anthropic } from './anthropic/anthropic'
import { openai } from './openai/openai'
import { openaiCompatible } from './openai/openai-compatible'
import { openaiResponses } from './openai/openai-responses'
import { request, service } from './wire/hear.fixture'

const context = service(() => new Response())
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const shown: Message = {
  role: 'user',
  text: 'What is this?',
  pictures: [
    { artifact: 'a1', name: 'dot.png', mediaType: 'image/png', bytes: 70, width: 1, height: 1, data: png },
  ],
}
const url = `data:image/png;base64,${png}`

const clients = {
  chat: (name = 'gpt-5-mini') => openai.connect(openai.settings.parse({ name }), context),
  responses: (name = 'gpt-5-mini') =>
    openaiResponses.connect(openaiResponses.settings.parse({ name }), context),
  anthropic: (name = 'claude-sonnet-5-5') => anthropic.connect(anthropic.settings.parse({ name }), context),
}

const body = (client: ModelClient, given: Partial<ModelRequest> = {}) =>
  JSON.parse(client.encode({ ...request, messages: [shown], ...given }))

describe('E-46 a picture of a message is written', () => {
  test('for Chat Completions before its text, as data in the request', () => {
    const sent = body(clients.chat())
    expect(sent.messages.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'What is this?' },
      ],
    })
    expect(refusalOfOpenai(sent)).toBeUndefined()
  })

  test('for Responses before its text, as data in the request', () => {
    const sent = body(clients.responses())
    expect(sent.input).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_image', detail: 'auto', image_url: url },
          { type: 'input_text', text: 'What is this?' },
        ],
      },
    ])
    expect(refusalOfResponses(sent)).toBeUndefined()
  })

  test('for Anthropic as a block before its text', () => {
    const sent = body(clients.anthropic())
    expect(sent.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'text', text: 'What is this?' },
        ],
      },
    ])
    expect(refusalOfAnthropic(sent)).toBeUndefined()
  })

  test.each(['chat', 'responses'] as const)('with a mark for the cache on its text, for %s', (wire) => {
    const sent = body(clients[wire]('gpt-5.6-sol'), { cacheKey: 'k', instructions: 'x '.repeat(9_000) })
    const said = wire === 'chat' ? sent.messages.at(-1) : sent.input.at(-1)
    expect(said.content.map((part: object) => 'prompt_cache_breakpoint' in part)).toEqual([false, true])
  })

  test.each(['chat', 'responses', 'anthropic'] as const)(
    'the same way in each request of a dialogue, for %s',
    (wire) => {
      const client = clients[wire]()
      const more: Message[] = [
        shown,
        { role: 'assistant', parts: [{ type: 'text', text: 'A dot.' }] },
        { role: 'user', text: 'Sure?' },
      ]
      const first = client.encode({ ...request, messages: [shown] })
      const later = client.encode({ ...request, messages: more })
      expect(later).toContain(png)
      expect(clients[wire]().encode({ ...request, messages: more })).toBe(later)
      expect(client.encode({ ...request, messages: [shown] })).toBe(first)
    },
  )
})

describe('E-46 a model sees pictures', () => {
  test.each<[boolean, ModelClient]>([
    [true, clients.chat('gpt-4o-mini')],
    [true, clients.chat('o3')],
    [false, clients.chat('o3-mini')],
    [false, clients.chat('unheard-of')],
    [true, clients.responses('gpt-5.6-sol')],
    [true, clients.anthropic('claude-sonnet-5-5')],
    [false, clients.anthropic('claude-2.1')],
  ])('%s, as is known of it', (sees, client) => {
    expect(client.seesPictures).toBe(sees)
  })

  test('where its settings say so, whatever is known of it', () => {
    const local = (pictures?: string) =>
      openaiCompatible.connect(
        openaiCompatible.settings.parse({ endpoint: 'deep', name: 'gpt-4o', ...(pictures && { pictures }) }),
        context,
      ).seesPictures
    expect([local(), local('send'), local('leave_out')]).toEqual([false, true, false])
    const blind = openai.settings.parse({ name: 'gpt-4o', pictures: 'leave_out' })
    expect(openai.connect(blind, context).seesPictures).toBe(false)
  })
})

describe('the test model server refuses a picture', () => {
  const chat = (image: unknown) =>
    refusalOfOpenai({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: image }] }],
    })
  test.each<[string, unknown, RegExp]>([
    ['of a kind that services do not take', { url: url.replace('png', 'tiff') }, /media type/],
    ['that is no base64', { url: 'data:image/png;base64,??' }, /invalid base64/],
    ['that is not what it says', { url: url.replace('image/png', 'image/gif') }, /is not image\/gif/],
    ['that is a bare text', url, /expected an object/],
  ])('%s', (_, image, message) => {
    expect(chat(image)?.message).toMatch(message)
  })
})
