import { describe, expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { createTool, endOf, limiting, of, said } from '#lib/agent/rig.fixture'
import type { Price } from '#lib/spec/model'
import type { Behaviour, Wire } from './behaviour'
import { type ModelServer, startModelServer } from './model-server'
import { createPromptCache } from './prompt-cache'
import { runTrial, type Trial, wires } from './rig'

const price: Price = { input: 4, output: 20, cached: 0.4, cacheWrite: 5 }
const long = 'You find facts and cite them. '.repeat(250)
const tools = [
  createTool('data.find', {
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
    run: ({ q }) => said(`found ${String(q)}: ${'a row of data, '.repeat(30)}`),
  }),
]
const providers = { openai: 'openai', anthropic: 'anthropic', responses: 'openai-responses' } as const

/** Calls the tool in every step but the last. */
function searching(steps: number, callsPerStep = 1): (asked: unknown, n: number) => Behaviour {
  return (_, n) =>
    n >= steps
      ? { say: { text: 'It is 42.' } }
      : {
          say: {
            calls: Array.from({ length: callsPerStep }, (_, at) => ({
              name: 'data_find',
              args: { q: `${n}.${at}` },
            })),
          },
        }
}

async function trial(wire: Wire, steps: number, given: Partial<Trial> & { callsPerStep?: number } = {}) {
  const { callsPerStep, deps, ...rest } = given
  const server = await startModelServer({ behaviour: searching(steps, callsPerStep), service: 'openai' })
  try {
    const outcome = await runTrial({
      wire,
      at: server,
      provider: providers[wire],
      tools,
      policies: [limiting({ maxSteps: steps + 1, strategy: 'parallel' })],
      ...rest,
      deps: { instructions: long, nextStepPrompt: 'Go on with the next fact.', price, ...deps },
    })
    return { outcome, server, ...sumsOf(server) }
  } finally {
    await server.close()
  }
}

function sumsOf({ requests }: ModelServer) {
  const sum = (of: 'tokens' | 'cached' | 'written') => requests.reduce((all, { cache }) => all + cache[of], 0)
  return { tokens: sum('tokens'), cached: sum('cached'), written: sum('written') }
}

describe.each(wires)('a run over the wire %s', (wire) => {
  test('of many steps reads all but the news of each step from the cache, as the model server counts @deep', async () => {
    const steps = countFor({ quick: 20, deep: 100 })
    const { outcome, server, tokens, cached, written } = await trial(wire, steps)
    expect([outcome.status, outcome.attempts]).toEqual(['completed', steps])
    for (const [index, { cache, refusal }] of server.requests.entries()) {
      const before = server.requests[index - 1]
      expect(refusal).toBeUndefined()
      // All that was there before but its hint, which is some ten tokens, and the unit in which OpenAI counts.
      if (before !== undefined) expect(cache.cached).toBeGreaterThan(before.cache.tokens - 150)
    }
    expect(cached / tokens).toBeGreaterThan(0.85)
    // The run's figures are those of the server.
    const { usage, costUsd } = endOf(outcome.events)
    expect([usage.cached, usage.cacheWritten ?? 0]).toEqual([cached, written])
    const saved = of(outcome.events, 'model.answered').reduce((sum, { savedUsd = 0 }) => sum + savedUsd, 0)
    const full = (usage.input * price.input + usage.output * price.output) / 1_000_000
    expect(saved).toBeCloseTo(full - (costUsd ?? 0), 9)
    expect(saved).toBeGreaterThan(0)
  }, 60_000)

  test('of a model that takes breakpoints reads from the cache just as much, and marks the end of each step', async () => {
    if (wire === 'anthropic') return
    const { outcome, server, tokens, cached } = await trial(wire, 8, { settings: { name: 'gpt-5.6-sol' } })
    expect([outcome.status, cached / tokens > 0.7]).toEqual(['completed', true])
    for (const [index, { text, refusal }] of server.requests.entries()) {
      expect(refusal).toBeUndefined()
      expect(text.match(/"prompt_cache_breakpoint"/g)).toHaveLength(index === 0 ? 1 : 2)
    }
  })

  test('asks for no cache where the model has it switched off', async () => {
    const { outcome, server, cached } = await trial(wire, 4, { settings: { promptCache: false } })
    expect(outcome.status).toBe('completed')
    for (const { text } of server.requests) expect(text).not.toMatch(/cache_control|prompt_cache_key/)
    for (const { cacheKey } of of(outcome.events, 'model.requested')) expect(cacheKey).toBeUndefined()
    // OpenAI caches by itself; the price of that needs no key.
    if (wire === 'anthropic') expect(cached).toBe(0)
  })

  test('of more calls in a step than a service looks back over reads from the cache all the same', async () => {
    const { server } = await trial(wire, 4, { callsPerStep: 30 })
    for (const [index, { cache }] of server.requests.entries()) {
      const before = server.requests[index - 1]
      if (before !== undefined) expect(cache.cached).toBeGreaterThan(before.cache.tokens - 150)
    }
  })

  test('keeps its tools in the closing answer, so that the cache holds, and lets none be called', async () => {
    const policies = [limiting({ maxSteps: 3, onLimit: 'summarize' })]
    const { outcome, server } = await trial(wire, 9, { policies })
    expect(outcome.status).toBe('max_steps')
    const [before, last] = server.requests.slice(-2)
    expect(last?.body.tools).toBeDefined()
    expect(JSON.stringify(last?.body.tool_choice)).toContain('none')
    // Another choice of tools makes another dialogue at Anthropic, whose tools and system text stay cached.
    const least = wire === 'anthropic' ? long.length / 4 : (before?.cache.tokens ?? 0) - 150
    expect(last?.cache.cached).toBeGreaterThan(least)
  })

  test('tries once without when the service knows no caching, and does not ask it again', async () => {
    const refusal = {
      error: {
        type: 'invalid_request_error',
        message:
          wire === 'anthropic'
            ? 'system.0.cache_control: Extra inputs are not permitted'
            : "Unknown parameter: 'prompt_cache_key'.",
      },
    }
    const asksForCache = (text: string) => /"cache_control"|"prompt_cache_key"/.test(text)
    const server = await startModelServer({
      service: 'openai',
      behaviour: ({ text }, n) =>
        asksForCache(text)
          ? { fault: { status: 400, body: JSON.stringify(refusal), contentType: 'application/json' } }
          : searching(4)(text, n),
    })
    const cacheRefusals = new Set<string>()
    const given: Trial = {
      wire,
      at: server,
      provider: providers[wire],
      tools,
      cacheRefusals,
      deps: { instructions: long },
    }
    try {
      const first = await runTrial(given)
      expect([first.status, first.retried, first.waits]).toEqual(['completed', ['cache_refused'], [0]])
      const second = await runTrial(given)
      expect([second.status, second.retried]).toEqual(['completed', []])
      expect(server.requests.filter(({ text }) => asksForCache(text))).toHaveLength(1)
    } finally {
      await server.close()
    }
  })
})

test.each(['openai', 'responses'] as const)(
  'a service on the wire %s that takes the key of the cache but no breakpoints is asked once without either',
  async (wire) => {
    const message = "Unknown parameter: 'input[2].output[0].prompt_cache_breakpoint'."
    const body = JSON.stringify({ error: { type: 'invalid_request_error', message } })
    const isMarked = (text: string) => text.includes('"prompt_cache_breakpoint"')
    const server = await startModelServer({
      service: 'openai',
      behaviour: ({ text }, n) =>
        isMarked(text)
          ? { fault: { status: 400, body, contentType: 'application/json' } }
          : searching(4)(text, n),
    })
    try {
      const settings = { name: 'gpt-5.6-sol' }
      const provider = providers[wire]
      const outcome = await runTrial({
        wire,
        at: server,
        provider,
        tools,
        settings,
        deps: { instructions: long },
      })
      expect([outcome.status, outcome.retried]).toEqual(['completed', ['cache_refused']])
      expect(server.requests.filter(({ text }) => isMarked(text))).toHaveLength(1)
    } finally {
      await server.close()
    }
  },
)

describe('the cache of the test model server', () => {
  const block = (text: string, isMarked = false) => ({
    type: 'text',
    text,
    ...(isMarked && { cache_control: { type: 'ephemeral' } }),
  })
  const anthropic = (...content: object[]) => ({ model: 'm', messages: [{ role: 'user', content }] }) as never // cast: JSON by hand

  test('finds only what was marked, and nothing behind the first difference', () => {
    const cache = createPromptCache()
    const text = 'x'.repeat(8_000)
    expect(cache.count('anthropic', anthropic(block(text))).written).toBe(0)
    const { cached, written } = cache.count('anthropic', anthropic(block(text, true)))
    expect(cached).toBe(0)
    expect(written).toBeGreaterThan(2_000)
    expect(cache.count('anthropic', anthropic(block(text), block('more', true))).cached).toBe(written)
    expect(cache.count('anthropic', anthropic(block(text), block('more')))).toMatchObject({ cached: 0 })
    expect(cache.count('anthropic', anthropic(block(`y${text}`, true)))).toMatchObject({ cached: 0 })
    expect(cache.count('anthropic', anthropic(block('short', true)))).toMatchObject({ cached: 0, written: 0 })
  })

  test('of OpenAI counts whole units of a long beginning, for requests of one key', () => {
    const cache = createPromptCache()
    const openai = (text: string, key = 'k') => ({
      model: 'm',
      prompt_cache_key: key,
      messages: [{ role: 'user', content: text }],
    })
    const text = 'x'.repeat(8_000)
    expect(cache.count('openai', openai(text)).cached).toBe(0)
    expect(cache.count('openai', openai(`${text} more`)).cached).toBe(1_920)
    expect(cache.count('openai', openai(text, 'other')).cached).toBe(0)
    expect(cache.count('openai', openai(`y${text}`)).cached).toBe(0)
    expect(cache.count('openai', openai('short')).cached).toBe(0)
  })
})
