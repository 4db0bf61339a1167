/** Tests of the model server itself, with plain requests. */
import { afterEach, describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import { type Behaviour, forms, type Wire } from './behaviour'
import { cutBytes, joined } from './bytes'
import { createFetchServer } from './fetch'
import { type ModelServer, type ModelServerOptions, startModelServer } from './model-server'

let server: ModelServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function open(options: ModelServerOptions): Promise<ModelServer> {
  server = await startModelServer(options)
  return server
}

const tools: Record<Wire, JsonObject[]> = {
  openai: [{ type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } }],
  anthropic: [{ name: 'find', input_schema: { type: 'object' } }],
  responses: [
    { type: 'function', name: 'find', parameters: { type: 'object', properties: {} }, strict: false },
  ],
}

const paths: Record<Wire, string> = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  responses: '/v1/responses',
}

function requestTo(wire: Wire, given: JsonObject = {}): [string, RequestInit] {
  const body: JsonObject = {
    model: 'm',
    [wire === 'responses' ? 'input' : 'messages']: [{ role: 'user', content: 'How much?' }],
    tools: tools[wire],
    ...(wire === 'anthropic' ? { max_tokens: 100 } : {}),
    ...given,
  }
  return [
    paths[wire],
    { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
  ]
}

function ask(wire: Wire, given: JsonObject = {}): Promise<Response> {
  const [path, init] = requestTo(wire, given)
  return fetch(`${server?.anthropicUrl}${path}`, init)
}

const say: Behaviour['say'] = {
  reasoning: 'Hm.',
  text: 'Let me see.',
  calls: [{ name: 'find', args: { q: 'ä' } }],
}
const wires: Wire[] = ['openai', 'anthropic', 'responses']

describe('the model server', () => {
  test('streams an answer in the events of OpenAI, usage and [DONE] at the end', async () => {
    await open({ behaviour: [{ say }] })
    const response = await ask('openai', { stream: true, stream_options: { include_usage: true } })
    const frames = (await response.text()).split('\n\n').filter((each) => each !== '')
    expect(response.headers.get('content-type')).toMatch('text/event-stream')
    expect(frames[0]).toContain('"role":"assistant"')
    expect(frames.at(-1)).toBe('data: [DONE]')
    expect(frames.at(-2)).toContain('"choices":[],"usage":{')
    expect(frames.at(-3)).toContain('"finish_reason":"tool_calls"')
  })

  test('streams an answer in the events of Anthropic, thoughts sealed', async () => {
    await open({ behaviour: [{ say }] })
    const text = await (await ask('anthropic', { stream: true })).text()
    const names = [...text.matchAll(/^event: (.+)$/gm)].map((each) => each[1])
    expect([...new Set(names)]).toEqual([
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    expect(text).toContain('"signature_delta"')
    expect(text).toContain('"stop_reason":"tool_use"')
  })

  test('streams an answer in the events of Responses, thoughts sealed only when asked for', async () => {
    await open({ behaviour: [{ say }, { say }] })
    const include = ['reasoning.encrypted_content']
    const text = await (await ask('responses', { stream: true, include })).text()
    const names = [...text.matchAll(/^event: (.+)$/gm)].map((each) => each[1])
    expect([...new Set(names)]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.completed',
    ])
    expect(text).toContain('"encrypted_content":"gAAAA')
    expect(await (await ask('responses', { stream: true })).text()).not.toContain('encrypted_content')
  })

  test.each(wires)('gives %s one JSON text when nothing is streamed', async (wire) => {
    await open({ behaviour: [{ say }] })
    expect(JSON.stringify(await (await ask(wire)).json())).toContain('Let me see.')
  })

  test.each(wires)('refuses what %s refuses, in its words, and keeps the request', async (wire) => {
    const { requests } = await open({})
    const response = await ask(wire, { tools: [{}] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    expect(requests[0]?.refusal?.message).toMatch(/tools/)
  })

  test('asks for its key, and lists its models to whoever has it', async () => {
    const { openaiUrl } = await open({ key: 'sk-right' })
    expect((await ask('openai')).status).toBe(401)
    expect((await fetch(`${openaiUrl}/models`)).status).toBe(401)
    const list = await fetch(`${openaiUrl}/models`, { headers: { authorization: 'Bearer sk-right' } })
    expect(await list.json()).toMatchObject({ object: 'list', data: [{ id: 'model-large' }, {}] })
    const other = await fetch(`${openaiUrl}/models`, {
      headers: { 'x-api-key': 'sk-right', 'anthropic-version': '2023-06-01' },
    })
    expect(await other.json()).toMatchObject({ has_more: false, data: [{ type: 'model' }, {}] })
  })

  test('tells when a response was left', async () => {
    const opened = await open({ behaviour: [{ say, fault: { stallAfter: 1 } }] })
    const stop = new AbortController()
    const [path, init] = requestTo('openai', { stream: true })
    const response = await fetch(`${opened.anthropicUrl}${path}`, { ...init, signal: stop.signal })
    expect(response.status).toBe(200)
    stop.abort()
    expect((await opened.leaving()).n).toBe(1)
    expect(opened.left).toHaveLength(1)
  })

  test.each(wires)('breaks off %s after exactly so many bytes', async (wire) => {
    const opened = await open({
      behaviour: [{ say }, { say, fault: { cutAt: 100 } }, { say, fault: { cutAt: 1e9 } }],
    })
    const [path, init] = requestTo(wire, { stream: true })
    const whole = await (await fetch(`${opened.anthropicUrl}${path}`, init)).text()
    const response = await fetch(`${opened.anthropicUrl}${path}`, init)
    const parts: Uint8Array[] = []
    const reading = async () => {
      const reader = response.body?.getReader()
      for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read())
        parts.push(read.value)
    }
    await expect(reading()).rejects.toThrow('terminated')
    expect(new TextDecoder().decode(joined(parts))).toBe(
      whole.slice(0, 100).replaceAll('_1', '_2').replaceAll('-1', '-2'),
    )
    await expect(fetch(`${opened.anthropicUrl}${path}`, init).then((each) => each.text())).resolves.toMatch(
      /finish_reason|message_stop|response\.completed/,
    )
  })

  test.each(wires)('without its sockets it says the same to %s', async (wire) => {
    const opened = await open({ behaviour: [{ say }] })
    const plain = createFetchServer({ behaviour: [{ say }, { say, fault: { cutAt: 50 } }] })
    const [path, init] = requestTo(wire, { stream: true })
    const one = await (await fetch(`${opened.anthropicUrl}${path}`, init)).text()
    const other = await plain.fetch(`http://model.test${path}`, init)
    expect(await other.text()).toBe(one)
    const cut = await plain.fetch(`http://model.test${path}`, init)
    await expect(cut.text()).rejects.toThrow('terminated')
  })

  test('cuts bytes without losing one', () => {
    const bytes = new TextEncoder().encode('äöü '.repeat(50))
    for (const chunks of ['whole', 'bytes', { size: 3 }, { random: 7 }] as const)
      expect(joined(cutBytes(bytes, chunks))).toEqual(bytes)
  })

  test.each(forms)('writes events in the form: %s', async (form) => {
    await open({ behaviour: [{ say, form }] })
    const text = await (await ask('openai', { stream: true })).text()
    expect(text).toContain('[DONE]')
    expect(text.includes('\r\n')).toBe(form === 'crlf')
    expect(text.includes('\n')).toBe(form !== 'cr')
  })

  test.each(wires)(
    'as the demo it calls over the wire of %s, and answers with what came back',
    async (wire) => {
      await open({ behaviour: 'demo' })
      const calculate = { name: 'math_calculate', description: 'Evaluates one expression.' }
      const schema = {
        type: 'object',
        properties: { expression: { type: 'string' } },
        required: ['expression'],
      }
      const offered: Record<Wire, JsonObject> = {
        openai: { type: 'function', function: { ...calculate, parameters: schema } },
        anthropic: { ...calculate, input_schema: schema },
        responses: { type: 'function', ...calculate, parameters: schema, strict: false },
      }
      const question = { role: 'user', content: 'What is 12 * 12?' }
      const key = wire === 'responses' ? 'input' : 'messages'
      const told = async (dialogue: JsonObject[]) => {
        const response = await ask(wire, { tools: [offered[wire]], [key]: dialogue })
        return JSON.stringify(await response.json())
      }
      const first = await told([question])
      expect(first).toContain('math_calculate')
      const dialogues: Record<Wire, JsonObject[]> = {
        openai: [
          {
            role: 'assistant',
            tool_calls: [
              {
                id: 'a',
                type: 'function',
                function: { name: 'math_calculate', arguments: '{"expression":"12 * 12"}' },
              },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: '144' },
        ],
        anthropic: [
          {
            role: 'assistant',
            content: [
              { type: 'tool_use', id: 'a', name: 'math_calculate', input: { expression: '12 * 12' } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: '144' }] },
        ],
        responses: [
          {
            type: 'function_call',
            call_id: 'a',
            name: 'math_calculate',
            arguments: '{"expression":"12 * 12"}',
          },
          { type: 'function_call_output', call_id: 'a', output: '144' },
        ],
      }
      expect(await told([question, ...dialogues[wire]])).toContain('144')
    },
  )
})
