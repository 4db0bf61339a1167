/**
 * Tests providers that fall silent, report an error inside an answer, or end before the answer is complete.
 */
import { describe, expect, test } from 'vitest'
import type { ModelWaits } from '#lib/spec/model'
import type { Behaviour, Fault } from './behaviour'
import { startModelServer } from './model-server'
import { runTrial, wires } from './rig'
import { done, finding, play, ranBoth, type Scenario } from './scenario'

type Silent = Scenario & { readonly behaviours: readonly Behaviour[] }

/**
 * The waits are short only for requests that meet silence, so that no answer is too slow on a busy machine.
 */
function silent(scenario: Silent): Scenario {
  const waitsOf = (fault: Fault | undefined): Partial<ModelWaits> => {
    if (fault === undefined) return {}
    return 'before' in fault ? { headersMs: 300 } : { firstContentMs: 300, betweenMs: 300 }
  }
  const waits = (n: number) => waitsOf(scenario.behaviours[n - 1]?.fault)
  return { ...scenario, trial: () => ({ waits }) }
}

play(
  'L5 accepted, and never answered',
  (
    [
      {
        name: 'L5 S1-30 no headers, then an answer',
        behaviours: [{ fault: { before: 'silence' } }, { say: done }],
        expected: { answer: 'It is 42.', attempts: 2, retried: ['timeout'] },
        // On a socket, the short wait may end before its request has arrived, and the next
        // request would meet the silence.
        withoutSockets: true,
      },
      {
        name: 'L5 no headers at all is given up in time',
        behaviours: Array.from({ length: 5 }, () => ({ fault: { before: 'silence' } as const })),
        expected: { error: 'model_timeout', attempts: 4, retried: ['timeout', 'timeout', 'timeout'] },
      },
      {
        name: 'L5 S1-30 no headers where nothing is streamed: the time limit of the answer holds',
        behaviours: Array.from({ length: 5 }, () => ({ fault: { before: 'silence' } as const })),
        settings: { stream: false, timeoutSeconds: 0.3 },
        expected: { error: 'model_timeout', attempts: 4, retried: ['timeout', 'timeout', 'timeout'] },
      },
    ] satisfies Silent[]
  ).map(silent),
)

play(
  'L6 silence in the midst',
  (
    [
      {
        name: 'L6 headers, then nothing',
        behaviours: [{ say: done, fault: { stallAfter: 0 } }, { say: done }],
        expected: { answer: 'It is 42.', attempts: 2, retried: ['stalled'] },
      },
      {
        name: 'L6 a stall after some words: said once in the end',
        behaviours: [{ say: done, fault: { stallAfter: 1 } }, { say: done }],
        expected: { answer: 'It is 42.', attempts: 2, retried: ['stalled'] },
      },
      {
        name: 'L6 a stall in the midst of arguments: the tool runs once',
        behaviours: [{ say: finding, fault: { stallAfter: 4 } }, { say: finding }, { say: done }],
        expected: { answer: 'It is 42.', attempts: 3, retried: ['stalled'], ran: ranBoth },
      },
      {
        name: 'L6 only pings from the start',
        behaviours: [{ say: done, fault: { pingsAfter: 0, everyMs: 20 } }, { say: done }],
        expected: { answer: 'It is 42.', attempts: 2, retried: ['stalled'] },
      },
      {
        name: 'L6 only pings after some words, each time',
        behaviours: Array.from({ length: 5 }, () => ({ say: done, fault: { pingsAfter: 1, everyMs: 20 } })),
        expected: { error: 'model_stalled', attempts: 4, retried: ['stalled', 'stalled', 'stalled'] },
      },
      {
        name: 'L6 a slow answer that does not stall is waited for',
        behaviours: [{ say: { text: 'It takes its time, word by word, to the very end.' }, paceMs: 60 }],
        expected: { answer: 'It takes its time, word by word, to the very end.', attempts: 1 },
      },
    ] satisfies Silent[]
  ).map(silent),
)

play('L7 an error after 200', [
  {
    name: 'L7 overloaded in the midst of words',
    behaviours: [{ say: done, fault: { errorAfter: 1, type: 'overloaded_error' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['overloaded'] },
  },
  {
    name: 'L7 overloaded each time is never told as completed',
    behaviours: Array.from({ length: 5 }, () => ({
      say: done,
      fault: { errorAfter: 1, type: 'overloaded_error' },
    })),
    expected: {
      error: 'model_overloaded',
      attempts: 4,
      retried: ['overloaded', 'overloaded', 'overloaded'],
    },
  },
  {
    name: 'L7 an error of the request inside of the stream is not tried again',
    behaviours: [{ say: done, fault: { errorAfter: 0, type: 'invalid_request_error', message: 'No.' } }],
    expected: { error: 'model_bad_request', attempts: 1, message: /No\./ },
  },
  {
    name: 'L7 an error between calls: none of them runs for it',
    behaviours: [
      { say: finding, fault: { errorAfter: 5, type: 'api_error' } },
      { say: finding },
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 3, retried: ['http'], ran: ranBoth },
  },
])

play('L9 an end that is none', [
  {
    name: 'L9 the stream ends before its terminal event',
    behaviours: [{ say: done, fault: { endBefore: 'terminal' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['cut'] },
  },
  {
    name: 'L9 the stream ends after some words',
    behaviours: [{ say: done, fault: { endAfter: 1 } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['cut'] },
  },
  {
    name: 'L9 the stream ends after complete calls, without its terminal event: they run once, of the next answer',
    behaviours: [{ say: finding, fault: { endBefore: 'terminal' } }, { say: finding }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 3, retried: ['cut'], ran: ranBoth },
  },
  {
    name: 'L9 an answer without a single byte',
    behaviours: [{ fault: { instead: 'nothing' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['cut'] },
  },
  {
    name: 'L9 cut each time is given up',
    behaviours: Array.from({ length: 5 }, () => ({ say: done, fault: { endAfter: 1 } })),
    expected: { error: 'model_cut', attempts: 4, retried: ['cut', 'cut', 'cut'] },
  },
  {
    name: 'L9 a finish reason without [DONE] is an end',
    wires: ['openai'],
    behaviours: [{ say: done, quirks: ['no done'] }],
    expected: { answer: 'It is 42.', attempts: 1 },
  },
])

describe('L5 the defaults', () => {
  test.each(wires)('L5 a whole answer has its time limit, whatever trickles in (%s)', async (wire) => {
    const server = await startModelServer({
      behaviour: () => ({ say: { text: 'word '.repeat(400) }, paceMs: 30 }),
    })
    try {
      const outcome = await runTrial({
        wire,
        at: server,
        deps: { modelTimeoutSeconds: 2, retry: { max: 0, baseMs: 1, capMs: 1, longestHintMs: 1 } },
      })
      expect(outcome).toMatchObject({ status: 'failed', error: 'model_timeout' })
      expect(outcome.ms).toBeLessThan(10_000)
      expect((await server.leaving()).n).toBe(1)
    } finally {
      await server.close()
    }
  })
})
