import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { ModelChunk } from '#lib/spec/model'
import type { Codec } from '#lib/spec/protocol'
import {
  allProtocols,
  cutAt,
  heard,
  inPieces,
  partsOf,
  type SaidCall,
  type Saying,
  spoken,
  tools,
} from './speaking.fixture'

const create = (args: JsonObject): SaidCall => ({ name: 'files.create', args: { path: 'a.txt', ...args } })

const awkward: Record<string, string> = {
  code: 'if (a < b && c > d) { return Map<string, Array<number>>(`x$y`) } // <div className="k">&amp;</div>',
  'its own XML':
    '<function_calls>\n<invoke name="x">\n<parameter name="p">v</parameter>\n</invoke>\n</function_calls>',
  'closers of XML': 'a</parameter>b</invoke></function_calls><parameter name="z">',
  'its own JSON': '{"action":"tool_call","tool_calls":[{"name":"time.now","arguments":{}}]}',
  fences: '```json\n{"function_name":"time.now"}\n```\n~~~\n``` ',
  'ends of CDATA': ']]> ]]]]><![CDATA[> <![CDATA[x]]>',
  'CDATA at its head': '<![CDATA[whole]]>',
  quotes: `"'\\"\\\\ “curly” 'single' \\n \\u0041`,
  CJK: '你好，世界：数据库「查询」',
  emoji: '👋🏽👨‍👩‍👧 x 👋',
  'leading and trailing spaces': '  \t two  ',
  'line breaks at both ends': '\n\nx\r\n\n',
  'a line break': '\n',
  'a carriage return': '\r',
  'spaces only': '   ',
  'indented code': '    def f():\n        return 1\n',
  'a number': '007',
  'a truth': 'true',
  'a grouped number': '1_000',
  nothing: '',
  thought: '<think>no</think>',
  'control characters': '\u0000\u0001\b\f\u2028',
}

function calls(saying: readonly Saying[]): SaidCall[] {
  return saying.filter((each) => typeof each !== 'string')
}

function expectSame(codec: Codec, chunks: readonly ModelChunk[], saying: readonly Saying[]): void {
  const said = heard(codec, chunks)
  const got = said.calls.map(({ name, raw }) => ({ name, args: JSON.parse(raw === '' ? '{}' : raw) }))
  expect(got).toEqual(calls(saying))
  expect(said.calls.every(({ isEnded, invalid }) => isEnded && invalid === undefined)).toBe(true)
}

const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(...Object.values(awkward)),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .dictionary(fc.constantFrom('a', 'b c', '键', '"'), tie('value'), { maxKeys: 3 })
      .map((each) => ({ ...each })),
  ),
})).value

const pieces = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '<',
      '/',
      '>',
      'parameter',
      'invoke',
      ' name="x"',
      '![CDATA[',
      ']]>',
      '\n',
      '`',
      '"',
      '{',
      '}',
      '\\',
      'a',
    ),
  }),
  fc.constantFrom(...Object.values(awkward)),
)

const args: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      path: pieces,
      content: pieces,
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
      force: fc.boolean(),
      tags: fc.array(pieces, { maxLength: 3 }),
      options: fc
        .dictionary(fc.string(), value, { maxKeys: 3 })
        .map((each) => JSON.parse(JSON.stringify(each))),
    },
    { requiredKeys: ['path'] },
  )
  .map((each) => JSON.parse(JSON.stringify(each)))

const words = fc.constantFrom('I look. ', 'Let me see:\n', 'Next, **this**:', '看一下。')

const saying: fc.Arbitrary<Saying[]> = fc.array(
  fc.oneof(
    words,
    args.map((each): Saying => ({ name: 'files.create', args: each })),
    fc.constant<Saying>({ name: 'time.now', args: {} }),
    pieces.map((each): Saying => ({ name: 'never.heard_of', args: { any: each } })),
  ),
  { minLength: 1, maxLength: 5 },
)

describe.each(allProtocols.map((each) => [each.id, each] as const))('the protocol %s', (id, protocol) => {
  const [placement = 'tool_message'] = protocol.placements
  const codec = protocol.open(tools, placement)

  test.each(Object.entries(awkward))('E-01 E-02 E-03 E-11 carries %s at every cut', (_, content) => {
    const said: Saying[] = [
      'I look. ',
      create({ content }),
      create({ content: `a${content}b`, tags: [content] }),
    ]
    const chunks = spoken(codec, said)
    const length = Math.max(...chunks.map((each) => ('text' in each ? each.text.length : 0)))
    for (let at = 0; at < length; at++) expectSame(codec, cutAt(chunks, [at]), said)
    expectSame(codec, inPieces(chunks), said)
    expect(heard(codec, chunks).text.trim()).toBe('I look.')
  })

  test('S0-01 E-01 whatever is said gives the same calls, however it is cut @deep', () => {
    fc.assert(
      fc.property(saying, fc.array(fc.nat(2_000), { maxLength: 20 }), (said, cuts) => {
        const chunks = spoken(codec, said)
        expectSame(codec, cutAt(chunks, cuts), said)
        const whole = heard(codec, chunks)
        expect(heard(codec, inPieces(chunks))).toEqual(whole)
        expect(whole.text.replace(/\s/g, '')).toBe(
          (id === 'json' ? wordsOf(said) : said.filter((each) => typeof each === 'string').join('')).replace(
            /\s/g,
            '',
          ),
        )
      }),
      { numRuns: countFor({ quick: 100, deep: 300 }) },
    )
  })

  test('the arguments keep the order of their keys, whatever that is @deep', () => {
    const shuffled = args.chain((each) =>
      fc
        .shuffledSubarray(Object.entries(each), { minLength: Object.keys(each).length })
        .map((entries): JsonObject => Object.fromEntries(entries)),
    )
    fc.assert(
      fc.property(shuffled, fc.array(fc.nat(2_000), { maxLength: 20 }), (given, cuts) => {
        const [call] = heard(codec, cutAt(spoken(codec, [{ name: 'files.create', args: given }]), cuts)).calls
        expect(JSON.stringify(JSON.parse(call?.raw ?? ''))).toBe(JSON.stringify(given))
      }),
      { numRuns: countFor({ quick: 60, deep: 200 }) },
    )
  })

  test('E-01 the arguments have the same text at every cut', () => {
    const chunks = spoken(codec, [create({ content: '👋 "x" \n<b>', options: { a: [1, { b: null }] } })])
    const [first] = heard(codec, chunks).calls
    for (let at = 0; at < 400; at++) expect(heard(codec, cutAt(chunks, [at])).calls[0]?.raw).toBe(first?.raw)
  })

  test('E-01 large inputs give the same calls at random cuts @deep', () => {
    const content = Object.values(awkward).join('\n').repeat(30)
    const said: Saying[] = [
      'First. ',
      create({ content }),
      create({ tags: [content] }),
      create({ content: '' }),
    ]
    const chunks = spoken(codec, said)
    const length = Math.max(...chunks.map((each) => ('text' in each ? each.text.length : 0)))
    fc.assert(
      fc.property(fc.array(fc.nat(length), { minLength: 1, maxLength: 8 }), (cuts) =>
        expectSame(codec, cutAt(chunks, cuts), said),
      ),
      { numRuns: countFor({ quick: 60, deep: 200 }) },
    )
  })

  test('a value of 200 kB in pieces of 8 characters takes time in step with its length', () => {
    const time = (size: number) => {
      const line = 'const m: Map<string, number> = new Map(); // "x" \\ {1} `y`\n'
      const content = line.repeat(Math.ceil(size / line.length)).slice(0, size)
      const chunks = spoken(codec, [create({ content })])
      const cut = inPieces(chunks, 8)
      const from = process.cpuUsage()
      const { calls: got } = heard(codec, cut)
      const { user, system } = process.cpuUsage(from)
      expect(JSON.parse(got[0]?.raw ?? '')).toEqual({ path: 'a.txt', content })
      return user + system
    }
    time(20_000)
    expect(time(200_000)).toBeLessThan(40 * Math.max(time(20_000), 5_000))
  })

  test('an answer of the past comes back as the same calls, whatever format it was said in', () => {
    const said: Saying[] = ['I look. ', create({ content: 'x' }), { name: 'gone.tool', args: { a: 'b' } }]
    const { messages } = codec.encode({
      instructions: '',
      messages: [{ role: 'assistant', parts: partsOf(said) }],
      offerTools: true,
    })
    const [message] = messages
    const parts = message?.role === 'assistant' ? message.parts : []
    expect(parts.some((each) => each.type === 'call')).toBe(id === 'native')
  })

  test('a name that no tool bears is kept as told, and an alias reads as its tool', () => {
    for (const [name, told] of [
      ['never.heard_of', 'never.heard_of'],
      ['files_create', 'files.create'],
    ] as const)
      expect(heard(codec, spoken(codec, [{ name, args: {} }])).calls[0]?.name).toBe(told)
  })

  test('S0-17 calls of the model’s own win: text after them stays text', () => {
    const call: Saying = { name: 'time.now', args: {} }
    const chunks: ModelChunk[] = [
      { type: 'call.start', index: 0, wireId: 'w1', name: 'time_now' },
      { type: 'call.args', index: 0, text: '{}' },
      { type: 'call.end', index: 0 },
      ...(id === 'native' ? [] : spoken(codec, [call])),
    ]
    const said = heard(codec, chunks)
    expect(said.calls).toEqual([{ name: 'time.now', raw: '{}', isEnded: true }])
    if (id !== 'native') expect(said.text).not.toBe('')
  })

  test('E-10 reasoning is never read for calls', () => {
    for (const chunk of spoken(codec, [create({})])) {
      if (chunk.type !== 'text') continue
      const said = heard(codec, [
        { type: 'reasoning', text: chunk.text },
        { type: 'text', text: 'Done.' },
      ])
      expect(said).toMatchObject({ calls: [], text: 'Done.', reasoning: chunk.text })
      const thought = heard(codec, inPieces([{ type: 'text', text: `<think>${chunk.text}</think>Done.` }]))
      expect(thought).toMatchObject({ calls: [], text: 'Done.', reasoning: chunk.text })
    }
  })

  test('L10 E-08 E-14 a call cut off by the end of the stream never runs, and is told as broken', () => {
    if (id === 'native') return
    const said: Saying[] = [create({ content: 'New York City', count: 12, tags: ['a', 'b'] })]
    const [chunk] = spoken(codec, said)
    const text = chunk?.type === 'text' ? chunk.text : ''
    const whole: JsonObject = JSON.parse(heard(codec, spoken(codec, said)).calls[0]?.raw ?? '')
    for (let at = 1; at < text.length; at++) {
      for (const reason of ['stop', 'length'] as const) {
        const cut = heard(codec, [{ type: 'text', text: text.slice(0, at) }], reason)
        expect(cut.calls.length).toBeLessThanOrEqual(1)
        for (const { raw, invalid, isEnded } of cut.calls) {
          expect(isEnded).toBe(true)
          if (invalid === undefined) {
            // When the model ends the answer itself, optional arguments may be missing,
            // but no value may be cut.
            const args: JsonObject = JSON.parse(raw)
            expect(whole).toMatchObject(args)
            if (reason === 'length') expect(args).toEqual(whole)
            expect(args.path).toBe('a.txt')
          } else {
            expect(invalid.code).toBe('truncated')
            expect(() => JSON.parse(raw)).toThrow()
          }
        }
        expect(cut.text).not.toContain('New York')
      }
    }
  })
})

/** The JSON format has one place for text, and none for text after the last call. */
function wordsOf(said: readonly Saying[]): string {
  const last = said.findLastIndex((each) => typeof each !== 'string')
  return said.filter((each, index) => typeof each === 'string' && (last < 0 || index < last)).join('')
}
