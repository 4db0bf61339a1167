/**
 * Tests what the simulated Responses API accepts and rejects, and that the official
 * client can read its answers.
 */
import { OpenAI } from 'openai'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { startModelServer } from './model-server'
import { refusalOfResponses } from './refusal-responses'

const user: JsonObject = { role: 'user', content: 'hi' }
const call: JsonObject = { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' }
const output: JsonObject = { type: 'function_call_output', call_id: 'a', output: 'x' }
const thought: JsonObject = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }
const tool: JsonObject = {
  type: 'function',
  name: 'find',
  description: '',
  parameters: { type: 'object', properties: {} },
  strict: false,
}
const body = (more: JsonObject): JsonObject => ({ model: 'gpt-5', input: [user], store: false, ...more })

test.each<[string, JsonObject]>([
  ['a question', {}],
  ['tools and a choice', { tools: [tool], tool_choice: { type: 'function', name: 'find' } }],
  [
    'calls side by side',
    { input: [user, thought, call, { ...call, call_id: 'b' }, { ...output, call_id: 'b' }, output] },
  ],
  [
    'all settings',
    { temperature: 0, top_p: 1, max_output_tokens: 9, reasoning: { effort: 'low', summary: 'auto' } },
  ],
])('OpenAI takes %s', (_, more) => expect(refusalOfResponses(body(more))).toBeUndefined())

test.each<[string, unknown, RegExp]>([
  ['no JSON', undefined, /parse the JSON/],
  ['keys of Chat Completions', body({ messages: [], reasoning_effort: 'low' }), /unknown key/],
  ['nothing to answer', body({ input: [] }), /empty array/],
  [
    'tools of Chat Completions',
    body({ tools: [{ type: 'function', function: { name: 'find' } }] }),
    /unknown key/,
  ],
  ['a strict tool with an open schema', body({ tools: [{ ...tool, strict: true }] }), /additionalProperties/],
  [
    'a choice of no tool',
    body({ tools: [tool], tool_choice: { type: 'function', name: 'x' } }),
    /names no tool/,
  ],
  ['a call without its result', body({ input: [user, call] }), /No tool output found/],
  ['a result without its call', body({ input: [user, output] }), /No tool call found/],
  ['a thought that nothing follows', body({ input: [user, thought] }), /required following item/],
  [
    'a thought left at the service',
    body({ input: [{ ...thought, encrypted_content: null }, call, output] }),
    /not persisted/,
  ],
  [
    'thoughts of a model that has none',
    body({ model: 'gpt-4o', include: ['reasoning.encrypted_content'] }),
    /not supported/,
  ],
  [
    'thoughts for a model that has none',
    body({ model: 'gpt-4o', input: [thought, call, output] }),
    /reasoning model/,
  ],
  ['an empty result', body({ input: [user, call, { ...output, output: '' }] }), /non-empty/],
])('OpenAI refuses %s', (_, given, message) => expect(refusalOfResponses(given)?.message).toMatch(message))

describe('the official client', () => {
  test('reads a stream and one body of the stand-in alike', async () => {
    const say = {
      reasoning: 'Hm, ä.',
      text: 'Let me see.',
      calls: [{ name: 'find', args: { q: 'a' } }],
    }
    const server = await startModelServer({ behaviour: () => ({ say }) })
    try {
      const client = new OpenAI({ baseURL: server.openaiUrl, apiKey: 'none', maxRetries: 0 })
      const asked = { model: 'gpt-5', input: 'How much?' }
      const list = { ...asked, input: [{ role: 'user' as const, content: 'How much?' }] }
      const streamed = await client.responses.stream(list).finalResponse()
      const whole = await client.responses.create(list)
      for (const { output, output_text: text, status, usage } of [streamed, whole]) {
        expect([status, text]).toEqual(['completed', 'Let me see.'])
        expect(output).toMatchObject([
          { type: 'reasoning', summary: [{ text: 'Hm, ä.' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'Let me see.' }] },
          { type: 'function_call', name: 'find', arguments: '{"q":"a"}' },
        ])
        expect(usage?.output_tokens).toBeGreaterThan(0)
      }
    } finally {
      await server.close()
    }
  })
})
