import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { ModelRequest, ToolChoice } from '#lib/spec/model'
import { answered, asked, dialogues, tools } from '../dialogue.fixture'
import { request, service } from '../wire/hear.fixture'
import { listIn, textIn } from '../wire/json'
import { anthropic } from './anthropic'

const connect = (settings: object = {}) =>
  anthropic.connect(
    anthropic.settings.parse(settings),
    service(() => new Response()),
  )

function body(given: Partial<ModelRequest> = {}, settings: object = {}): JsonObject {
  return JSON.parse(connect(settings).encode({ ...request, ...given }))
}

const messages = (given: readonly Message[]): JsonValue => body({ messages: given }).messages ?? null

describe('settings', () => {
  test('S3-16: a zero is sent as 0, what is not set is not sent but the limit the API asks for', () => {
    expect(body({ instructions: '' })).toEqual({
      model: 'claude-sonnet-5-5',
      max_tokens: 4096,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    })
    const all = {
      temperature: 0,
      topP: 0,
      maxOutputTokens: 9_000,
      reasoningEffort: 'xhigh',
      thinkingTokens: 2_000,
    }
    expect(body({}, { ...all, stream: false })).toMatchObject({
      temperature: 0,
      top_p: 0,
      max_tokens: 9_000,
      output_config: { effort: 'xhigh' },
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      stream: false,
      system: 'Be brief.',
    })
    // The token limit must leave room beyond the thinking budget.
    expect(body({}, { thinkingTokens: 8_000 })).toMatchObject({ max_tokens: 12_096 })
  })

  test.each([{ temperature: 1.1 }, { thinkingTokens: 1_000 }, { reasoningEffort: 'minimal' }])(
    'that the API does not know are refused: %j',
    (wrong) => expect(anthropic.settings.safeParse(wrong).success).toBe(false),
  )
})

describe('tools', () => {
  test('S0-14 E-59: with none and no calls there is neither tools nor tool_choice', () => {
    expect(Object.keys(body({ toolChoice: 'auto' }))).toEqual([
      'model',
      'max_tokens',
      'stream',
      'system',
      'messages',
    ])
  })

  test.each<[ToolChoice, JsonValue]>([
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'any' }],
    [{ tool: 'weather' }, { type: 'tool', name: 'weather' }],
  ])('S1-14: the choice %j is exactly %j on the wire', (toolChoice, expected) => {
    expect(body({ tools, toolChoice }).tool_choice).toEqual(expected)
    expect('tool_choice' in body({ tools })).toBe(false)
  })

  test.each<ToolChoice>(['required', { tool: 'weather' }])(
    'S4-37: the choice %j is left to a model that thinks, since the API refuses to force it',
    (toolChoice) => {
      expect(body({ tools, toolChoice }, { thinkingTokens: 2_000 }).tool_choice).toEqual({ type: 'auto' })
    },
  )

  test('S1-29: go with input_schema; those a dialogue has called are named though they are offered no more', () => {
    expect(body({ tools }).tools).toEqual([
      { name: 'weather', description: 'Tells the weather.', input_schema: tools[0]?.parameters },
      { name: 'time_now', input_schema: { type: 'object', properties: {} } },
    ])
    const given: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [asked('c')] },
      answered('c', 'x'),
    ]
    expect(body({ messages: given })).toMatchObject({
      tools: [{ name: 'weather', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    })
  })
})

describe('S1-29: messages', () => {
  test('alternate, with results first and in call order', () => {
    const given: Message[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        parts: [
          { type: 'text', text: ' ' },
          asked('call_1_1', { wireId: 'toolu_1' }),
          asked('call_1_2', { wireId: 'not legal' }),
        ],
      },
      answered('call_1_1', ''),
      answered('call_1_2', 'Error: no', true),
      { role: 'user', text: 'b' },
      { role: 'user', text: ' ' },
    ]
    expect(messages(given)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Bern' } },
          { type: 'tool_use', id: 'call_1_2', name: 'weather', input: { city: 'Bern' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: '(no output)' },
          { type: 'tool_result', tool_use_id: 'call_1_2', content: 'Error: no', is_error: true },
          { type: 'text', text: 'b' },
          { type: 'text', text: '(no text)' },
        ],
      },
    ])
  })

  test('L16: bring back blocks as they came and where they stood, those of other services not', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln', strange: [1] }
    const given: Message[] = [
      { role: 'user', text: 'a' },
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'opaque', provider: 'anthropic', data: thought },
          { type: 'text', text: 'Well.' },
          { type: 'opaque', provider: 'openai-compatible', data: { endpoint: 'x' } },
          { type: 'opaque', provider: 'anthropic', data: { type: 'redacted_thinking', data: 'x' } },
          asked('c'),
        ],
      },
      answered('c', 'x'),
    ]
    expect(messages(given)).toMatchObject([
      {},
      {
        content: [
          thought,
          { type: 'text', text: 'Well.' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'tool_use' },
        ],
      },
      {},
    ])
    expect(JSON.stringify(messages(given))).not.toContain('reasoning')
  })

  test('L16: end an answer that was stopped between its thoughts with its words', () => {
    const thought = { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }
    const opaque = { type: 'opaque', provider: 'anthropic', data: thought } as const
    const given: Message[] = [
      { role: 'user', text: 'a' },
      { role: 'assistant', parts: [opaque, { type: 'text', text: 'Well.' }, opaque] },
      { role: 'user', text: 'b' },
    ]
    expect(messages(given)).toMatchObject([
      {},
      { content: [thought, { type: 'text', text: 'Well.' }] },
      { role: 'user' },
    ])
    expect(
      messages([
        { role: 'user', text: 'a' },
        { role: 'assistant', parts: [opaque] },
      ]),
    ).toEqual([{ role: 'user', content: [{ type: 'text', text: 'a' }] }])
  })

  test('begin and end with the user', () => {
    const given: Message[] = [{ role: 'assistant', parts: [{ type: 'text', text: 'Hello ' }] }]
    expect(messages(given)).toMatchObject([{ role: 'user' }, { role: 'assistant' }, { role: 'user' }])
  })
})

/** The rules that the API checks on a dialogue. */
function complaints({ messages, tools, tool_choice }: JsonObject): string[] {
  const found: string[] = []
  const turns = Array.isArray(messages) ? messages.filter(isObject) : []
  let open: string[] = []
  const used = new Set<string>()
  turns.forEach((turn, at) => {
    if (turn.role !== (at % 2 === 0 ? 'user' : 'assistant')) found.push(`${at}: the turn of another`)
    const blocks = listIn(turn, 'content').filter(isObject)
    if (blocks.length === 0) found.push(`${at}: empty`)
    const results = blocks
      .filter((each) => each.type === 'tool_result')
      .map((each) => textIn(each, 'tool_use_id'))
    if (JSON.stringify(results) !== JSON.stringify(open)) found.push(`${at}: results of other calls`)
    if (blocks.slice(0, results.length).some((each) => each.type !== 'tool_result'))
      found.push(`${at}: results late`)
    open = []
    for (const block of blocks) {
      if (block.type === 'text' && textIn(block, 'text').trim() === '') found.push(`${at}: blank text`)
      if (block.type !== 'tool_use') continue
      const id = textIn(block, 'id')
      open.push(id)
      if (!/^[a-zA-Z0-9_-]+$/.test(id) || used.has(id)) found.push(`${at}: bad id ${id}`)
      used.add(id)
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(textIn(block, 'name'))) found.push(`${at}: bad name`)
      if (!isObject(block.input)) found.push(`${at}: input is no object`)
    }
  })
  if (turns.at(-1)?.role !== 'user') found.push('ends with an answer')
  if (tools === undefined && (used.size > 0 || tool_choice !== undefined)) found.push('no tools')
  return found
}

test('S1-29: every paired dialogue makes a body that the API takes', () => {
  fc.assert(
    fc.property(dialogues, (given) => {
      expect(complaints(body({ messages: given, tools }))).toEqual([])
      expect(complaints(body({ messages: given }))).toEqual([])
    }),
  )
})

test('the bytes are the same from any client, whatever it has encoded before', () => {
  fc.assert(
    fc.property(dialogues, (given) => {
      const used = connect()
      for (let count = 1; count < given.length; count++)
        used.encode({ ...request, messages: given.slice(0, count) })
      const again = structuredClone(given)
      expect(used.encode({ ...request, messages: given, tools })).toBe(
        connect().encode({ ...request, messages: again, tools }),
      )
    }),
  )
})
