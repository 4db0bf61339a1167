/**
 * A law: the request of a step begins with the request of the step before, so that a provider finds it in its cache.
 * Over all wires and formats, with real encoders.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { Decisions } from '#lib/agent/call/decisions'
import { offer } from '#lib/agent/request/offer'
import { request } from '#lib/agent/request/rerequest'
import {
  collect,
  createPolicy,
  createRig,
  createTool,
  denying,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  said,
} from '#lib/agent/rig.fixture'
import { policies } from '#lib/policies'
import { bindPolicies } from '#lib/policies/bind'
import { allProtocols, type Saying, spoken } from '#lib/protocols/speaking.fixture'
import type { HookPort } from '#lib/spec/hook'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import type { FinishWhen, OnLimit, Strategy } from '#lib/spec/policy'
import { nowhere } from './fetch'
import { anthropicPieces } from './prompt-cache'
import { isObject } from './refusal'
import { connect } from './rig'

const ways = allProtocols.flatMap((protocol) =>
  protocol.placements.map((placement) => ({ protocol, placement })),
)
const services = [
  { wire: 'openai', provider: 'openai' },
  { wire: 'openai', provider: 'openai-compatible' },
  { wire: 'anthropic', provider: 'anthropic' },
  { wire: 'responses', provider: 'openai-responses' },
] as const

const words = ['data.find', 'data.wait', 'data.ask', 'data.drop', 'data.fail', 'data.ghost']
const call = fc.record({
  name: fc.constantFrom(...words),
  args: fc.oneof(
    fc.record({ q: fc.string({ maxLength: 12 }) }),
    fc.constant<JsonObject>({}),
    fc.constant<JsonObject>({ q: 7, other: 'x' }),
  ),
})
const turn: fc.Arbitrary<readonly Saying[]> = fc
  .tuple(fc.constantFrom('', 'Let me see.', 'é 你好 "quoted"\n'), fc.array(call, { maxLength: 4 }))
  .map(([text, calls]) => (text === '' && calls.length > 0 ? calls : [text || 'Hm.', ...calls]))

const plot = fc.record({
  way: fc.constantFrom(...ways),
  service: fc.constantFrom(...services),
  locale: fc.constantFrom('en' as const, 'zh' as const),
  turns: fc.array(turn, { minLength: 2, maxLength: 6 }),
  instructions: fc.constantFrom('', 'Be brief on {{date}}.', 'A long text. '.repeat(600)),
  hints: fc.boolean(),
  notes: fc.boolean(),
  background: fc.boolean(),
  history: fc.integer({ min: 0, max: 3 }),
  maxSteps: fc.integer({ min: 1, max: 6 }),
  strategy: fc.constantFrom<Strategy>('sequential', 'parallel', 'auto'),
  onLimit: fc.constantFrom<OnLimit>('summarize', 'error'),
  finish: fc.constantFrom<FinishWhen>('text', 'either'),
  continues: fc.integer({ min: 0, max: 2 }),
  choice: fc.constantFrom('auto' as const, 'none' as const, 'required' as const, { tool: 'data.find' }),
  decision: fc.constantFrom('approve' as const, 'reject' as const),
})
type Plot = typeof plot extends fc.Arbitrary<infer P> ? P : never

const hint = 'HINT: one more step.'
/** What the engine and the formats say of one request alone, by its first words. */
const hints =
  /^(HINT: |Your last answer was empty|You have reached the limit|Call (no|at least one|the) tool|这一步|Go on\.$)/

const tools = [
  createTool('data.find', {
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    run: ({ q }) => said(`found ${String(q)} ${'and more '.repeat(40)}`),
  }),
  createTool('data.wait', { run: () => ({ ok: false, message: 'busy', retryable: true }) }),
  createTool('data.ask', { effect: 'effect', risk: 'write' }),
  createTool('data.drop'),
  createTool('data.fail', {
    run: () => {
      throw new Error('broken')
    },
  }),
]

const noting: HookPort = {
  runId: 'run_1',
  call: async () => ({
    ok: true,
    text: JSON.stringify({ decision: 'allow', text: 'HINT: a note of a program.' }),
  }),
}

function earlier(count: number): Message[] {
  return Array.from({ length: count }, (_, index): Message[] => [
    { role: 'user', text: `question ${index}` },
    {
      role: 'assistant',
      parts: [{ type: 'call', id: 'call_1_1', name: 'data.find', rawArgs: '{"q":"x"}', args: { q: 'x' } }],
    },
    { role: 'tool', callId: 'call_1_1', name: 'data.find', text: 'found x', isError: false },
    { role: 'assistant', parts: [{ type: 'text', text: `answer ${index}` }] },
  ]).flat()
}

/** Runs the plot, and returns the last body of each step. */
async function bodiesOf(given: Plot): Promise<JsonObject[]> {
  const { way, service, locale, turns, notes, maxSteps, strategy, onLimit, finish, continues, choice } = given
  const bound = [
    denying('data.drop'),
    limiting({ maxSteps, strategy, onLimit, finish, continues, concurrency: 2, toolChoice: choice }),
    createPolicy('approval', 'policies/2', {
      appliesTo: ['data.ask'],
      stages: ['approval'],
      rule: (_, { tool }) =>
        tool.name === 'data.ask' ? { verdict: 'confirm', reason: 'a person decides' } : undefined,
    }),
    ...(notes
      ? bindPolicies([{ use: 'hook', on: 'pre_reasoning', url: 'http://hook.test/' }], policies)
      : []),
  ]
  const codec = way.protocol.open(offer(tools, bound).offered, way.placement, locale)
  const client = connect({ ...service, at: nowhere, endpointCaches: true })
  const bodies = new Map<number, string>()
  const offered = tools.map((each) =>
    each.name === 'data.find' || each.name === 'data.fail' ? { ...each, background: given.background } : each,
  )
  const decisions = new Decisions()
  const { deps } = createRig({
    play: [],
    tools: offered,
    policies: bound,
    deps: {
      codec,
      decisions,
      hooks: noting,
      instructions: given.instructions,
      ...(given.hints && { nextStepPrompt: hint }),
      model: {
        ...client,
        encode(asked) {
          const body = client.encode(asked)
          bodies.set(asked.step, body)
          return body
        },
        async *stream() {
          yield* spoken(codec, turns[bodies.size - 1] ?? ['Done.'])
          yield { type: 'finish', reason: 'stop', usage: { input: 1, output: 1 } }
        },
      },
    },
  })
  const begin = { history: earlier(given.history) }
  const events = await collect(deps, {
    state: fresh(begin),
    on(event) {
      if (event.type === 'approval.requested')
        decisions.push({ callId: event.callId, decision: given.decision, by: 'person', scope: 'call' })
    },
  })
  expect(endOf(events).error?.code).not.toBe('internal')
  // What was sent is encoded again from the events alone, marks and key included.
  const state = replay(events, begin)
  for (const { step, hash, cacheKey } of of(events, 'model.requested')) {
    expect(cacheKey).toMatch(/^[0-9a-f]+$/)
    if (hash === state.steps[step - 1]?.request?.hash)
      expect(deps.hash(request(state, deps, step)?.body ?? '')).toBe(hash)
  }
  return [...bodies.values()].map((each) => JSON.parse(each))
}

const items = (value: JsonValue | undefined) =>
  Array.isArray(value) ? value.map((each) => JSON.stringify(each)) : []

/** The tools, the system text and the messages of a body in order, without marks and without hints at its end. */
function lasting(body: JsonObject): string[] {
  const { tools, instructions, messages, input } = body
  const isAnthropic = body.max_tokens !== undefined && 'messages' in body && !('stream_options' in body)
  const all = isAnthropic
    ? anthropicPieces({ ...body, tool_choice: null }).map(({ text }) => text)
    : [...items(tools), JSON.stringify(instructions ?? null), ...items(messages), ...items(input)]
  const end = all.findLastIndex((each) => !isHint(each)) + 1
  return all.slice(0, end)
}

function isHint(piece: string): boolean {
  const value: unknown = JSON.parse(
    piece.replace(/^user /, '').replace(/^(assistant|system|tools) .*/s, 'null'),
  )
  if (!isObject(value) || (value.role !== 'user' && value.type !== 'text')) return false
  return hints.test(String(value.content ?? value.text))
}

test('each request begins with all of the request before it, but for cache marks and hints @deep', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(plot, async (given) => {
      const bodies = (await bodiesOf(given)).map(lasting)
      for (const [index, body] of bodies.entries()) {
        const before = bodies[index - 1]
        if (before === undefined) continue
        compared += 1
        expect(body.slice(0, before.length)).toEqual(before)
        expect(body.length).toBeGreaterThan(before.length)
      }
    }),
    { numRuns: countFor({ quick: 260, deep: 2_600 }) },
  )
  expect(compared).toBeGreaterThan(countFor({ quick: 100, deep: 1_000 }))
}, 120_000)
