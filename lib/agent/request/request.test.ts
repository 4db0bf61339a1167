import { describe, expect, test } from 'vitest'
import type { Message } from '#lib/spec/message'
import type { ToolChoice } from '#lib/spec/model'
import { defaultLimits } from '#lib/spec/policy'
import type { RunDeps } from '../deps'
import {
  calls,
  collect,
  createRig,
  createTool,
  denying,
  finish,
  fresh,
  limiting,
  of,
  type Played,
  replay,
  type Turn,
  text,
} from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { request } from './rerequest'

const dotted = createTool('schema.list')
const look = createTool('look')

interface Given {
  readonly turns: Turn[]
  readonly choice?: ToolChoice
  readonly maxSteps?: number
  readonly deps?: Partial<RunDeps>
}

/** Runs the turns, and rebuilds each request from the stored events, byte for byte. */
async function sentBy({ turns, choice, maxSteps = 9, deps: rest = {} }: Given): Promise<Played[]> {
  const policies = [
    limiting({ maxSteps, ...(choice === undefined ? {} : { toolChoice: choice }) }),
    denying('hidden'),
  ]
  const tools = [look, dotted, createTool('hidden')]
  const { deps, model } = createRig({ play: turns, tools, policies, deps: rest })
  const events = await collect(deps)
  const state = replay(events)
  const last = new Map(of(events, 'model.requested').map((event) => [event.step, event.hash]))
  for (const [step, hash] of last) expect(deps.hash(request(state, deps, step)?.body ?? '')).toBe(hash)
  return model.requests
}

const choicesIn = (requests: readonly Played[]) => requests.map((each) => each.toolChoice)
const lastOf = (requests: readonly Played[]) => requests.map((each) => each.messages.at(-1))

describe('what the model may choose', () => {
  const choices: [ToolChoice, ToolChoice][] = [
    ['auto', 'auto'],
    ['none', 'none'],
    ['required', 'required'],
    [{ tool: 'look' }, { tool: 'look' }],
    [{ tool: 'schema.list' }, { tool: 'schema_list' }],
  ]
  test.each(choices)('%j goes to the wire as %j (S1-14)', async (choice, wire) => {
    const [first] = await sentBy({ turns: [text('ok')], choice })
    expect(first?.toolChoice).toEqual(wire)
  })

  test('is not sent when no policy says (S1-14)', async () => {
    const [first] = await sentBy({ turns: [text('ok')] })
    expect(first).not.toHaveProperty('toolChoice')
  })

  const forced: ToolChoice[] = ['required', { tool: 'look' }]
  test.each(forced)(
    '%j holds until a step has called, or the run would never end (S1-14, S4-37)',
    async (choice) => {
      const turns = [calls('look'), calls('schema.list'), text('ok')]
      expect(choicesIn(await sentBy({ turns, choice }))).toEqual([choice, 'auto', 'auto'])
    },
  )

  test('holds for an empty answer’s second asking, and for a try after a failure (S4-37)', async () => {
    const play = ({ attempt }: { attempt: number }): Turn => {
      if (attempt === 1) return [finish('stop')]
      return attempt === 2 ? [] : text('ok')
    }
    const policies = [limiting({ toolChoice: 'required' })]
    const { deps, model } = createRig({ play, tools: [look], policies })
    await collect(deps)
    expect(choicesIn(model.requests)).toEqual(['required', 'required', 'required'])
  })

  test('stays none in every step (S1-14)', async () => {
    const turns = [calls('look'), text('ok')]
    expect(choicesIn(await sentBy({ turns, choice: 'none' }))).toEqual(['none', 'none'])
  })

  test('is not sent with the closing answer, which has no tools (S4-22)', async () => {
    const requests = await sentBy({ turns: [calls('look'), text('ok')], choice: 'none', maxSteps: 1 })
    expect(requests.map((each) => [each.tools.length, each.toolChoice])).toEqual([
      [2, 'none'],
      [0, undefined],
    ])
  })

  test.each(['ghost', 'hidden'])(
    'is left to the model when %s is asked for, which is not offered (S4-37)',
    async (tool) => {
      expect(choicesIn(await sentBy({ turns: [text('ok')], choice: { tool } }))).toEqual([undefined])
    },
  )

  test('is not sent where nothing is offered (S1-14)', async () => {
    const policies = [limiting({ toolChoice: 'required' })]
    const { deps, model } = createRig({ play: [text('ok')], policies })
    await collect(deps)
    expect(choicesIn(model.requests)).toEqual([undefined])
  })
})

describe('the next-step prompt', () => {
  const nextStepPrompt = 'It is {{date}}. What now, {{name}}? {{tools}}'
  const said: Message = { role: 'user', text: 'It is 2025-10-09. What now, tester? {{tools}}' }
  const turns = [calls('look'), calls('look'), text('ok')]

  test('ends the request of each further step, and stands in no history (S1-17)', async () => {
    const { deps, model } = createRig({ play: turns, tools: [look], deps: { nextStepPrompt } })
    const events = await collect(deps)
    expect(lastOf(model.requests)).toEqual([{ role: 'user', text: 'How much?' }, said, said])
    for (const { messages } of model.requests.slice(1)) {
      expect(messages.filter((each) => each.role === 'user' && each.text === said.text)).toHaveLength(1)
      expect(messages.at(-2)?.role).toBe('tool')
    }
    expect(messagesOf(replay(events)).filter((each) => each.role === 'user')).toHaveLength(1)
    expect(of(events, 'model.requested').map((event) => event.counts.messages)).toEqual([1, 4, 6])
  })

  test('is part of the request as it is made again (S1-17)', async () => {
    expect(lastOf(await sentBy({ turns, deps: { nextStepPrompt } })).slice(1)).toEqual([said, said])
  })

  test.each([undefined, '', ' \n'])('says nothing when it is %j (S1-17)', async (prompt) => {
    const deps = prompt === undefined ? {} : { nextStepPrompt: prompt }
    const requests = await sentBy({ turns, deps })
    expect(lastOf(requests).map((each) => each?.role)).toEqual(['user', 'tool', 'tool'])
  })

  test('gives way to what the run itself has to say: the closing words, and asking again (S1-17, S4-22)', async () => {
    const closing = await sentBy({
      turns: [calls('look'), text('ok')],
      maxSteps: 1,
      deps: { nextStepPrompt },
    })
    expect(lastOf(closing)[1]).toMatchObject({ text: expect.stringContaining('the limit of 1 step') })
    expect(JSON.stringify(closing[1]?.messages)).not.toContain('What now')
    const nudged = await sentBy({ turns: [calls('look'), [finish('stop')]], deps: { nextStepPrompt } })
    expect(nudged[2]?.messages.slice(-2).map((each) => each.role)).toEqual(['tool', 'user'])
    expect(lastOf(nudged)[2]).toMatchObject({ text: expect.stringContaining('empty') })
  })
})

describe('a dialogue over several runs', () => {
  test('is passed on message by message, the instructions once and in no message (S3-25, S3-08, E-35)', async () => {
    const history: Message[] = []
    const instructions = 'Line one\r\n\n  line two\t'
    for (let turn = 1; turn <= 4; turn++) {
      const { deps, model } = createRig({
        play: [calls('look'), text(`a${turn}`)],
        tools: [look],
        deps: { instructions },
      })
      const events = await collect(deps, { state: fresh({ history: [...history], input: `q${turn}` }) })
      for (const { messages, body, instructions: sent } of model.requests) {
        expect(sent).toBe(instructions)
        expect(body.split(JSON.stringify(instructions).slice(1, -1))).toHaveLength(2)
        expect(messages.every((each) => ['user', 'assistant', 'tool'].includes(each.role))).toBe(true)
      }
      const first = model.requests[0]?.messages.map((each) => (each.role === 'user' ? each.text : each.role))
      const before = Array.from({ length: turn - 1 }, (_, index) => [
        `q${index + 1}`,
        'assistant',
        'tool',
        'assistant',
      ])
      expect(first).toEqual([...before.flat(), `q${turn}`])
      history.push(...messagesOf(replay(events, { input: `q${turn}` })))
    }
  })

  test('keeps what is opaque beside its thought and its call, over steps and over runs (L16)', async () => {
    const signature = (data: string) => ({ type: 'opaque', provider: 'anthropic', data: { data } }) as const
    const thinking: Turn = [
      { type: 'reasoning', text: 'one' },
      signature('s1'),
      { type: 'reasoning', text: 'two' },
      signature('s2'),
      { type: 'text', text: 'I look.' },
      ...calls({ name: 'look', id: 'toolu_1' }),
    ]
    const order = ['reasoning', 's1', 'reasoning', 's2', 'text', 'call']
    const orderIn = (requests: readonly Played[]) => {
      const message = requests.at(-1)?.messages.find((each) => each.role === 'assistant')
      const parts = message?.role === 'assistant' ? message.parts : []
      return parts.map((part) => (part.type === 'opaque' ? Object.values(part.data ?? {})[0] : part.type))
    }
    const first = createRig({ play: [thinking, text('ok')], tools: [look] })
    const events = await collect(first.deps)
    expect(orderIn(first.model.requests)).toEqual(order)
    const second = createRig({ play: [text('ok')], tools: [look] })
    await collect(second.deps, { state: fresh({ history: messagesOf(replay(events)) }) })
    expect(orderIn(second.model.requests)).toEqual(order)
  })
})

test('S1-27 with clearToolTurns, the next question of a thread comes after questions and answers alone', async () => {
  const first = createRig({
    play: [calls('look'), calls('look'), text('It is 42.')],
    tools: [look],
    deps: { nextStepPrompt: 'One more step.' },
  })
  const history = messagesOf(replay(await collect(first.deps)))
  expect(history.map(({ role }) => role)).toContain('tool')
  const firstRequest = async (clearToolTurns: boolean) => {
    const policies = [limiting({ history: { ...defaultLimits.history, clearToolTurns } })]
    const { deps, model } = createRig({ play: [text('ok')], tools: [look], policies })
    await collect(deps, { state: fresh({ input: 'And then?', history }) })
    return model.requests[0]?.messages
  }
  expect(await firstRequest(true)).toEqual([
    { role: 'user', text: 'How much?' },
    { role: 'assistant', parts: [{ type: 'text', text: 'It is 42.' }] },
    { role: 'user', text: 'And then?' },
  ])
  expect((await firstRequest(false))?.map(({ role }) => role)).toContain('tool')
})
