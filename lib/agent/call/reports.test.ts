/** What people see of calls while they are at work: progress by call, in order, once. */
import { describe, expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { calls, collect, createRig, createTool, limiting, of, said, text } from '../rig.fixture'

describe('what calls side by side report (S1-24, S4-24)', () => {
  test('has the id and the persona of its call, comes at once and then in batches, and ends once', async () => {
    let rig: ReturnType<typeof createRig>
    const talker = (name: string) =>
      createTool(name, {
        async run(_, { progress, signal }) {
          for (let turn = 0; turn < 3; turn++) {
            for (let word = 0; word < 100; word++) progress(`${name}${turn} `)
            await rig.clock.sleep(100, signal)
          }
          return said(name)
        },
      })
    rig = createRig({
      play: [calls('one', 'two'), text('ok')],
      tools: [talker('one'), talker('two')],
      policies: [
        limiting({
          strategy: 'parallel',
          concurrency: 2,
          personas: { names: [['one', 'Ada']], generate: false },
        }),
      ],
    })
    const events = await collect(rig.deps)
    for (const [callId, name, persona] of [
      ['call_1_1', 'one', 'Ada'],
      ['call_1_2', 'two', undefined],
    ] as const) {
      const pieces = of(events, 'call.progressed').filter((each) => each.callId === callId)
      const whole = [0, 1, 2].map((turn) => `${name}${turn} `.repeat(100)).join('')
      expect(pieces.map(({ text: piece }) => piece).join('')).toBe(whole)
      expect(pieces.length).toBeLessThan(10)
      const ends = of(events, 'call.finished').filter((each) => each.callId === callId)
      expect(ends).toMatchObject([{ status: 'ok', result: { text: name } }])
      expect(ends[0]?.persona).toBe(persona)
      expect(events.indexOf(ends[0] as RunEvent)).toBeGreaterThan(events.indexOf(pieces.at(-1) as RunEvent)) // casts: the lines above found both
    }
  })

  test('stays as it was reported when the body changes it afterwards', async () => {
    const block = { type: 'text' as const, text: 'as it was' }
    const result = { type: 'text' as const, text: 'the result' }
    const tool = createTool('look', {
      run: (_, { progress }) => {
        progress([block])
        block.text = 'changed'
        return { ok: true, blocks: [result] }
      },
    })
    const { deps } = createRig({ play: [calls('look'), text('ok')], tools: [tool] })
    const events = await collect(deps, {
      on: ({ type }) => {
        if (type === 'call.finished') result.text = 'changed'
      },
    })
    expect(of(events, 'call.progressed').map(({ blocks }) => blocks)).toEqual([
      [{ type: 'text', text: 'as it was' }],
    ])
    expect(of(events, 'call.finished')[0]?.result).toMatchObject({
      text: 'the result',
      blocks: [{ type: 'text', text: 'the result' }],
    })
  })
})
