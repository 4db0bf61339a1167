import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalOfResponses } from '#e2e/model-server/refusal-responses'
import type { JsonObject } from '#lib/spec/json'
import type { Message, Part } from '#lib/spec/message'
import type { ModelRequest, ToolChoice } from '#lib/spec/model'
import { answered, asked, dialogues, tools } from '../dialogue.fixture'
import { responses } from '../wire/clients.fixture'
import { request, service } from '../wire/hear.fixture'
import { openaiResponses } from './openai-responses'

const context = service(() => new Response())
const connect = (settings: object = {}) => responses(context, settings)

function body(given: Partial<ModelRequest> = {}, settings: object = {}): JsonObject {
  return JSON.parse(connect(settings).encode({ ...request, ...given }))
}

const input = (messages: readonly Message[], settings: object = {}) => body({ messages }, settings).input

describe('settings', () => {
  test('S3-16: a zero is sent as 0, what is not set is not sent', () => {
    expect(body()).toEqual({
      model: 'gpt-5-mini',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be brief.',
      input: [{ role: 'user', content: 'hi' }],
    })
    const all = { temperature: 0, topP: 0, maxOutputTokens: 9, reasoningEffort: 'low', stream: false }
    expect(body({ instructions: '' }, { ...all, reasoningSummary: 'auto', name: 'o9' })).toEqual({
      model: 'o9',
      temperature: 0,
      top_p: 0,
      max_output_tokens: 9,
      reasoning: { effort: 'low', summary: 'auto' },
      stream: false,
      store: false,
      include: ['reasoning.encrypted_content'],
      input: expect.any(Array),
    })
  })

  test.each(['gpt-4o', 'gpt-4.1-mini', 'ft:gpt-4o-mini:us::x', 'gpt-5-chat-latest', 'chatgpt-4o-latest'])(
    'of %s, which has no thoughts, ask for none',
    (name) => expect(body({}, { name })).not.toHaveProperty('include'),
  )

  test.each(['gpt-5', 'o4-mini', 'gpt-6.1-sol', 'gpt-oss-20b'])('of %s ask for its thoughts', (name) =>
    expect(body({}, { name })).toHaveProperty('include'),
  )

  test('are those of the provider openai, and one of its own', () => {
    expect(Object.keys(openaiResponses.settings.shape)).toEqual([
      'name',
      'temperature',
      'topP',
      'maxOutputTokens',
      'reasoningEffort',
      'stream',
      'pictures',
      'contextWindow',
      'timeoutSeconds',
      'promptCache',
      'extra',
      'reasoningSummary',
    ])
    expect(openaiResponses.settings.safeParse({ temperature: 3 }).success).toBe(false)
  })
})

describe('S2-02 tools', () => {
  test('are flat and not strict, with an object that names its properties', () => {
    const bare = { name: 'bare', description: 'x', parameters: { type: 'object' as const } }
    expect(body({ tools: [...tools.slice(0, 1), bare] }).tools).toEqual([
      { type: 'function', ...tools[0], strict: false },
      { type: 'function', ...bare, parameters: { type: 'object', properties: {} }, strict: false },
    ])
    expect(body()).not.toHaveProperty('tools')
  })

  test.each<[ToolChoice, unknown]>([
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'weather' }, { type: 'function', name: 'weather' }],
  ])('are chosen as %j', (toolChoice, told) => {
    expect(body({ tools, toolChoice }).tool_choice).toEqual(told)
    expect(body({ toolChoice })).not.toHaveProperty('tool_choice')
  })
})

const opaque = (data: JsonObject): Part => ({ type: 'opaque', provider: 'openai-responses', data })
const thought: JsonObject = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'gAAAA' }
const text = (said: string): Part => ({ type: 'text', text: said })

describe('S0-12 a dialogue', () => {
  test('is a flat list of items, calls side by side, each result under the id of its call', () => {
    expect(
      input([
        { role: 'user', text: 'a' },
        {
          role: 'assistant',
          parts: [text('Well.'), asked('call_1_1', { wireId: 'fc_a' }), asked('call_1_2', { rawArgs: '' })],
        },
        answered('call_1_1', 'sun'),
        answered('call_1_2', ' '),
        { role: 'assistant', parts: [text('Sun.')] },
      ]),
    ).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'Well.' },
      { type: 'function_call', call_id: 'fc_a', name: 'weather', arguments: '{"city":"Bern"}' },
      { type: 'function_call', call_id: 'call_1_2', name: 'weather', arguments: '{"city":"Bern"}' },
      { type: 'function_call_output', call_id: 'fc_a', output: 'sun' },
      { type: 'function_call_output', call_id: 'call_1_2', output: '(no output)' },
      { role: 'assistant', content: 'Sun.' },
    ])
  })

  test('L16: thoughts and strange items go back exactly as they came, never as the text shown of them', () => {
    const ball = { type: 'crystal_ball', depth: { fog: [1, 2] } }
    const parts: Part[] = [
      { type: 'reasoning', text: 'Hm.' },
      opaque(thought),
      opaque(ball),
      { type: 'opaque', provider: 'anthropic', data: { type: 'thinking' } },
      asked('c'),
    ]
    expect(input([{ role: 'assistant', parts }, answered('c', 'x')])).toEqual([
      thought,
      ball,
      expect.objectContaining({ type: 'function_call' }),
      expect.objectContaining({ type: 'function_call_output' }),
    ])
  })

  test('L16: a thought that nothing follows, or that cannot be read back, is left out', () => {
    const unsealed = { id: 'rs_2', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }
    expect(
      input([
        { role: 'user', text: 'a' },
        { role: 'assistant', parts: [opaque(unsealed), text('Well.'), opaque(thought)] },
        { role: 'user', text: 'b' },
        { role: 'assistant', parts: [opaque(thought)] },
      ]),
    ).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'Well.' },
      { role: 'user', content: 'b' },
    ])
  })

  test('of a model that thinks goes on with one that does not, without its thoughts', () => {
    const given: Message[] = [{ role: 'assistant', parts: [opaque(thought), text('Well.')] }]
    expect(input(given)).toEqual([thought, { role: 'assistant', content: 'Well.' }])
    expect(input(given, { name: 'gpt-4.1' })).toEqual([{ role: 'assistant', content: 'Well.' }])
  })

  test('tells words in the phase they were said in', () => {
    const phase = (name: string) => opaque({ type: 'message_phase', phase: name })
    expect(
      input([{ role: 'assistant', parts: [text('Now.'), phase('commentary'), text('So.'), text('')] }]),
    ).toEqual([
      { role: 'assistant', content: 'Now.', phase: 'commentary' },
      { role: 'assistant', content: 'So.' },
    ])
  })
})

/** Replaces empty questions, because the loop rejects those before a request is made. */
const spoken = dialogues.map((given) =>
  given.map(
    (each): Message => (each.role === 'user' && each.text.trim() === '' ? { ...each, text: 'And?' } : each),
  ),
)

test('S0-12 S1-29 E-17 E-20 E-35: every paired dialogue makes a body that the API takes', () => {
  fc.assert(
    fc.property(spoken, (given) => {
      expect(refusalOfResponses(body({ messages: given, tools }))).toBeUndefined()
      expect(refusalOfResponses(body({ messages: given }, { name: 'gpt-4o' }))).toBeUndefined()
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

test('each message and each tool is written once, however often it is sent', () => {
  let written = 0
  const counted = <T extends object>(value: T): T =>
    new Proxy(value, {
      get(target, key, receiver) {
        if (key === 'text' || key === 'description') written += 1
        return Reflect.get(target, key, receiver)
      },
    })
  const client = connect()
  const wires = tools.map(counted)
  const given: Message[] = []
  for (let step = 1; step <= 50; step++) {
    given.push(counted<Message>({ role: 'user', text: `m${step}` }))
    client.encode({ ...request, messages: [...given], tools: wires, step })
  }
  expect(written).toBe(50 + tools.length)
})
