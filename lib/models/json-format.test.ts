/**
 * Tests of answers that must be one JSON object: requested from providers that can enforce it, and dropped if
 * the provider refuses.
 */
import { describe, expect, test } from 'vitest'
import type { ModelClient, ModelRequest } from '#lib/spec/model'
import { anthropic } from './anthropic/anthropic'
import { openai } from './openai/openai'
import { openaiCompatible } from './openai/openai-compatible'
import { openaiResponses } from './openai/openai-responses'
import { heard, request, service } from './wire/hear.fixture'

const refusing = (message: string, status = 400) =>
  service(
    () =>
      new Response(JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }), {
        status,
        headers: { 'content-type': 'application/json' },
      }),
  )
const silent = service(() => new Response())
const settings = { name: 'm', endpoint: 'deep' }
const chat = (context = silent) => openai.connect(openai.settings.parse({ name: 'm' }), context)
const local = (context = silent) =>
  openaiCompatible.connect(openaiCompatible.settings.parse(settings), context)
const newer = (context = silent) =>
  openaiResponses.connect(openaiResponses.settings.parse({ name: 'm' }), context)

const json: Partial<ModelRequest> = { instructions: 'Every answer is one JSON object.', json: true }
const body = (client: ModelClient, given: Partial<ModelRequest>) =>
  JSON.parse(client.encode({ ...request, ...given }))

describe('S2-11 an answer in JSON', () => {
  test('S2-11 E-18 is asked for by response_format, or text.format, with the word in the prompt', () => {
    for (const client of [chat(), local()]) {
      const asked = body(client, json)
      expect(asked.response_format).toEqual({ type: 'json_object' })
      expect(JSON.stringify(asked.messages)).toContain('JSON')
      expect(body(client, {})).not.toHaveProperty('response_format')
    }
    const asked = body(newer(), json)
    expect(asked.text).toEqual({ format: { type: 'json_object' } })
    // Instructions do not count there.
    expect(JSON.stringify(asked.input)).toContain('JSON')
    expect(body(newer(), {})).not.toHaveProperty('text')
  })

  test('S2-11 is left out for a provider that has no such thing', () => {
    const client = anthropic.connect(anthropic.settings.parse({ name: 'm' }), silent)
    expect(client.encode({ ...request, ...json })).toBe(
      client.encode({ ...request, instructions: json.instructions ?? '' }),
    )
  })

  test.each([
    ["'response_format.type' must be 'json_schema' or 'text'", 400],
    ['response_format is not supported by this model', 422],
    ["Invalid parameter: 'text.format' of type 'json_object' is not supported with this model.", 400],
  ])('S2-11 E-18 refused by %j, it is told as such, to be made again at once', async (message, status) => {
    for (const client of [
      chat(refusing(message, status)),
      local(refusing(message, status)),
      newer(refusing(message, status)),
    ])
      expect(await heard(client, json)).toMatchObject([
        {
          type: 'fault',
          fault: { code: 'json_refused', retry: 'now', message: expect.stringContaining(message) },
        },
      ])
  })

  test('S2-11 any other refusal, and the same words where no JSON was asked for, stay what they are', async () => {
    expect(await heard(chat(refusing('temperature is not supported')), json)).toMatchObject([
      { fault: { code: 'bad_request' } },
    ])
    const words = 'response_format is not supported'
    const quoting = {
      messages: [{ role: 'user' as const, text: '"response_format":{"type":"json_object"}' }],
    }
    expect(await heard(chat(refusing(words)), quoting)).toMatchObject([{ fault: { code: 'bad_request' } }])
  })
})
