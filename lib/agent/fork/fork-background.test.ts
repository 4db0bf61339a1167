import { expect, test } from 'vitest'
import type { RunEvent } from '#lib/spec/event'
import { Decisions } from '../call/decisions'
import { answer, question as askedQuestion, asking } from '../call/questions.fixture'
import {
  calls,
  collect,
  createRig,
  createTool,
  endOf,
  of,
  question,
  replay,
  said,
  text,
} from '../rig.fixture'
import { keepForFork } from './fork'
import { firstEvents } from './fork-events'

/** The first events of a fork at this step. */
function begun(parent: readonly RunEvent[], step: number): RunEvent[] {
  const kept = keepForFork(parent, { step })
  const [started] = of(parent, 'run.started')
  if (!kept.ok || started === undefined) throw new Error('the parent cannot be forked')
  const { agent, input } = question
  const begin = { agent, input, threadId: 'thread_2', historyThrough: null, at: 1_900_000_000_000 }
  return firstEvents({ ...begin, forkedFrom: { runId: 'run_1', step } }, started, kept.value)
}

test('S4-42 a fork copies the result of a call in the background that began before its step', async () => {
  const clock: { now?: ReturnType<typeof createRig>['clock'] } = {}
  let ran = 0
  const make = () => {
    const slow = createTool('slow', {
      background: true,
      effect: 'effect',
      async run(_, { signal }) {
        ran += 1
        await clock.now?.sleep(5_000, signal)
        return said('found')
      },
    })
    const rig = createRig({
      play: [calls('slow'), calls('look'), text('started'), text('all')],
      tools: [slow, createTool('look')],
    })
    clock.now = rig.clock
    return rig
  }
  const parent = await collect(make().deps)
  expect(of(parent, 'call.finished').map(({ callId }) => callId)).toEqual(['call_2_1', 'call_1_1'])
  const fork = make()
  const events = await collect(fork.deps, { state: replay(begun(parent, 2)) })
  expect(ran).toBe(1)
  expect(endOf(events).status).toBe('completed')
  expect(fork.model.requests[0]?.messages.at(-1)).toMatchObject({
    role: 'user',
    text: expect.stringContaining('found'),
  })
  // A parent that still runs has no result yet.
  const open = begun(parent, 2).filter(({ type }) => type !== 'call.finished')
  const rest = await collect(make().deps, { state: replay(open) })
  expect(ran).toBe(1)
  expect(of(rest, 'call.finished')[0]).toMatchObject({
    callId: 'call_1_1',
    status: 'unknown',
    result: { text: expect.stringContaining('when the run was forked') },
  })
})

test('a fork leaves out what a call in the background asked a person: the reply belongs to the other run', async () => {
  const decisions = new Decisions()
  const rig = createRig({
    play: [calls('ask'), calls('look'), text('started'), text('all')],
    tools: [asking('ask', [askedQuestion('city')], { background: true }), createTool('look')],
    deps: { decisions },
  })
  const parent = await collect(rig.deps, {
    on: (event) => {
      if (event.type === 'step.finished' && event.step === 3)
        decisions.reply({ callId: 'call_1_1', inputId: 'city', by: 'person', ...answer('Lisbon') })
    },
  })
  expect(of(parent, 'input.requested')).toHaveLength(1)
  const events = begun(parent, 2)
  expect(events.map(({ type }) => type)).not.toContain('input.requested')
  const state = replay(events)
  expect([state.waiting, state.waitingSince]).toEqual([0, null])
})
