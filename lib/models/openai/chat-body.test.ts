import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { ModelClient, ModelRequest, ToolChoice } from '#lib/spec/model'
import { answered, asked, dialogues, tools } from '../dialogue.fixture'
import { request, service } from '../wire/hear.fixture'
import { listIn, objectIn, textIn } from '../wire/json'
import { openai } from './openai'
import { openaiCompatible } from './openai-compatible'

const context = service(() => new Response())
const plain = (settings: object = {}) => openai.connect(openai.settings.parse(settings), context)
const local = (settings: object = {}) =>
  openaiCompatible.connect(
    openaiCompatible.settings.parse({ endpoint: 'deep', name: 'm', ...settings }),
    context,
  )

function body(client: ModelClient, given: Partial<ModelRequest> = {}): JsonObject {
  return JSON.parse(client.encode({ ...request, ...given }))
}

const messages = (client: ModelClient, given: readonly Message[]): JsonValue =>
  body(client, { messages: given, instructions: '' }).messages ?? null

describe('settings', () => {
  test('S3-16: a zero is sent as 0, what is not set is not sent', () => {
    expect(body(plain())).toEqual({
      model: 'gpt-5-mini',
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
    })
    const all = { temperature: 0, topP: 0, maxOutputTokens: 9, reasoningEffort: 'low', stream: false }
    expect(body(plain({ ...all, name: 'gpt-x' }))).toEqual({
      model: 'gpt-x',
      temperature: 0,
      top_p: 0,
      max_completion_tokens: 9,
      reasoning_effort: 'low',
      stream: false,
      messages: expect.any(Array),
    })
    expect(body(local(all))).toMatchObject({ model: 'm', temperature: 0, max_tokens: 9 })
  })

  test.each([
    { temperature: 2.1 },
    { temperature: -0.1 },
    { topP: 2 },
    { maxOutputTokens: 0 },
    { name: ' ' },
  ])('that no service takes are refused: %j', (wrong) => {
    expect(openai.settings.safeParse(wrong).success).toBe(false)
  })
})

describe('tools', () => {
  test('S0-14 E-59: with none there is neither tools nor tool_choice', () => {
    expect(Object.keys(body(plain(), { toolChoice: 'auto' }))).toEqual([
      'model',
      'stream',
      'stream_options',
      'messages',
    ])
  })

  test.each<[ToolChoice, JsonValue]>([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'weather' }, { type: 'function', function: { name: 'weather' } }],
  ])('S1-14: the choice %j is exactly %j on the wire', (toolChoice, expected) => {
    expect(body(plain(), { tools, toolChoice }).tool_choice).toEqual(expected)
    expect('tool_choice' in body(plain(), { tools })).toBe(false)
  })

  test('say that they take nothing where their schema only says that it is an object', () => {
    const bare = { name: 'now', description: '', parameters: { type: 'object' } }
    expect(listIn(body(plain(), { tools: [bare] }), 'tools')[0]).toMatchObject({
      function: { parameters: { type: 'object', properties: {} } },
    })
  })

  test('go as functions with their schemas', () => {
    expect(listIn(body(plain(), { tools }), 'tools')[0]).toEqual({
      type: 'function',
      function: { name: 'weather', description: 'Tells the weather.', parameters: tools[0]?.parameters },
    })
  })
})

describe('messages', () => {
  test('E-35: there is exactly one system message, and none when there is nothing to say', () => {
    const given: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [] },
      { role: 'user', text: 'b' },
    ]
    const roles = (instructions: string) =>
      listIn(body(plain(), { messages: given, instructions }), 'messages').map(
        (each) => isObject(each) && each.role,
      )
    expect(roles('Be.')).toEqual(['system', 'user', 'assistant', 'user'])
    expect(roles('')).toEqual(['user', 'assistant', 'user'])
  })

  test('E-36: an answer of calls alone has content null for OpenAI and "" for all others; no output is said', () => {
    const given: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [asked('call_1_1', { wireId: 'abc' })] },
      answered('call_1_1', ''),
    ]
    const called = {
      id: 'abc',
      type: 'function',
      function: { name: 'weather', arguments: '{"city":"Bern"}' },
    }
    expect(messages(plain(), given)).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'abc', content: '(no output)' },
    ])
    expect(messages(local(), given)).toMatchObject([{}, { content: '' }, {}])
  })

  test('E-17 E-19 E-20: names, ids and arguments that a service would refuse are made fit', () => {
    const given: Message[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        parts: [
          asked('call_1_1', { wireId: 'same', name: 'list tables' }),
          asked('call_1_2', { wireId: 'same', rawArgs: '{"city":' }),
          asked('call_1_3', { name: '', rawArgs: '', args: {} }),
        ],
      },
      answered('call_1_1', '1'),
      answered('call_1_2', '2'),
      answered('call_1_3', '3'),
    ]
    expect(messages(plain(), given)).toMatchObject([
      {},
      {
        tool_calls: [
          { id: 'same', function: { name: 'list_tables' } },
          { id: 'call_1_2', function: { name: 'weather', arguments: '{"city":"Bern"}' } },
          { id: 'call_1_3', function: { name: 'unknown', arguments: '{}' } },
        ],
      },
      { tool_call_id: 'same' },
      { tool_call_id: 'call_1_2' },
      { tool_call_id: 'call_1_3' },
    ])
  })

  test('E-46: an image of a tool is a word in its result', () => {
    const given: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [asked('c')] },
      answered('c', '[image art_1]'),
    ]
    expect(messages(plain(), given)).toMatchObject([{}, {}, { content: '[image art_1]' }])
  })

  test('S0-12: calls go in the modern form, whatever form they came in', () => {
    const text = JSON.stringify(
      messages(plain(), [{ role: 'assistant', parts: [asked('c')] }, answered('c', 'x')]),
    )
    expect(text).toContain('tool_calls')
    expect(text).not.toMatch(/function_call|"role":"function"/)
  })
})

describe('thoughts', () => {
  const mark = { type: 'opaque', provider: 'openai-compatible' } as const
  const thinking = (data: JsonObject): Message[] => [
    { role: 'user', text: 'a' },
    { role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }, asked('c'), { ...mark, data }] },
    answered('c', 'x'),
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'So.' },
        { type: 'text', text: 'Yes' },
        { ...mark, data },
      ],
    },
    { role: 'user', text: 'b' },
    {
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Oh.' },
        { type: 'text', text: 'No' },
        { ...mark, data },
      ],
    },
  ]

  test('go back where they came from, as long as tools are at work', () => {
    const given = thinking({ endpoint: 'deep', field: 'reasoning_content' })
    const thoughts = listOf(messages(local(), given)).map((each) => each.reasoning_content)
    expect(thoughts).toEqual([undefined, 'Hm.', undefined, 'So.', undefined, undefined])
  })

  test('are nothing to another endpoint, and nothing to OpenAI', () => {
    const given = thinking({ endpoint: 'other', field: 'reasoning_content' })
    expect(JSON.stringify(messages(local(), given))).not.toMatch(/Hm|So|Oh|reasoning/)
    expect(JSON.stringify(messages(plain(), thinking({ endpoint: 'deep', field: 'x' })))).not.toMatch(
      /Hm|So|Oh/,
    )
  })

  test('go back in their details and beside their calls where they came so', () => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 's' }]
    const extras = [{ google: { thought_signature: 'sig' } }]
    const given = thinking({ endpoint: 'deep', details, extras })
    expect(messages(local(), given)).toMatchObject([
      {},
      { reasoning_details: details, tool_calls: [{ extra_content: extras[0] }] },
      {},
      { reasoning_details: details },
      {},
      { content: 'No' },
    ])
  })
})

function listOf(value: JsonValue): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The rules that the service checks on a dialogue. */
function complaints(body: JsonObject): string[] {
  const found: string[] = []
  let open: string[] = []
  for (const [at, message] of listIn(body, 'messages').filter(isObject).entries()) {
    if (message.role === 'tool') {
      if (!open.includes(textIn(message, 'tool_call_id'))) found.push(`${at}: result of nothing`)
      if (textIn(message, 'content') === '') found.push(`${at}: empty result`)
      open = open.filter((id) => id !== message.tool_call_id)
      continue
    }
    if (open.length > 0) found.push(`${at}: calls without results`)
    const calls = listIn(message, 'tool_calls').filter(isObject)
    if (message.tool_calls !== undefined && calls.length === 0) found.push(`${at}: empty tool_calls`)
    if (typeof message.content !== 'string' && !(message.content === null && calls.length > 0))
      found.push(`${at}: no content`)
    open = calls.map((each) => textIn(each, 'id'))
    if (new Set(open).size < open.length) found.push(`${at}: an id twice`)
    for (const each of calls) {
      const called = objectIn(each, 'function')
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textIn(called, 'name'))) found.push(`${at}: bad name`)
      if (!isObject(JSON.parse(textIn(called, 'arguments')))) found.push(`${at}: arguments are no object`)
    }
  }
  return found
}

test('S0-12 E-17 E-20 E-35 E-36: every paired dialogue makes a body that the service takes', () => {
  fc.assert(
    fc.property(dialogues, (given) => {
      expect(complaints(body(plain(), { messages: given, tools }))).toEqual([])
      expect(complaints(body(local(), { messages: given }))).toEqual([])
    }),
  )
})

test('the bytes are the same from any client, whatever it has encoded before', () => {
  fc.assert(
    fc.property(dialogues, (given) => {
      const used = local()
      for (let count = 1; count < given.length; count++)
        used.encode({ ...request, messages: given.slice(0, count) })
      const again = structuredClone(given)
      expect(used.encode({ ...request, messages: given, tools })).toBe(
        local().encode({ ...request, messages: again, tools }),
      )
    }),
  )
})

test('each message and each tool is written once, however often it is sent', () => {
  let written = 0
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, key, receiver) {
        if (key === 'text' || key === 'description') written += 1
        return Reflect.get(target, key, receiver)
      },
    })
  const client = plain()
  const wires = tools.map(counted)
  const given: Message[] = []
  for (let step = 1; step <= 50; step++) {
    given.push(counted<Message>({ role: 'user', text: `m${step}` }))
    client.encode({ ...request, messages: [...given], tools: wires, step })
  }
  expect(written).toBe(50 + tools.length)
})
