/** Scenarios as data: what the provider does and how the run must end, as one test for each wire. */
import { afterAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { Behaviour, Said, Wire } from './behaviour'
import { createFetchServer, nowhere } from './fetch'
import { startModelServer } from './model-server'
import type { ResponderOptions } from './responder'
import { brokenLaws, type Outcome, runTrial, type Trial, wires } from './rig'

export interface Scenario {
  /** Starts with its ids, such as `L5` or `S1-30`. */
  readonly name: string
  /** All wires by default. */
  readonly wires?: readonly Wire[]
  /** One for each request, in order. */
  readonly behaviours: readonly Behaviour[] | ((wire: Wire) => readonly Behaviour[])
  readonly settings?: JsonObject
  /** Created for each wire. */
  readonly trial?: () => Partial<Trial>
  readonly expected: Expected | ((wire: Wire) => Expected)
  /** Uses the replacement for `fetch` where sockets would only cost time. */
  readonly withoutSockets?: boolean
}

export interface Expected {
  /** `completed` by default. */
  readonly status?: string
  readonly answer?: string | null
  readonly error?: string
  readonly message?: RegExp
  readonly attempts: number
  /** None by default. */
  readonly retried?: readonly string[]
  /** The arguments of the tool's runs, in order; none by default. */
  readonly ran?: readonly JsonObject[]
  readonly check?: (outcome: Outcome) => void
}

/** Less than any wait that a scenario does not shorten, and far more than a busy machine needs. */
const atMostMs = 50_000

export const done: Said = { text: 'It is 42.' }
export const find = (q: string) => ({ name: 'data_find', args: { q } })
export const finding: Said = { text: 'Let me see.', calls: [find('a'), find('b')] }
export const ranBoth: readonly JsonObject[] = [{ q: 'a' }, { q: 'b' }]

/** Registers a test for each scenario and wire; can print a table of the results at the end. */
export function play(title: string, scenarios: readonly Scenario[]): void {
  const rows: string[] = []
  afterAll(() => {
    if (process.env.LOOPWRIGHT_SCENARIOS !== undefined) console.info([title, ...rows].join('\n'))
  })
  describe(title, () => {
    for (const scenario of scenarios) {
      for (const wire of scenario.wires ?? wires) {
        test.concurrent(
          `${scenario.name} (${wire})`,
          async () => {
            const outcome = await playOne(scenario, wire)
            const { status, error, attempts, retried, ms } = outcome
            rows.push(
              `| ${scenario.name} | ${wire} | ${error ?? status} | ${attempts} | ${retried.join(' ')} | ${Math.round(ms)} ms |`,
            )
          },
          2 * atMostMs,
        )
      }
    }
  })
}

async function playOne(scenario: Scenario, wire: Wire): Promise<Outcome> {
  const { behaviours, settings = {}, expected: given } = scenario
  const trial = scenario.trial?.() ?? {}
  const options: ResponderOptions = {
    behaviour: typeof behaviours === 'function' ? behaviours(wire) : behaviours,
    service: trial.provider === 'openai' ? 'openai' : 'compatible',
  }
  const server = scenario.withoutSockets === true ? standIn(options) : await startModelServer(options)
  const fetch = 'fetch' in server ? { fetch: server.fetch } : {}
  try {
    const outcome = await runTrial({ wire, at: server, settings, ...fetch, ...trial })
    const expected = typeof given === 'function' ? given(wire) : given
    const {
      status = expected.error === undefined ? 'completed' : 'failed',
      attempts,
      retried = [],
      ran = [],
    } = expected
    expect({
      status: outcome.status,
      error: outcome.error,
      attempts: outcome.attempts,
      retried: outcome.retried,
      ran: outcome.ran,
    }).toEqual({
      status,
      error: expected.error ?? null,
      attempts,
      retried,
      ran: ran.map((each) => JSON.stringify(each)),
    })
    if (expected.answer !== undefined) expect(outcome.answer).toBe(expected.answer)
    if (expected.message !== undefined) expect(outcome.message).toMatch(expected.message)
    expected.check?.(outcome)
    expect(brokenLaws(outcome, server.requests)).toEqual([])
    expect(outcome.ms).toBeLessThan(atMostMs)
    return outcome
  } finally {
    await server.close()
  }
}

function standIn(options: ResponderOptions) {
  return { ...createFetchServer(options), ...nowhere, close: async () => {} }
}
