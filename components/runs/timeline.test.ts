import { describe, expect, it } from 'vitest'
import { begin, requested, stepFinished, stepStarted } from '#components/trace/run.fixture'
import type { EventBody, EventOf, RunEvent } from '#lib/spec/event'
import {
  clockText,
  markAfter,
  markBefore,
  momentAfter,
  momentAt,
  momentBefore,
  piecesOf,
  shareAt,
  stepAt,
  timelineOf,
  withoutWaits,
} from './timeline'

/** Events with these bodies, at these times in seconds. */
function events(...said: readonly (readonly [number, EventBody])[]): RunEvent[] {
  let step = 0
  return said.map(([second, body], index) => {
    if (body.type === 'step.started') step += 1
    return { ...body, seq: index + 1, at: 1_000_000 + second * 1_000, step } as RunEvent // cast: a complete event
  })
}

const asked: EventBody = {
  type: 'approval.requested',
  callId: 'c1',
  tool: 'files.create',
  args: {},
  expiresAt: null,
}
const decided: EventBody = {
  type: 'approval.decided',
  callId: 'c1',
  decision: 'approve',
  scope: 'call',
  by: 'person',
}

const started = { type: 'call.started', args: {}, source: 'built-in' } as const
const finished = {
  type: 'call.finished' as const,
  status: 'ok' as const,
  code: null,
  result: { blocks: [], text: 'x' },
  durationMs: 3_000,
  attempts: 1,
}

const run = timelineOf(
  events(
    [0, begin],
    [0, stepStarted],
    [1, requested],
    [4, stepFinished],
    [4, stepStarted],
    [5, asked],
    [9, decided],
    [10, stepFinished],
  ),
)

describe('a stored run as time', () => {
  it('knows its length, its steps, its moments, and where it waited for a person', () => {
    expect(run.span).toBe(10_000)
    expect(run.steps).toEqual([
      { number: 1, at: 0 },
      { number: 2, at: 4_000 },
    ])
    expect(run.waits).toEqual([{ from: 5_000, to: 9_000 }])
    expect(run.moments).toEqual([0, 1_000, 4_000, 5_000, 9_000, 10_000])
  })

  it('begins when the run began, whatever it waited in the queue', () => {
    const { agent, input, threadId } = begin as EventOf<'run.queued'> // cast: a start has these fields
    const queued: EventBody = { type: 'run.queued', agent, input, threadId }
    const { lead, span, moments } = timelineOf(events([0, queued], [30, begin], [32, stepStarted]))
    expect([lead, span]).toEqual([30_000, 2_000])
    expect(moments).toEqual([0, 2_000])
  })

  it('counts a wait that nobody ended up to the end of the run', () => {
    expect(timelineOf(events([0, begin], [2, asked], [7, stepFinished])).waits).toEqual([
      { from: 2_000, to: 7_000 },
    ])
  })

  it('knows that a call does nothing while it waits for a reply', () => {
    const call = { ...started, callId: 'c1', name: 'human.ask', node: 'tools/0' }
    const question: EventBody = {
      type: 'input.requested',
      callId: 'c1',
      tool: 'human.ask',
      inputId: 'a',
      from: 'tool',
      question: 'Which?',
    }
    const reply: EventBody = {
      type: 'input.given',
      callId: 'c1',
      inputId: 'a',
      action: 'answer',
      by: 'person',
    }
    const end = { ...finished, callId: 'c1', name: 'human.ask', node: 'tools/0' }
    const { waits, idle } = timelineOf(
      events(
        [0, begin],
        [0, stepStarted],
        [1, call],
        [2, question],
        [60, reply],
        [61, end],
        [62, stepFinished],
      ),
    )
    expect(waits).toEqual([{ from: 2_000, to: 60_000 }])
    expect(idle).toEqual([{ from: 2_000, to: 60_000 }])
  })

  it('knows the waits in which nothing else happened', () => {
    expect(run.idle).toEqual([{ from: 5_000, to: 9_000 }])
    const other = { callId: 'c2', name: 'look', node: 'tools/0' } as const
    const beside = timelineOf(
      events(
        [0, begin],
        [2, asked],
        [3, { ...started, ...other }],
        [6, { ...finished, ...other }],
        [20, decided],
        [21, { ...asked, callId: 'c3' }],
        [22, { ...decided, callId: 'c3' }],
      ),
    )
    expect(beside.waits).toHaveLength(2)
    // Between the second 2 and 3 it only waited, but too briefly to be skipped.
    expect(beside.idle).toEqual([{ from: 6_000, to: 20_000 }])
  })

  it('shortens long waits on its bar, and each place on it leads back to its moment', () => {
    const long = timelineOf(events([0, begin], [5, asked], [95, decided], [100, stepFinished]))
    const at = (moment: number) => Math.round(shareAt(long, moment) * 1_000)
    expect([0, 5_000, 50_000, 95_000, 100_000].map(at)).toEqual([0, 425, 500, 575, 1_000])
    for (const moment of [0, 4_000, 50_000, 97_500, 100_000])
      expect(momentAt(long, shareAt(long, moment))).toBeCloseTo(moment, 3)
    expect(shareAt(timelineOf(events([0, begin])), 0)).toBe(1)
  })

  it.each([
    [0, 1_000, 1_000],
    [4_900, 5_100, 9_000],
    [4_000, 60_000, 9_000],
    [6_000, 6_100, 9_000],
    [9_000, 9_100, 9_100],
  ])('skips a wait when it plays from %s to %s', (at, next, expected) => {
    expect(withoutWaits(run, at, next)).toBe(expected)
  })

  it('goes from step to step and from event to event, and stops at both ends', () => {
    expect([markAfter(run, 0), markAfter(run, 4_000), markAfter(run, 10_000)]).toEqual([
      4_000, 10_000, 10_000,
    ])
    expect([markBefore(run, 10_000), markBefore(run, 4_000), markBefore(run, 0)]).toEqual([4_000, 0, 0])
    expect([momentAfter(run, 0), momentAfter(run, 1_500), momentAfter(run, 10_000)]).toEqual([
      1_000, 4_000, 10_000,
    ])
    expect([momentBefore(run, 10_000), momentBefore(run, 1), momentBefore(run, 0)]).toEqual([9_000, 0, 0])
    expect([stepAt(run, 3_999), stepAt(run, 4_000)]).toEqual([1, 2])
  })

  it('reaches each of the steps that begin in one millisecond', () => {
    const call: EventBody = { ...started, callId: 'c1', name: 'math.calculate', node: 'tools/0' }
    const fast = timelineOf(
      events(
        [0, begin],
        ...Array.from({ length: 3 }, () => [
          [0.003, stepStarted] as const,
          [0.003, requested] as const,
          [0.003, call] as const,
          [0.003, stepFinished] as const,
        ]).flat(),
      ),
    )
    const forward: (number | undefined)[] = []
    for (let at = markAfter(fast, 0); at < fast.span; at = markAfter(fast, at)) forward.push(stepAt(fast, at))
    expect(forward).toEqual([1, 2, 3])
    const back: (number | undefined)[] = []
    for (let at = markBefore(fast, fast.span); at > 0; at = markBefore(fast, at)) back.push(stepAt(fast, at))
    expect(back).toEqual([3, 2, 1])
    // The beginning of a step is earlier than the calls in it.
    expect(momentBefore(fast, fast.span)).toBe(fast.steps.at(-1)?.at)
    // They are less than a millisecond later than they really were.
    expect(fast.span).toBeLessThan(4)
    expect(piecesOf(fast)).toHaveLength(4)
  })

  it('does not turn round where a clock was set back', () => {
    const { span, moments } = timelineOf(events([0, begin], [5, stepStarted], [3, requested]))
    expect(span).toBe(5_000)
    expect(moments).toEqual([0, 5_000])
  })

  it('cuts the bar where steps begin, and is one bar without steps or with too many', () => {
    expect(piecesOf(run)).toEqual([
      { from: 0, to: expect.closeTo(0.567), label: '1' },
      { from: expect.closeTo(0.567), to: 1, label: '2' },
    ])
    expect(piecesOf(timelineOf(events([0, begin], [3, requested])))).toHaveLength(1)
    const many = Array.from({ length: 500 }, (_, index) => [index, stepStarted] as const)
    expect(piecesOf(timelineOf(events(...many)))).toHaveLength(1)
    // Labels that would overlap are left out.
    const close = Array.from({ length: 100 }, (_, index) => [index, stepStarted] as const)
    const labels = piecesOf(timelineOf(events(...close))).filter((each) => each.label !== null)
    expect(labels.length).toBeLessThan(30)
    expect(labels.length).toBeGreaterThan(20)
  })

  it('is told in seconds, and in minutes where it took long', () => {
    expect(clockText(8_470, 21_360)).toBe('8.47')
    expect(clockText(65_400, 760_000)).toBe('1:05')
  })
})
