import { describe, expect, test } from 'vitest'
import type { ModelChunk } from '#lib/spec/model'
import { Feed, type StreamPiece } from '../feed'
import {
  type Beat,
  calls,
  collect,
  createClock,
  createRig,
  createTool,
  endOf,
  finish,
  of,
  replay,
  saying,
  text,
} from '../rig.fixture'
import { Answer } from './answer'

describe('a stream', () => {
  test('goes at once with its first piece, then in one batch each 40 ms', async () => {
    const beats: Beat[] = Array.from({ length: 100 }, (): Beat[] => [
      { type: 'text', text: 'x' },
      { waitMs: 10 },
    ]).flat()
    const { deps, clock } = createRig({ play: [[...beats, finish('stop')]] })
    const times: number[] = []
    const events = await collect(deps, {
      on: ({ type }) => type === 'text.delta' && times.push(clock.monotonic()),
    })
    const deltas = of(events, 'text.delta').map((event) => event.text)
    expect(deltas[0]).toBe('x')
    expect(deltas.join('')).toBe('x'.repeat(100))
    expect(deltas.length).toBe(26)
    for (let index = 1; index < times.length - 1; index++) {
      expect((times[index] ?? 0) - (times[index - 1] ?? 0)).toBeGreaterThanOrEqual(40)
    }
  })

  test('that stalls does not keep back what it has said', async () => {
    const beats: Beat[] = [
      { type: 'text', text: 'a' },
      { waitMs: 1 },
      { type: 'text', text: 'b' },
      { waitMs: 60_000 },
    ]
    const { deps, clock } = createRig({ play: [[...beats, finish('stop')]] })
    const seen: [string, number][] = []
    await collect(deps, {
      on: (event) => {
        if (event.type === 'text.delta') seen.push([event.text, clock.monotonic()])
      },
    })
    expect(seen).toEqual([
      ['a', 0],
      ['b', 40],
    ])
  })

  test('of 20,000 deltas in a burst costs a handful of events and no timer each (G4)', async () => {
    const words: ModelChunk[] = Array.from({ length: 20_000 }, () => ({ type: 'text', text: 'word ' }))
    const { deps, clock } = createRig({ play: [[...words, finish('stop')]] })
    const events = await collect(deps)
    expect(of(events, 'text.delta')).toHaveLength(2)
    expect(endOf(events).answer).toHaveLength(100_000)
    // One sleep for the batch, one for the model's time limit.
    expect(clock.sleeps).toBe(2)
  })

  test('of 20,000 pieces of arguments is parsed once, at its end (G5)', async () => {
    const raw = JSON.stringify({ content: 'x'.repeat(39_000) })
    const pieces =
      raw.match(/../gs)?.map((each): ModelChunk => ({ type: 'call.args', index: 0, text: each })) ?? []
    const turn: Beat[] = [
      { type: 'call.start', index: 0, name: 'look' },
      ...pieces,
      { type: 'call.end', index: 0 },
      finish('calls'),
    ]
    const parse = JSON.parse
    let parsed = 0
    const { deps } = createRig({ play: [turn, text('ok')], tools: [createTool('look')] })
    JSON.parse = (value: string) => {
      if (raw.startsWith(value.slice(0, 20))) parsed += 1
      return parse(value)
    }
    const events = await collect(deps).finally(() => {
      JSON.parse = parse
    })
    expect(parsed).toBe(1)
    expect(of(events, 'call.started')[0]?.args).toEqual({ content: 'x'.repeat(39_000) })
    expect(
      of(events, 'call.delta')
        .map((event) => event.argsText)
        .join(''),
    ).toBe(raw)
  })

  test('shows arguments while they come, and the state holds them until the answer stands; the call runs once (S4-18)', async () => {
    const turn: Beat[] = [
      { type: 'reasoning', text: 'hm' },
      { type: 'call.start', index: 0, name: 'look' },
      { type: 'call.args', index: 0, text: '{"a":' },
      { waitMs: 50 },
      { type: 'call.args', index: 0, text: '1}' },
      { type: 'call.end', index: 0 },
      finish('calls'),
    ]
    const look = createTool('look')
    const { deps } = createRig({ play: [turn, text('ok')], tools: [look] })
    const events = await collect(deps)
    const upTo = (seq: number) => replay(events.slice(0, seq))
    const [first, second] = of(events, 'call.delta')
    expect(upTo(first?.seq ?? 0).calls.get('call_1_1')).toMatchObject({
      status: 'streaming',
      argsText: '{"a":',
      node: 'tools/0',
    })
    expect(upTo(second?.seq ?? 0).calls.get('call_1_1')).toMatchObject({ argsText: '{"a":1}' })
    expect(upTo((second?.seq ?? 0) + 1).calls.get('call_1_1')).toMatchObject({
      status: 'due',
      argsText: '',
      args: { a: 1 },
    })
    expect(look.ran).toEqual(['call_1_1'])
  })
})

describe('an answer', () => {
  function heard(chunks: readonly Beat[], reason: Parameters<Answer['parts']>[0] = 'calls') {
    const answer = new Answer(3, true)
    for (const chunk of chunks) if (chunk !== 'hang' && !('waitMs' in chunk)) answer.hear(chunk)
    return answer.parts(reason)
  }

  test('keeps its parts in the order they began, neighbours of a kind as one (E-24)', () => {
    const opaque = { type: 'opaque', provider: 'p', data: { signature: 's' } } as const
    const chunks: Beat[] = [
      { type: 'reasoning', text: 'a' },
      { type: 'reasoning', text: 'b' },
      opaque,
      { type: 'text', text: 'c' },
      { type: 'text', text: '' },
      ...saying('look'),
      { type: 'text', text: 'd' },
    ]
    expect(heard(chunks)).toEqual([
      { type: 'reasoning', text: 'ab' },
      opaque,
      { type: 'text', text: 'c' },
      { type: 'call', id: 'call_3_1', name: 'look', rawArgs: '{}', args: {} },
      { type: 'text', text: 'd' },
    ])
  })

  test('gives calls ids of its own, whatever the provider sends, and takes a replay for one call (E-19, E-20)', () => {
    const same = { id: 'call_0', name: 'look', args: { a: 1 } }
    const chunks = saying(same, same, { ...same, args: { a: 2 } }, { name: 'look', id: '' })
    expect(heard(chunks)).toMatchObject([
      { id: 'call_3_1', wireId: 'call_0', args: { a: 1 } },
      { id: 'call_3_3', wireId: 'call_0', args: { a: 2 } },
      { id: 'call_3_4' },
    ])
    expect(heard(chunks)[2]).not.toHaveProperty('wireId')
  })

  const cut: [string, string, string | undefined][] = [
    ['whole', '{"a":1}', undefined],
    ['in pieces', '{"a":', 'truncated'],
    ['not begun', '', 'truncated'],
  ]
  test.each(cut)(
    'that ran out of length runs no call whose arguments are not whole: %s (E-30)',
    (_, args, code) => {
      const [first, last] = heard(saying({ name: 'look', args: '' }, { name: 'look', args }), 'length')
      expect(first).toMatchObject({ args: {} })
      expect(last).toMatchObject(code === undefined ? { args: { a: 1 } } : { invalid: { code } })
    },
  )

  test('with arguments nested without end is refused, not read', () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect(heard(saying({ name: 'look', args: deep }))).toMatchObject([{ invalid: { code: 'args_json' } }])
  })
})

test('a feed gives things in the order they happened, pieces before what follows them', async () => {
  const feed = new Feed<{ readonly end: true }>(createClock())
  const piece = (value: string): StreamPiece => ({ type: 'text.delta', text: value })
  feed.piece(piece('a'))
  feed.piece(piece('b'))
  feed.piece({ type: 'call.delta', callId: 'c', name: 'look', argsText: '{' })
  feed.piece({ type: 'call.delta', callId: 'c', name: 'look', argsText: '}' })
  feed.push({ end: true })
  feed.close()
  feed.piece(piece('late'))
  feed.push({ end: true })
  const taken = [await feed.take(), await feed.take(), await feed.take(), await feed.take()]
  expect(taken).toEqual([
    piece('a'),
    piece('b'),
    { type: 'call.delta', callId: 'c', name: 'look', argsText: '{}' },
    { end: true },
  ])
})

test('equal ids of a provider in several answers of a run go out once, ours after that (E-19)', async () => {
  const turn = calls({ id: 'call_0', name: 'look' })
  const { deps, model } = createRig({ play: [turn, turn, text('ok')], tools: [createTool('look')] })
  await collect(deps)
  const sent = model.requests[2]?.messages.flatMap((each) => (each.role === 'assistant' ? each.parts : []))
  expect(sent?.map((part) => (part.type === 'call' ? (part.wireId ?? part.id) : ''))).toEqual([
    'call_0',
    'call_2_1',
  ])
})
