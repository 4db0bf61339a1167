/**
 * L8: wherever a connection breaks, and however its bytes are cut, a run has the same content and effects.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replay } from '#lib/agent/rig.fixture'
import { textOf } from '#lib/spec/message'
import type { ModelChunk, ModelRequest } from '#lib/spec/model'
import { countFor } from '../test-depth'
import type { Behaviour, Chunking, Said, Wire } from './behaviour'
import { joined } from './bytes'
import { createFetchServer, nowhere, responseOf } from './fetch'
import { startModelServer } from './model-server'
import { type Beat, type Plan, planOf } from './plan'
import { type Asked, requestOf } from './responder'
import { brokenLaws, connect, type Outcome, runTrial, type Trial, wires } from './rig'

const call = (q: string) => ({ name: 'data_find', args: { q } })
const asks: Said = { reasoning: 'Hm 🙂', text: 'Let me see.', calls: [call('ä'), call('b')] }
const answers: Said = { text: 'It is 42 €.' }

/** Depends only on the request, so that a repeated attempt gets the same answer as the first. */
function saidTo({ text }: Asked): Said {
  return text.includes('found b') ? answers : asks
}

type AnswerPlan = Exclude<Plan, { before: unknown }>

interface Cut {
  /** The number of the request whose answer is cut; `at` is the number of bytes before the cut. */
  readonly request: 1 | 2
  readonly at: number
}

function behaviourOf({ request, at }: Cut): (asked: Asked, n: number) => Behaviour {
  return (asked, n) => ({ say: saidTo(asked), ...(n === request ? { fault: { cutAt: at } } : {}) })
}

const quick: Partial<Trial> = { deps: { random: () => 0 } }

/** The requests of a whole run, with the bytes of their answers. */
async function wholeRun(wire: Wire): Promise<{ plan: AnswerPlan; bytes: number }[]> {
  const server = createFetchServer({ behaviour: (asked) => ({ say: saidTo(asked) }), service: 'compatible' })
  await runTrial({ wire, at: nowhere, fetch: server.fetch, ...quick })
  return server.requests.map((asked) => {
    const plan = planOf(requestOf(asked), { say: saidTo(asked) })
    if ('before' in plan) throw new Error('an answer that is whole has headers')
    return {
      plan,
      bytes: joined(plan.beats.map((each) => ('bytes' in each ? each.bytes : new Uint8Array()))).length,
    }
  })
}

/** Every `stride`-th position in both answers of the run. */
async function cutsOf(wire: Wire, stride: number): Promise<Cut[]> {
  const requests = await wholeRun(wire)
  return requests
    .flatMap(({ bytes }, index): Cut[] =>
      Array.from({ length: bytes + 1 }, (_, at) => ({ request: index === 0 ? 1 : 2, at })),
    )
    .filter((_, index) => index % stride === 0)
}

/** The differences between a run that was cut and one that was not; empty if there are none. */
function differences({ request, at }: Cut, outcome: Outcome, requests: readonly Asked[]): string[] {
  const { status, answer, ran, retried, events, answers: told } = outcome
  const state = replay(events)
  const seen = {
    status,
    answer,
    ran,
    codes: [...new Set(retried)],
    isOnce: retried.length <= 1,
    told: told.map(({ text, reasoning, calls }) => [text, reasoning, calls.map((each) => each.rawArgs)]),
    folded: state.steps.map(({ parts = [], live }) => textOf(parts) + live.text),
    laws: brokenLaws(outcome, requests),
  }
  const expected = {
    status: 'completed',
    answer: answers.text,
    ran: ['{"q":"ä"}', '{"q":"b"}'],
    codes: retried.length === 0 ? [] : ['cut'],
    isOnce: true,
    told: [
      [asks.text, asks.reasoning, ['{"q":"ä"}', '{"q":"b"}']],
      [answers.text, '', []],
    ],
    folded: [asks.text, answers.text],
    laws: [],
  }
  const isSame = JSON.stringify(seen) === JSON.stringify(expected)
  return isSame ? [] : [`answer ${request} cut after ${at} bytes: ${JSON.stringify(seen)}`]
}

/** Runs many at once, because each one mostly waits for its own promises. */
async function each<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  let at = 0
  const worker = async () => {
    for (let one = all[at++]; one !== undefined; one = all[at++]) await work(one)
  }
  await Promise.all(Array.from({ length: 16 }, worker))
}

/** The chunks that a client reads from an answer, with neighbors of one kind joined. */
async function heard(wire: Wire, fetch: typeof globalThis.fetch): Promise<ModelChunk[]> {
  const client = connect({ wire, at: nowhere, fetch })
  const all: ModelChunk[] = []
  for await (const chunk of client.stream(client.encode(request), new AbortController().signal)) {
    const last = all.at(-1)
    if (last !== undefined && 'text' in last && 'text' in chunk && last.type === chunk.type)
      all[all.length - 1] = { ...last, text: last.text + chunk.text }
    else all.push(chunk)
  }
  return all
}

const request: ModelRequest = {
  instructions: '',
  messages: [{ role: 'user', text: 'How much?' }],
  tools: [],
  step: 1,
  attempt: 1,
}

/** One answer, cut into other pieces or broken off. */
function delivered({ plan }: { plan: AnswerPlan }, change: (bytes: Uint8Array) => readonly Beat[]) {
  const bytes = joined(plan.beats.map((each) => ('bytes' in each ? each.bytes : new Uint8Array())))
  const beats = change(bytes)
  return (_: unknown, init?: RequestInit) => responseOf({ ...plan, beats }, init?.signal ?? undefined)
}

const send = (bytes: Uint8Array): Beat => ({ do: 'send', bytes })

describe('L8 a connection that breaks', () => {
  test.each(wires)(
    'L8 at every byte of an answer: told as cut, or whole, never anything else (%s) @deep',
    async (wire) => {
      const [first] = await wholeRun(wire)
      if (first === undefined) throw new Error('nothing was asked')
      const whole = await heard(
        wire,
        delivered(first, (bytes) => [send(bytes), { do: 'end' }]),
      )
      expect(whole.at(-1)).toMatchObject({ type: 'finish', reason: 'calls' })
      const wrong: string[] = []
      let cuts = 0
      // The quick run cuts at every eleventh byte.
      const all = places(first.bytes, countFor({ quick: 11, deep: 1 }))
      await each(all, async (at) => {
        const chunks = await heard(
          wire,
          delivered(first, (bytes) => [send(bytes.subarray(0, at)), { do: 'reset' }]),
        )
        const last = chunks.at(-1)
        const isCut = last?.type === 'fault' && last.fault.code === 'cut' && last.fault.retry === 'backoff'
        if (isCut) cuts += 1
        const isWhole = JSON.stringify(withoutUsage(chunks)) === JSON.stringify(withoutUsage(whole))
        if (!isCut && !isWhole) wrong.push(`${at}: ${JSON.stringify(chunks)}`)
      })
      expect(wrong.slice(0, 3)).toEqual([])
      // All but those behind the last word of the answer.
      expect(cuts).toBeGreaterThan(all.length * 0.6)
    },
    60_000,
  )

  test.each(wires)(
    'L8 at every byte of a run: the same calls, each once, and the same answer (%s) @deep',
    async (wire) => {
      const wrong: string[] = []
      // Responses says all it says three times over: every third byte is as much of an answer.
      const sayings = wire === 'responses' ? 3 : 1
      // The quick run cuts at every 53rd byte, which over a whole answer falls on every part of an event.
      const stride = countFor({ quick: 53, deep: 1 }) * sayings
      await each(await cutsOf(wire, stride), async (cut) => {
        const server = createFetchServer({ behaviour: behaviourOf(cut), service: 'compatible' })
        const outcome = await runTrial({ wire, at: nowhere, fetch: server.fetch, ...quick })
        wrong.push(...differences(cut, outcome, server.requests))
      })
      expect(wrong.slice(0, 5)).toEqual([])
    },
    300_000,
  )

  test.each(wires)(
    'L8 on real sockets too (%s) @deep',
    async (wire) => {
      const wrong: string[] = []
      await each(await cutsOf(wire, countFor({ quick: 499, deep: 149 })), async (cut) => {
        const server = await startModelServer({ behaviour: behaviourOf(cut), service: 'compatible' })
        const outcome = await runTrial({ wire, at: server, ...quick })
        await server.close()
        wrong.push(...differences(cut, outcome, server.requests))
      })
      expect(wrong.slice(0, 5)).toEqual([])
    },
    60_000,
  )
})

function places(bytes: number, stride: number): number[] {
  return Array.from({ length: Math.ceil(bytes / stride) }, (_, at) => at * stride)
}

/** If it is cut after its end, an answer may lack the provider's token count. */
function withoutUsage(chunks: readonly ModelChunk[]): unknown[] {
  return chunks.map((each) => (each.type === 'finish' ? { ...each, usage: null } : each))
}

describe('L14 bytes that come in pieces', () => {
  test.each(wires)(
    'L14 S0-18 in two, cut all over the answer, they say the same (%s) @deep',
    async (wire) => {
      const [first] = await wholeRun(wire)
      if (first === undefined) throw new Error('nothing was asked')
      const whole = JSON.stringify(
        await heard(
          wire,
          delivered(first, (bytes) => [send(bytes), { do: 'end' }]),
        ),
      )
      const wrong: number[] = []
      await each(places(first.bytes, countFor({ quick: 13, deep: 5 })), async (at) => {
        const inTwo = (bytes: Uint8Array): Beat[] => [
          send(bytes.subarray(0, at)),
          send(bytes.subarray(at)),
          { do: 'end' },
        ]
        if (JSON.stringify(await heard(wire, delivered(first, inTwo))) !== whole) wrong.push(at)
      })
      expect(wrong).toEqual([])
    },
    60_000,
  )

  test.each(wires)(
    'L14 S0-18 in pieces of any size, they say the same (%s)',
    async (wire) => {
      const word = fc.string({ unit: 'grapheme', maxLength: 30 })
      const spoken = fc.record({
        reasoning: word,
        text: word,
        calls: fc.array(word.map(call), { maxLength: 3 }),
      })
      const pieces = fc.oneof(
        fc.integer({ min: 1, max: 1e6 }).map((random) => ({ random })),
        fc.integer({ min: 1, max: 64 }).map((size) => ({ size })),
      )
      const hear = (say: Said, chunks: Chunking) =>
        heard(wire, createFetchServer({ behaviour: [{ say, chunks }] }).fetch)
      await fc.assert(
        fc.asyncProperty(spoken, pieces, async (say, chunks) => {
          expect(await hear(say, chunks)).toEqual(await hear(say, 'whole'))
        }),
        { numRuns: 40 },
      )
    },
    60_000,
  )
})
