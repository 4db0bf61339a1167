/**
 * S1-28: runs that are longer than the context window of their model, over real connections. The model server refuses
 * every request over its window, by a count of its own.
 */
import { describe, expect, test } from 'vitest'
import { countFor, isDeep } from '#e2e/test-depth'
import type { RunDeps } from '#lib/agent/deps'
import { request } from '#lib/agent/request/rerequest'
import { createPolicy, createTool, digest, limiting, of, replay, said } from '#lib/agent/rig.fixture'
import { native } from '#lib/protocols/native'
import type { JsonValue } from '#lib/spec/json'
import type { Message } from '#lib/spec/message'
import { type ContextLimits, defaultLimits } from '#lib/spec/policy'
import { bindTool } from '#lib/toolkits/entry'
import { observationGet } from '#lib/tools/observation-get'
import type { Behaviour, Wire } from './behaviour'
import { conversationOf } from './conversation'
import { startModelServer } from './model-server'
import type { Asked } from './responder'
import { brokenLaws, connect, type Outcome, runTrial, type Trial, wires } from './rig'
import { windowTokens } from './window'

const window = 3_000
const steps = countFor({ quick: 30, deep: 1_000 })

/** A fact that only the result of this step says. */
function keyOf(step: number): string {
  return `k-${step}-${digest(`step ${step}`)}`
}

const english = 'The quick brown fox reads a page, and the lazy dog does not. '
const chinese = '快速的棕色狐狸读了一页书，懒狗没有读。'
const base64 = Buffer.from(english).toString('base64')

interface Story {
  readonly name: string
  readonly steps?: number
  /** The text of a step's result, after its key. */
  result(step: number): string
  /** The result of this step does not fit the window, so the model never sees it whole. */
  readonly tooLong?: number
}

const mixed: Story = {
  name: 'English, Chinese and base64 in turn',
  result: (step) => [english, chinese, base64][step % 3]?.repeat(7) ?? '',
}
const stories: readonly Story[] = [
  mixed,
  { name: 'English', result: () => english.repeat(10) },
  { name: 'Chinese', result: () => chinese.repeat(15) },
  { name: 'base64', result: () => base64.repeat(8) },
  {
    name: 'results that add up to 50 windows',
    steps: countFor({ quick: 100, deep: 1_000 }),
    result: () => english.repeat(countFor({ quick: 130, deep: 13 })),
  },
  {
    name: 'one result larger than the whole window',
    result: (step) => english.repeat(step === 7 ? 3_000 : 8),
    tooLong: 7,
  },
]

/** In a quick run each story is played over one wire. */
function storiesOf(wire: Wire): readonly Story[] {
  return isDeep ? stories : stories.filter((_, at) => at % wires.length === wires.indexOf(wire))
}

interface Given {
  readonly wire: Wire
  readonly story: Story
  readonly context?: Partial<ContextLimits>
  readonly deps?: Partial<RunDeps>
}

interface Played {
  readonly story: Story
  readonly outcome: Outcome
  readonly requests: readonly Asked[]
  /** The keys that the model has seen in its requests. */
  readonly seen: ReadonlySet<string>
  /** Every request built again from the events alone, with the hash of what was sent. */
  again(): { readonly built: string | undefined; readonly sent: string }[]
}

const getBack = bindTool(observationGet, { use: 'builtin', preset: {} }, 'agent')
const wholeResults = createPolicy('results', 'policies/2', {
  limitTool: (limits) => void Object.assign(limits, { maxChars: 1e9 }),
})

async function play({ wire, story, context = {}, deps = {} }: Given): Promise<Played> {
  const count = story.steps ?? steps
  let made = 0
  const read = createTool('page.read', {
    parameters: { type: 'object', properties: {} },
    run: () => {
      made += 1
      return said(`The key is ${keyOf(made)}. ${story.result(made)}`)
    },
  })
  const model = reader(wire, count)
  const server = await startModelServer({
    contextWindow: window,
    behaviour: model.answer,
    service: 'compatible',
  })
  const trial: Trial = {
    wire,
    at: server,
    settings: { promptCache: false },
    tools: [read],
    policies: [
      limiting({ maxSteps: count + 5, context: { ...defaultLimits.context, ...context } }),
      wholeResults,
    ],
    deps: { contextWindow: window, toolsAfterCut: [getBack], ...deps },
  }
  try {
    const outcome = await runTrial(trial)
    return {
      story,
      outcome,
      requests: server.requests,
      seen: model.seen,
      again: () => builtAgain(trial, outcome),
    }
  } finally {
    await server.close()
  }
}

/**
 * A model that knows nothing but its request: it calls a tool in every step, then reads the result of step 3 again
 * unless a summary holds its key, and answers with that key. Asked for a summary, it writes down all keys it sees.
 */
function reader(wire: Wire, count: number) {
  const seen = new Set<string>()
  let step = 0
  const answer = ({ body }: Asked): Behaviour => {
    const { instructions, messages, tools } = conversationOf(wire, body)
    const keys = keysIn(messages)
    if (instructions.includes('You shorten the record')) return { say: { text: keys.join(' ') } }
    for (const key of keys) seen.add(key)
    step += 1
    if (step <= count) return { say: { reasoning: 'The next page.', calls: [{ name: 'page_read' }] } }
    const known = keys.find((key) => key.startsWith('k-3-'))
    if (known !== undefined) return { say: { text: `The key of step 3 is ${known}.` } }
    const isOffered = tools.some(({ name }) => name === 'observation_get')
    if (!isOffered || step > count + 1) return { say: { text: 'The key of step 3 is lost.' } }
    return { say: { calls: [{ name: 'observation_get', args: { call: 'call_3_1', length: 200 } }] } }
  }
  return { seen, answer }
}

function keysIn(messages: readonly Message[]): string[] {
  const keys = messages.flatMap((message) =>
    message.role === 'assistant' ? [] : (message.text.match(/k-\d+-[0-9a-f]+/g) ?? []),
  )
  return [...new Set(keys)]
}

function builtAgain(trial: Trial, { events }: Outcome) {
  const { tools = [], policies = [], deps = {} } = trial
  const wireDeps = {
    model: connect(trial),
    codec: native.open(tools, 'tool_message'),
    tools,
    policies,
    instructions: 'Be brief.',
    hash: digest,
    ...deps,
  }
  const state = replay(events)
  return of(events, 'model.requested').map(({ step, hash: sent }) => {
    const body = request(state, wireDeps, step)?.body
    return { built: body && digest(body), sent }
  })
}

function expectGood({ story, outcome, requests, seen }: Played): void {
  expect([outcome.status, outcome.answer]).toEqual(['completed', `The key of step 3 is ${keyOf(3)}.`])
  expect(brokenLaws(outcome, requests)).toEqual([])
  expect(of(outcome.events, 'context.compacted').length).toBeGreaterThan(0)
  // The model has read every result that fits its window.
  const unseen = Array.from({ length: story.steps ?? steps }, (_, at) => at + 1).filter(
    (step) => !seen.has(keyOf(step)),
  )
  expect(unseen).toEqual(story.tooLong === undefined ? [] : [story.tooLong])
}

describe.each(wires)('S1-28 a run that is longer than the window of its model, over the wire %s', (wire) => {
  test.each(storiesOf(wire))('ends well and knows a fact of step 3: $name @deep', async (story) => {
    const played = await play({ wire, story })
    expectGood(played)
    // The window is known and the count of each answer corrects the estimate, so hardly a request is refused.
    expect(played.requests.filter(({ isTooLong }) => isTooLong).length).toBeLessThanOrEqual(2)
    for (const { built, sent } of played.again()) expect(built).toBe(sent)
  })

  test('ends well where the window is not known: the server refuses what is too long @deep', async () => {
    const played = await play({ wire, story: mixed, deps: { contextWindow: null } })
    expectGood(played)
    expect(played.requests.filter(({ isTooLong }) => isTooLong).length).toBeGreaterThan(0)
  })

  test('keeps the fact in summaries that the model writes @deep', async () => {
    const played = await play({ wire, story: mixed, context: { how: 'summarize' } })
    expectGood(played)
    const { events } = played.outcome
    expect(of(events, 'call.finished').map(({ name }) => name)).not.toContain('observation.get')
    for (const { failed } of of(events, 'context.compacted')) expect(failed).toBeUndefined()
  })
})

test('the model server counts a picture by its size, a schema by its bytes and texts by their kind', () => {
  const tokens = (content: JsonValue, tools: JsonValue = []) =>
    windowTokens('anthropic', { messages: [{ role: 'user', content }], tools })
  const picture = (bytes: number) => [{ type: 'image', source: { type: 'base64', data: 'A'.repeat(bytes) } }]
  const empty = tokens('')
  expect(tokens(picture(75_000)) - empty).toBe(100)
  expect(tokens(picture(9_000_000)) - empty).toBe(1_600)
  expect(tokens(base64) - empty).toBeGreaterThan(2 * (tokens(english) - empty))
  expect(tokens(chinese) - empty).toBeGreaterThan(10)
  const schema = { name: 'a', input_schema: { type: 'object', description: 'x'.repeat(300) } }
  expect(tokens('', [schema]) - empty).toBeGreaterThan(100)
})
