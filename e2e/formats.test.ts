/** What holds in every format of calls and over every wire: dialogues that go on, also in another format. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { request } from '#lib/agent/request/rerequest'
import {
  collect,
  createRig,
  createTool,
  digest,
  limiting,
  of,
  replay,
  said,
  unpaired,
} from '#lib/agent/rig.fixture'
import { messagesOf } from '#lib/agent/state/dialogue'
import { allProtocols, type Saying, spoken, written } from '#lib/protocols/speaking.fixture'
import { runEvent } from '#lib/spec/event'
import { type Message, part } from '#lib/spec/message'
import type { Codec, Protocol, ResultPlacement } from '#lib/spec/protocol'
import type { Behaviour, Wire } from './model-server/behaviour'
import { createFetchServer, nowhere } from './model-server/fetch'
import { connect, type Outcome, runTrial, wires } from './model-server/rig'

interface Way {
  readonly name: string
  readonly protocol: Protocol
  readonly placement: ResultPlacement
}

const ways: readonly Way[] = allProtocols.flatMap((protocol) =>
  protocol.placements.map((placement) => ({ name: `${protocol.id} ${placement}`, protocol, placement })),
)

const find = createTool('data.find', {
  aliases: ['search'],
  parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  run: ({ q }) => (q === 'nothing' ? { ok: false, message: 'no such row' } : said(`result of ${String(q)}`)),
})
const tools = [find]
const open = ({ protocol, placement }: Way) => protocol.open(tools, placement)
const asking = (q: string): Saying => ({ name: 'data.find', args: { q } })

/** What a model says, as it goes over the wire. */
function behaviourOf(codec: Codec, saying: readonly Saying[]): Behaviour {
  if (codec.format !== 'native') return { say: { text: written(codec, saying) } }
  const text = saying.filter((each) => typeof each === 'string').join('')
  const calls = saying.flatMap((each) =>
    typeof each === 'string' ? [] : [{ name: 'data_find', args: each.args }],
  )
  return { say: { text, calls } }
}

interface Talk {
  readonly wire: Wire
  readonly way: Way
  readonly answers: readonly (readonly Saying[])[]
  readonly history?: readonly Message[]
}

/** One run with a real client. Fails when the service would refuse a request. */
async function talk({ wire, way, answers, history = [] }: Talk) {
  const codec = open(way)
  const server = createFetchServer({ behaviour: answers.map((each) => behaviourOf(codec, each)) })
  const begin = { history }
  const at = { wire, at: nowhere, fetch: server.fetch }
  const outcome: Outcome = await runTrial({ ...at, tools, begin, deps: { codec, hash: digest } })
  for (const { refusal } of server.requests) expect(refusal).toBeUndefined()
  expect(outcome.status).toBe('completed')
  return { outcome, bodies: server.requests.map(({ text }) => text), state: replay(outcome.events, begin) }
}

/** The places of these words in a text, which must all be there. */
function placesOf(text: string, found: readonly string[]): number[] {
  return found.map((each) => {
    expect(text).toContain(each)
    return text.indexOf(each)
  })
}

describe.each(ways)('$name', (way) => {
  const other = ways.filter((each) => each.name !== way.name)
  const dialogue = [['I look.', asking('alpha')], [asking('beta')], ['It is 42.']]

  test.each(wires)(
    'S2-16 over %s the third request holds both earlier calls and their results, in order',
    async (wire) => {
      const { bodies, outcome } = await talk({ wire, way, answers: dialogue })
      expect([outcome.attempts, outcome.answer]).toEqual([3, 'It is 42.'])
      const places = placesOf(bodies[2] ?? '', ['alpha', 'result of alpha', 'beta', 'result of beta'])
      expect(places).toEqual(places.toSorted((a, b) => a - b))
      expect(bodies[1]).not.toContain('beta')
    },
  )

  test.each(wires)(
    'S0-02 over %s a thread goes on in any other format, and its requests are made again to the byte',
    async (wire) => {
      const first = await talk({
        wire,
        way,
        answers: [['I look.', asking('alpha'), asking('nothing')], ['None.']],
      })
      const history = messagesOf(first.state)
      for (const next of other) {
        const second = await talk({ wire, way: next, answers: [[asking('beta')], ['Done.']], history })
        const [body = ''] = second.bodies
        const places = placesOf(body, ['alpha', 'result of alpha', 'no such row', 'None.'])
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        // A format without calls of its own sends none, wherever they came from.
        if (next.protocol.id !== 'native') expect(body).not.toMatch(/"(tool_calls|tool_use|function_call)"/)
        // And back again, after the change in the middle.
        const whole = [...history, ...messagesOf(second.state)]
        const third = await talk({ wire, way, answers: [['Fine.']], history: whole })
        placesOf(third.bodies[0] ?? '', ['result of alpha', 'no such row', 'result of beta', 'Done.'])
        expectMadeAgain(second, next, history, wire)
      }
    },
  )

  test('S4-38 every message and event that is kept fits its schema, and each result has the id of its call', async () => {
    const answers = [
      ['Hm.', asking('a'), asking('nothing')],
      [{ name: 'data.find', args: {} }, asking('b')],
      ['Done.'],
    ]
    const { outcome, state } = await talk({ wire: 'openai', way, answers })
    for (const event of outcome.events)
      expect(runEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
    const messages = messagesOf(state)
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ])
    // Those that a thread keeps, and those that the requests of the run are made of.
    for (const each of [...messages, ...state.messages])
      expect(message.parse(JSON.parse(JSON.stringify(each)))).toEqual(each)
    expect(unpaired(messages)).toEqual([])
    const ids = of(outcome.events, 'call.finished').map(({ callId }) => callId)
    for (const kept of [messages, state.messages])
      expect(kept.flatMap((each) => (each.role === 'tool' ? [each.callId] : []))).toEqual(ids)
  })

  test('S0-10 a tool is found by its own name, its name on the wire and its other name', async () => {
    const names = ['data.find', 'data_find', 'search']
    const codec = open(way)
    const { deps } = createRig({
      play: [
        [
          ...spoken(
            codec,
            names.map((name) => ({ name, args: { q: name } })),
          ),
          { type: 'finish', reason: 'stop', usage: { input: 1, output: 1 } },
        ],
      ],
      tools,
      policies: [limiting({ maxSteps: 1, onLimit: 'return_partial' })],
      deps: { codec },
    })
    const finished = of(await collect(deps), 'call.finished')
    expect(finished.map(({ name, status }) => [name, status])).toEqual(names.map(() => ['data.find', 'ok']))
  })
})

/** A stored message, as anything that reads it may rely on. */
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), text: z.string() }),
  z.strictObject({ role: z.literal('assistant'), parts: z.array(part) }),
  z.strictObject({
    role: z.literal('tool'),
    callId: z.string().regex(/^call_\d+_\d+$/),
    name: z.string(),
    text: z.string(),
    isError: z.boolean(),
  }),
])

/** Encodes each request again from the events alone. */
function expectMadeAgain(
  { outcome, state }: Awaited<ReturnType<typeof talk>>,
  way: Way,
  history: readonly Message[],
  wire: Wire,
): void {
  const codec = open(way)
  const model = connect({ wire, at: nowhere })
  const { deps } = createRig({ play: [], tools, deps: { codec, model, hash: digest } })
  expect(state.start.history).toEqual(history)
  for (const { step, hash } of of(outcome.events, 'model.requested'))
    expect(digest(request(state, deps, step)?.body ?? '')).toBe(hash)
}
