/** For tests: dialogues as they are sent to a model, with everything that is hard to encode. */
import fc from 'fast-check'
import type { CallPart, Message, Part } from '#lib/spec/message'
import type { WireTool } from '#lib/spec/model'

export const tools: readonly WireTool[] = [
  {
    name: 'weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  { name: 'time_now', description: '', parameters: { type: 'object', properties: {} } },
]

export function asked(id: string, more: Partial<CallPart> = {}): CallPart {
  return { type: 'call', id, name: 'weather', rawArgs: '{"city":"Bern"}', args: { city: 'Bern' }, ...more }
}

export function answered(callId: string, text: string, isError = false): Message {
  return { role: 'tool', callId, name: 'weather', text, isError }
}

const anyCall = fc.record({
  wireId: fc.option(fc.constantFrom('call_0', 'toolu_1', 'a b', '', 'x'.repeat(80)), { nil: undefined }),
  name: fc.constantFrom('weather', 'time_now', 'schema.list', '', '天气', 'x'.repeat(70)),
  rawArgs: fc.constantFrom('{"city":"Bern"}', '', '{"city":', '[1]', 'null', ' {"a": 1} '),
})

const words = fc.constantFrom('', ' ', 'Well.', 'Grüezi 👋 ', '\ud800')

const otherPart: fc.Arbitrary<Part> = fc.oneof(
  words.map((text): Part => ({ type: 'text', text })),
  words.map((text): Part => ({ type: 'reasoning', text })),
  fc.constant<Part>({
    type: 'opaque',
    provider: 'anthropic',
    data: { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
  }),
  fc.constant<Part>({
    type: 'opaque',
    provider: 'openai-compatible',
    data: { endpoint: 'deep', field: 'reasoning_content' },
  }),
)

const turn = fc.record({
  question: fc.option(words, { nil: undefined }),
  parts: fc.array(otherPart, { maxLength: 4 }),
  calls: fc.array(anyCall, { maxLength: 3 }),
  results: fc.array(words, { minLength: 3, maxLength: 3 }),
})

/** Paired dialogues: every call has its result, in call order, and a question comes first. */
export const dialogues: fc.Arbitrary<Message[]> = fc
  .array(turn, { minLength: 1, maxLength: 6 })
  .map((turns) =>
    turns.flatMap(({ question, parts, calls, results }, step): Message[] => {
      const made = calls.map(
        ({ wireId, name, rawArgs }, at): CallPart => ({
          type: 'call',
          id: `call_${step}_${at}`,
          ...(wireId === undefined || step > 0 ? {} : { wireId }),
          name,
          rawArgs,
        }),
      )
      const first = question ?? (step === 0 ? 'Hello' : undefined)
      return [
        ...(first === undefined ? [] : [{ role: 'user', text: first } satisfies Message]),
        { role: 'assistant', parts: [...parts, ...made] },
        ...made.map(
          ({ id, name }, at): Message => ({
            role: 'tool',
            callId: id,
            name,
            text: results[at] ?? '',
            isError: at === 1,
          }),
        ),
      ]
    }),
  )
