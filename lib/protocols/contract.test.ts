import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import type { ModelChunk, ToolChoice } from '#lib/spec/model'
import type { Codec } from '#lib/spec/protocol'
import type { BoundTool } from '#lib/spec/toolkit'
import { protocols } from './index'
import { listing } from './speaking.fixture'

const tool = (name: string): BoundTool => ({
  name,
  scopeName: name,
  node: 'tools/0',
  source: 'builtin',
  description: `Does ${name}.`,
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  risk: 'read',
  effect: 'read',
  timeoutSeconds: 30,
  run: async () => ({ ok: true, blocks: [] }),
})

const tools = [tool('schema.list_tables'), tool('schema_list_tables'), tool('time.now')]

interface Said {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly args: string }[]
}

/**
 * How a model writes an answer in each protocol, as chunks whose text may be cut anywhere. A
 * new protocol adds a line.
 */
const speakers: Record<string, (said: Said, codec: Codec) => ModelChunk[]> = {
  native: ({ text, calls }, codec) => [
    { type: 'text', text },
    ...calls.flatMap(({ name, args }, index): ModelChunk[] => [
      {
        type: 'call.start',
        index,
        name: codec.offered.find((each) => each.name === name)?.wire.name ?? name,
      },
      { type: 'call.args', index, text: args },
      { type: 'call.end', index },
    ]),
    { type: 'finish', reason: 'calls', usage: { input: 1, output: 1 } },
  ],
  xml: ({ text, calls }) => {
    const parameter = ([key, value]: [string, unknown]) =>
      `<parameter name="${key}"><![CDATA[${String(value).replaceAll(']]>', ']]]]><![CDATA[>')}]]></parameter>`
    const invoke = ({ name, args }: Said['calls'][number]) =>
      `<invoke name="${name}">${Object.entries(JSON.parse(args)).map(parameter).join('')}</invoke>`
    return inText(`${text}<function_calls>${calls.map(invoke).join('')}</function_calls>`)
  },
  json: ({ text, calls }) => {
    const list = calls.map(({ name, args }) => `{"name":${JSON.stringify(name)},"arguments":${args}}`)
    return inText(`{"action":"tool_call","content":${JSON.stringify(text)},"tool_calls":[${list.join(',')}]}`)
  },
  json_fence: ({ text, calls }) => {
    const block = ({ name, args }: Said['calls'][number]) =>
      `\n\`\`\`json\n{"function_name":${JSON.stringify(name)}${args === '{}' ? '' : ','}${args.slice(1)}\n\`\`\``
    return inText(text + calls.map(block).join(''))
  },
}

function inText(text: string): ModelChunk[] {
  return [
    { type: 'text', text },
    { type: 'finish', reason: 'stop', usage: { input: 1, output: 1 } },
  ]
}

function decoded(chunks: readonly ModelChunk[], codec: Codec): Said {
  const decoder = listing(codec)
  const calls = new Map<number, { name: string; args: string }>()
  let text = ''
  for (const chunk of [...chunks.flatMap((each) => decoder.push(each)), ...decoder.end()]) {
    if (chunk.type === 'text') text += chunk.text
    if (chunk.type === 'call.start') calls.set(chunk.index, { name: chunk.name, args: '' })
    const call = chunk.type === 'call.args' ? calls.get(chunk.index) : undefined
    if (call !== undefined && chunk.type === 'call.args') call.args += chunk.text
  }
  // A line break before a call may belong to the format.
  return { text: text.replace(/\n$/, ''), calls: [...calls.values()] }
}

function cutAt(chunks: readonly ModelChunk[], at: number): ModelChunk[] {
  return chunks.flatMap((each): ModelChunk[] => {
    if (!('text' in each)) return [each]
    return [
      { ...each, text: each.text.slice(0, at) },
      { ...each, text: each.text.slice(at) },
    ]
  })
}

const dialogue: Message[] = [
  { role: 'user', text: 'What is there?' },
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'Let me look.' },
      { type: 'call', id: 'call_1_1', name: 'schema.list_tables', rawArgs: '{}', args: {} },
      { type: 'call', id: 'call_1_2', name: 'gone.tool', rawArgs: '{}', args: {} },
    ],
  },
  { role: 'tool', callId: 'call_1_1', name: 'schema.list_tables', text: 'customers', isError: false },
  { role: 'tool', callId: 'call_1_2', name: 'gone.tool', text: 'no such tool', isError: true },
]

describe.each(protocols.map((each) => [each.id, each] as const))('the protocol %s', (id, protocol) => {
  const [placement = 'tool_message'] = protocol.placements
  const codec = protocol.open(tools, placement)
  const speak = speakers[id]

  test('has a speaker in this test, and names itself', () => {
    expect(speak).toBeDefined()
    expect(codec).toMatchObject({ format: id, resultPlacement: placement })
    expect(protocol.label).not.toBe('')
    expect(codec.offered.map((each) => each.name)).toEqual(tools.map((each) => each.name))
  })

  test('gives the same calls at every cut between chunks', () => {
    const said: Said = {
      text: 'I look. ',
      calls: [
        { name: 'schema.list_tables', args: '{"text":"a b"}' },
        { name: 'schema_list_tables', args: '{}' },
        { name: 'schema.list_tables', args: '{"text":"</call> \\"}"}' },
      ],
    }
    const chunks = speak?.(said, codec) ?? []
    for (let at = 0; at <= 30; at++) expect(decoded(cutAt(chunks, at), codec)).toEqual(said)
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, fc.nat(20), (words, at) => {
        const one: Said = { text: '', calls: [{ name: 'time.now', args: JSON.stringify({ text: words }) }] }
        expect(decoded(cutAt(speak?.(one, codec) ?? [], at), codec)).toEqual(one)
      }),
    )
  })

  test('E-17 takes a call by the dotted name as well, and leaves a strange name as it came', () => {
    for (const name of ['time.now', 'never.heard_of']) {
      expect(
        decoded(speak?.({ text: '', calls: [{ name, args: '{}' }] }, codec) ?? [], codec).calls[0]?.name,
      ).toBe(name)
    }
  })

  test('encodes the same message to the same object, and names no tool but by its name on the wire', () => {
    const first = codec.encode({ instructions: 'x', messages: dialogue, offerTools: true })
    const second = codec.encode({
      instructions: 'x',
      messages: [...dialogue, { role: 'user', text: 'more' }],
      offerTools: true,
    })
    for (const [index, each] of first.messages.entries()) expect(second.messages[index]).toBe(each)
    const wires = new Set(codec.offered.map((each) => each.wire.name))
    for (const each of first.tools) expect(wires).toContain(each.name)
    if (first.tools.length > 0) expect(JSON.stringify(first.messages)).not.toContain('schema.list_tables')
  })

  test('offers nothing when nothing may be called', () => {
    expect(codec.encode({ instructions: '', messages: dialogue, offerTools: false }).tools).toEqual([])
  })
})

test.each<[ToolChoice, ToolChoice]>([
  ['auto', 'auto'],
  ['required', 'required'],
  [{ tool: 'time.now' }, { tool: 'time_now' }],
])(
  'S1-14 the native form sends the choice %j as %j, and none where no tool goes along',
  (toolChoice, wire) => {
    const native = protocols.find((each) => each.id === 'native')
    const input = { instructions: '', messages: dialogue, offerTools: true, toolChoice }
    expect(native?.open(tools, 'tool_message').encode(input).toolChoice).toEqual(wire)
    const without = native?.open(tools, 'tool_message').encode({ ...input, offerTools: false })
    expect(without).not.toHaveProperty('toolChoice')
    expect(native?.open([], 'tool_message').encode(input)).not.toHaveProperty('toolChoice')
  },
)

test('E-17 the native form replays history by alias, tools that are gone included', () => {
  const codec = protocols.find((each) => each.id === 'native')?.open(tools, 'tool_message')
  const messages = codec?.encode({ instructions: '', messages: dialogue, offerTools: true }).messages ?? []
  const names = messages.flatMap((each) =>
    each.role === 'tool'
      ? [each.name]
      : each.role === 'assistant'
        ? each.parts.flatMap((part) => (part.type === 'call' ? [part.name] : []))
        : [],
  )
  expect(names.every((each) => /^[A-Za-z0-9_-]{1,64}$/.test(each))).toBe(true)
  expect(names[0]).toBe(names[2])
  expect(names[1]).toBe('gone_tool')
})
