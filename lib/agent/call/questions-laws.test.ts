import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import type { RunEvent } from '#lib/spec/event'
import { runEvent } from '#lib/spec/event'
import {
  calls,
  createRig,
  createTool,
  endOf,
  fresh,
  limiting,
  of,
  replay,
  text,
  unpaired,
} from '../rig.fixture'
import { run } from '../run'
import { Decisions } from './decisions'
import { asking, question, repliesTo } from './questions.fixture'

const plot = fc.record({
  names: fc.array(fc.constantFrom('ask', 'book', 'look'), { minLength: 1, maxLength: 4 }),
  strategy: fc.constantFrom('sequential', 'parallel', 'auto'),
  kills: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 4 }),
  declines: fc.boolean(),
})

test('F2: a run with questions, killed anywhere, asks each once, runs no effect twice, and ends as one that was not killed @deep', async () => {
  await fc.assert(
    fc.asyncProperty(plot, async ({ names, strategy, kills, declines }) => {
      const tools = [
        asking('ask', [question('a')], { state: 'kept' }),
        asking('book', [question('a')], { effect: 'effect', state: 'kept' }),
        createTool('look'),
      ]
      const given = {
        play: [calls(...names), text('Done.')],
        tools,
        policies: [limiting({ strategy, concurrency: 3 })],
      }
      const events: RunEvent[] = []
      for (let life = 0; life < 40 && !events.some(({ type }) => type === 'run.finished'); life++) {
        const decisions = new Decisions()
        const { deps } = createRig({ ...given, deps: { decisions } })
        const state = events.length === 0 ? fresh() : replay(events)
        const open = repliesTo(state, declines ? { action: 'decline' } : { action: 'answer', text: 'yes' })
        for (const each of open.slice(0, 1)) decisions.reply(each)
        const most = kills[life] ?? Number.POSITIVE_INFINITY
        const resumed = open.length > 0 ? 'decided' : 'crash'
        const going = run(state, deps, new AbortController().signal, resumed)
        for (let taken = 0; taken < most; taken++) {
          const next = await going.next()
          if (next.done) break
          events.push(next.value)
        }
        // Work that the next pull would begin may still happen; its events are lost.
        if (Number.isFinite(most)) void going.next()
        await new Promise((resolve) => setImmediate(resolve))
      }
      for (const each of events) runEvent.parse(each)
      const state = replay(events)
      const asked = names.filter((name) => name !== 'look').length
      // A call that was lost in the middle of its work never came to its question.
      const lost = [...state.calls.values()].filter(({ status }) => status === 'unknown').length
      const isPoison = endOf(events).status === 'failed'
      if (isPoison) expect(endOf(events).error?.code).toBe('poison')
      else expect(of(events, 'input.requested').length).toBeGreaterThanOrEqual(asked - lost)
      expect(of(events, 'input.requested').length).toBeLessThanOrEqual(asked)
      expect(of(events, 'input.given')).toHaveLength(of(events, 'input.requested').length)
      if (!isPoison) expect(endOf(events).status).toBe('completed')
      expect(unpaired(state.messages)).toEqual([])
      expect([state.waiting, state.waitingSince]).toEqual([0, null])
      const continued = of(events, 'call.continued').map(({ callId }) => callId)
      expect(new Set(continued).size).toBe(continued.length)
    }),
    { numRuns: countFor({ quick: 60, deep: 1_000 }) },
  )
})
