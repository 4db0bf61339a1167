/**
 * Tests runs that are cancelled while the model answers: the connection closes, and the thread can continue.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { RunDeps } from '#lib/agent/deps'
import { createTool, endOf, of, replay } from '#lib/agent/rig.fixture'
import { messagesOf } from '#lib/agent/state/dialogue'
import type { RunEvent } from '#lib/spec/event'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Behaviour, Wire } from './behaviour'
import { type ModelServer, startModelServer } from './model-server'
import { brokenLaws, createFinder, type Outcome, runTrial, wires } from './rig'
import { done, finding } from './scenario'

type When = (event: RunEvent, events: readonly RunEvent[]) => boolean

interface Cancelling {
  readonly behaviours: readonly Behaviour[]
  readonly when: When
  readonly tools?: (ran: string[]) => BoundTool[]
  /** Whether a connection is open when the run is cancelled. */
  readonly isAsking: boolean
  readonly check: (outcome: Outcome) => void
}

/** The most milliseconds that a cancelled run and its connection may take to end. */
const atOnce = 5_000

/** A tool that reports its start and waits for the end of its run. */
function createSleeper(): BoundTool {
  return createTool('data.find', {
    parameters: { type: 'object' },
    run: (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ ok: false, message: 'stopped' }), { once: true }),
      ),
  })
}

const counted = (type: RunEvent['type'], count: number): When => {
  return (event, events) =>
    event.type === type && events.filter((each) => each.type === type).length === count
}

const points: Readonly<Record<string, Cancelling>> = {
  'before the headers': {
    behaviours: [{ fault: { before: 'silence' } }],
    when: (event) => event.type === 'model.requested',
    isAsking: true,
    check: ({ answer, answers }) => expect([answer, answers[0]?.calls]).toEqual([null, []]),
  },
  'before the first word': {
    behaviours: [{ say: done, fault: { stallAfter: 0 } }],
    when: (event) => event.type === 'model.requested',
    isAsking: true,
    check: ({ answer }) => expect(answer).toBeNull(),
  },
  'in the midst of words': {
    behaviours: [{ say: { text: 'It is forty-two.' }, fault: { stallAfter: 1 } }],
    when: (event) => event.type === 'text.delta',
    isAsking: true,
    check: ({ answer }) => expect('It is forty-two.').toContain(answer ?? 'nothing'),
  },
  'E-26 in the midst of arguments': {
    behaviours: [{ say: finding, fault: { stallAfter: 5 } }],
    when: counted('call.delta', 1),
    isAsking: true,
    check: ({ answers, ran }) => {
      expect(answers[0]?.text).toBe('Let me see.')
      expect(answers[0]?.calls.every((each) => each.args !== undefined)).toBe(true)
      expect(ran).toEqual([])
    },
  },
  'while words come and come': {
    behaviours: [{ say: done, fault: { endless: 'text' } }],
    when: (event) => event.type === 'text.delta',
    isAsking: true,
    check: ({ answer }) => expect(answer).toMatch(/It is|and so on/),
  },
  'in the midst of a tool': {
    behaviours: [{ say: finding }],
    when: (event) => event.type === 'call.started',
    tools: () => [createSleeper()],
    isAsking: false,
    check: ({ events }) => expect(of(events, 'call.finished')).toHaveLength(2),
  },
  'between two tools': {
    behaviours: [{ say: finding }],
    when: counted('call.finished', 1),
    isAsking: false,
    check: ({ events, ran }) => {
      expect(ran).toHaveLength(1)
      expect(of(events, 'call.finished').map((each) => each.status === 'ok')).toEqual([true, false])
    },
  },
  'L1 while it waits to ask again': {
    behaviours: [{ fault: { status: 429, headers: { 'retry-after': '30' } } }],
    when: (event) => event.type === 'model.retried',
    isAsking: false,
    check: ({ retried }) => expect(retried).toEqual(['rate_limit']),
  },
}

async function cancelAt(
  wire: Wire,
  { behaviours, when, tools, isAsking, check }: Cancelling,
  deps: Partial<RunDeps> = {},
) {
  let isOver = false
  const server = await startModelServer({
    service: 'compatible',
    behaviour: (_, n) => (isOver ? { say: done } : (behaviours[n - 1] ?? { say: done })),
  })
  const seen: RunEvent[] = []
  let isDue = false
  let cancelledAt = Number.POSITIVE_INFINITY
  const ran: string[] = []
  try {
    const outcome = await runTrial({
      wire,
      at: server,
      tools: tools?.(ran) ?? [createFinder(ran)],
      deps,
      on: (event, controller) => {
        seen.push(event)
        if (isDue || !when(event, seen)) return
        isDue = true
        const cancel = () => {
          cancelledAt = performance.now()
          controller.abort()
        }
        if (isAsking && event.type === 'model.requested') void reached(server).then(cancel)
        else cancel()
      },
    })
    expect(outcome.status).toBe('cancelled')
    expect(performance.now() - cancelledAt).toBeLessThan(atOnce)
    if (isAsking) expect((await server.leaving()).at - cancelledAt).toBeLessThan(atOnce)
    check({ ...outcome, ran })
    isOver = true
    const history = messagesOf(replay(outcome.events))
    const next = await runTrial({ wire, at: server, begin: { input: 'And now?', history } })
    expect(next).toMatchObject({ status: 'completed', answer: 'It is 42.' })
    expect(brokenLaws(next, server.requests)).toEqual([])
  } finally {
    await server.close()
  }
}

/** Waits until a request has arrived and its answer has started. */
async function reached({ requests }: ModelServer): Promise<void> {
  while (requests.length === 0) await wait(5)
  await wait(30)
}

describe('a run that is cancelled', () => {
  for (const [name, point] of Object.entries(points)) {
    test.each(wires)(
      `S4-30 F8 ${name}: ends at once, and the thread goes on (%s)`,
      async (wire) => {
        await cancelAt(wire, point)
      },
      60_000,
    )
  }

  const fourPoints = [
    'before the first word',
    'E-26 in the midst of arguments',
    'in the midst of a tool',
    'between two tools',
  ]
  for (const name of fourPoints) {
    test.each(wires)(
      `S4-30 ${name}: ends with the reply of its agent, and the next run of the thread reads it once (%s)`,
      async (wire) => {
        const interruptReply = 'You stopped me. What shall I do instead?'
        const point = points[name]
        if (point === undefined) throw new Error(`there is no point "${name}"`)
        const check = ({ events, answer }: Outcome) => {
          expect(answer?.endsWith(interruptReply)).toBe(true)
          expect(endOf(events)).toMatchObject({ answer, interrupted: { reply: interruptReply } })
          const told = JSON.stringify(messagesOf(replay(events)))
          expect(told.split(interruptReply)).toHaveLength(2)
          for (const { status } of of(events, 'call.finished'))
            expect(['ok', 'error', 'skipped', 'interrupted']).toContain(status)
        }
        await cancelAt(wire, { ...point, check }, { interruptReply })
      },
      60_000,
    )
  }
})
