import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#lib/spec/json'
import type { Recaller } from '#lib/spec/toolkit'
import { request } from '../request/rerequest'
import { calls, collect, createTool, endOf, fresh, of, replay, said, text } from '../rig.fixture'
import { messagesOf } from '../state/dialogue'
import { asks, called, closeAfterEach, program, send, stage } from './hooks.fixture'

closeAfterEach()

const look = () => createTool('look', { run: () => said('the secret plan') })

describe('a hook before the reply (S4-26)', () => {
  test('may change the question and the instructions that the model reads, in every step and in later runs', async () => {
    const given = {
      hooks: [
        { on: 'pre_reply' as const, path: '/a' },
        { on: 'pre_reply' as const, path: '/b' },
      ],
      answer: ({ path, question }: JsonObject) =>
        path === '/a'
          ? { question: 'How much, in euros?', instructions: 'Be exact.' }
          : { reason: JSON.stringify(question) },
      play: [calls('look'), text('ok')],
      tools: [look()],
    }
    const rig = await stage(given)
    const events = await collect(rig.deps)
    expect(program.stand?.asked).toMatchObject([
      { question: 'How much?', instructions: 'Be brief.' },
      { question: 'How much, in euros?', instructions: 'Be exact.' },
    ])
    expect(called(events)[0]).toMatchObject({
      changed: { question: 'How much, in euros?', instructions: 'Be exact.' },
    })
    for (const { messages, instructions } of rig.model.requests) {
      expect(messages[0]).toEqual({ role: 'user', text: 'How much, in euros?' })
      expect(instructions).toBe('Be exact.')
    }
    const state = replay(events)
    expect(messagesOf(state)[0]).toEqual({ role: 'user', text: 'How much, in euros?' })
    expect(state.start.input).toBe('How much?')
    rig.model.requests.forEach(({ body }, index) => {
      expect(request(state, rig.deps, index + 1)?.body).toBe(body)
    })
  })

  test('S4-06 E-48 a memory is searched for, and remembers, the question that it put in place, word for word', async () => {
    const queries: string[] = []
    const recaller: Recaller = {
      node: 'tools/0',
      tool: createTool('memory.search'),
      records: true,
      async atStart({ query }) {
        queries.push(query)
        return undefined
      },
    }
    const rig = await stage({
      hooks: [{ on: 'pre_reply' }],
      answer: () => ({ question: 'How much is {{x}} for [name]?' }),
      play: [text('It is $& euros.')],
    })
    const events = await collect({ ...rig.deps, recallers: [recaller] })
    expect(queries).toEqual(['How much is {{x}} for [name]?'])
    expect(of(events, 'memory.recorded')).toMatchObject([
      { entries: [{ text: 'Asked: How much is {{x}} for [name]?\nAnswered: It is $& euros.' }] },
    ])
  })

  test('keeps the list of files after the question that it changes', async () => {
    const files = [{ id: 'a', name: 'list.csv', path: 'list.csv', mediaType: 'text/csv', bytes: 3 }]
    const rig = await stage({
      hooks: [{ on: 'pre_reply' }],
      answer: () => ({ question: 'Sum it up.' }),
      play: [text('ok')],
    })
    await collect(rig.deps, { state: fresh({ files }) })
    expect(rig.model.requests[0]?.messages[0]).toMatchObject({
      text: expect.stringMatching(/^Sum it up\.\n\nFiles given .*\n- list\.csv/),
    })
  })
})

describe('a hook before reasoning (S4-26)', () => {
  test('may change the last message and the instructions of one request, which can be built again', async () => {
    const rig = await stage({
      hooks: [{ on: 'pre_reasoning' }],
      answer: ({ step }) => (step === 2 ? { lastMessage: 'the plan', instructions: 'Be kind.' } : ''),
      play: [calls('look'), calls('look'), text('ok')],
      tools: [look()],
    })
    const events = await collect(rig.deps)
    const [, second, third] = rig.model.requests
    expect(second).toMatchObject({ instructions: 'Be kind.' })
    expect(second?.messages.at(-1)).toMatchObject({ role: 'tool', callId: 'call_1_1', text: 'the plan' })
    // The dialogue itself is as it was.
    expect(third).toMatchObject({ instructions: 'Be brief.' })
    expect(third?.messages[2]).toMatchObject({ text: 'the secret plan' })
    expect(called(events)[1]).toMatchObject({
      changed: { lastMessage: 'the plan', instructions: 'Be kind.' },
    })
    const state = replay(events)
    rig.model.requests.forEach(({ body }, index) => {
      expect(request(state, rig.deps, index + 1)?.body).toBe(body)
    })
  })

  test('changes the same in a run that resumes before its request, and is not asked again', async () => {
    const given = {
      hooks: [{ on: 'pre_reasoning' as const }],
      answer: () => ({ lastMessage: 'Count.' }),
      play: [text('ok')],
    }
    const events = await collect((await stage(given)).deps)
    const at = events.findIndex(({ type }) => type === 'hook.called')
    const again = await stage(given)
    await collect(again.deps, { state: replay(events.slice(0, at + 1)) })
    expect(program.stand?.asked).toHaveLength(1)
    expect(again.model.requests[0]?.messages.at(-1)).toEqual({ role: 'user', text: 'Count.' })
  })

  test.each([
    ['pre_reasoning', { question: 'x' }],
    ['pre_reply', { lastMessage: 'x' }],
    ['post_reply', { instructions: 'x' }],
    ['print', { text: 'x' }],
    ['print', { decision: 'deny' }],
  ] as const)('an answer on %s with %j is a failure', async (on, answer) => {
    const rig = await stage({
      hooks: [{ on, onFailure: 'continue' }],
      answer: () => answer,
      play: [text('ok')],
    })
    const events = await collect(rig.deps)
    expect(called(events)[0]?.error).toContain('is not allowed on')
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
  })
})

describe('a hook that prints (S4-26)', () => {
  const blocksOf = () => (program.stand?.asked ?? []).map(({ block }) => block)

  test('is asked once about each finished text, thought, call and result, in order', async () => {
    const turn = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I will send it.' },
      ...asks('ann'),
    ] as const
    const rig = await stage({
      hooks: [{ on: 'print' }],
      answer: () => '',
      play: [turn, text('sent')],
      tools: [send()],
    })
    const events = await collect(rig.deps)
    expect(blocksOf()).toEqual([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I will send it.' },
      { type: 'call', id: 'call_1_1', tool: 'send', args: { to: 'ann' } },
      { type: 'result', id: 'call_1_1', tool: 'send', text: 'sent {"to":"ann"}', status: 'ok', code: null },
      { type: 'text', text: 'sent' },
    ])
    expect(called(events).map(({ on, changed }) => [on, changed])).toEqual(
      Array.from({ length: 5 }, () => ['print', undefined]),
    )
    expect(of(events, 'call.finished')[0]?.result.text).toBe('sent {"to":"ann"}')
  })

  test('is asked about the result of a call in the background when that comes', async () => {
    const slow = createTool('slow', { background: true, run: () => said('found') })
    const rig = await stage({
      hooks: [{ on: 'print' }],
      answer: () => '',
      play: [calls('slow'), text('all')],
      tools: [slow],
    })
    await collect(rig.deps)
    expect(blocksOf().toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toMatchObject([
      { type: 'call', tool: 'slow' },
      { type: 'result', text: 'found' },
      { type: 'text', text: 'all' },
    ])
  })

  test('is not asked again about what it has seen when the run resumes, wherever that is', async () => {
    const given = {
      hooks: [{ on: 'print' as const }],
      answer: () => '',
      play: [calls('look', 'look'), text('ok')],
      tools: [look()],
    }
    const events = await collect((await stage(given)).deps)
    const all = called(events).length
    expect(all).toBe(5)
    for (let cut = 2; cut < events.length; cut++) {
      const before = events.slice(0, cut)
      const rest = await collect((await stage(given)).deps, { state: replay(before) })
      expect(called([...before, ...rest])).toHaveLength(all)
    }
  })

  test('never stops a run by failing, whatever its entry says', async () => {
    const rig = await stage({
      hooks: [{ on: 'print', onFailure: 'deny' }],
      answer: () => 'not JSON',
      play: [text('ok')],
    })
    const events = await collect(rig.deps)
    expect(called(events)).toMatchObject([{ decision: 'continue', error: 'Its answer is not valid JSON.' }])
    expect(endOf(events)).toMatchObject({ status: 'completed', answer: 'ok' })
  })
})
