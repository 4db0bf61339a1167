/** Tests failures with an HTTP status, and connections that fail before there is one. */
import net from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Fault } from './behaviour'
import { faster, runTrial, wires } from './rig'
import { done, finding, play, ranBoth, type Scenario } from './scenario'

type Headers = Record<string, string>

const status = (code: number, headers: Headers = {}): { fault: Fault } => ({
  fault: { status: code, headers },
})
const fast = () => ({ deps: faster(50) })

const waitsFor = (
  name: string,
  headers: Headers | (() => Headers),
  [least, most]: [number, number],
): Scenario => ({
  name: `L1 429 with ${name} is waited for`,
  behaviours: () => [status(429, typeof headers === 'function' ? headers() : headers), { say: done }],
  trial: fast,
  expected: {
    answer: 'It is 42.',
    attempts: 2,
    retried: ['rate_limit'],
    check: ({ waits }) => {
      expect(waits[0]).toBeGreaterThanOrEqual(least)
      expect(waits[0]).toBeLessThanOrEqual(most)
    },
  },
})

const httpDate = (ms: number) => new Date(Math.ceil((Date.now() + ms) / 1_000) * 1_000).toUTCString()

play('L1 asked to wait', [
  waitsFor('no header', {}, [1, 40]),
  waitsFor('seconds', { 'retry-after': '2' }, [2_000, 2_100]),
  waitsFor('a broken second', { 'retry-after': '0.5' }, [500, 600]),
  waitsFor('milliseconds', { 'retry-after-ms': '1500' }, [1_500, 1_600]),
  waitsFor('a date', () => ({ 'retry-after': httpDate(20_000) }), [10_000, 22_000]),
  waitsFor('a negative number', { 'retry-after': '-5' }, [1, 40]),
  waitsFor('words', { 'retry-after': 'soon' }, [1, 40]),
  waitsFor('NaN', { 'retry-after': 'NaN' }, [1, 40]),
  {
    name: 'L1 a wait of an hour ends the run and says when to come again',
    behaviours: [status(429, { 'retry-after': '3600' })],
    expected: { error: 'model_rate_limit', attempts: 1, message: /no requests until .*\d\d:\d\d/ },
  },
  {
    name: 'L1 429 four times is given up',
    behaviours: [status(429), status(429), status(429), status(429), { say: done }],
    expected: {
      error: 'model_rate_limit',
      attempts: 4,
      retried: ['rate_limit', 'rate_limit', 'rate_limit'],
    },
  },
  {
    name: 'L1 503 and 529 are waited out, and tools run once',
    behaviours: [status(503), { say: finding }, status(529, { 'retry-after': '1' }), { say: done }],
    trial: fast,
    expected: { answer: 'It is 42.', attempts: 4, retried: ['http', 'overloaded'], ran: ranBoth },
  },
])

play('L2 passing failures before headers', [
  {
    name: 'L2 500, 502 as a page, 504, then an answer',
    behaviours: [
      status(500),
      { fault: { status: 502, body: '<html>Bad gateway</html>', contentType: 'text/html' } },
      status(504),
      { say: done },
    ],
    expected: { answer: 'It is 42.', attempts: 4, retried: ['http', 'http', 'timeout'] },
  },
  {
    name: 'L2 a connection that is reset before headers',
    behaviours: [{ fault: { before: 'reset' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 2, retried: ['connection'] },
  },
  {
    name: 'L2 a connection that is reset each time is given up',
    behaviours: Array.from({ length: 5 }, () => ({ fault: { before: 'reset' } as const })),
    expected: {
      error: 'model_connection',
      attempts: 4,
      retried: ['connection', 'connection', 'connection'],
    },
  },
  {
    name: 'L2 an error that mends itself in the midst of a run',
    behaviours: [{ say: finding }, status(500), { fault: { before: 'reset' } }, { say: done }],
    expected: { answer: 'It is 42.', attempts: 4, retried: ['http', 'connection'], ran: ranBoth },
  },
])

const refused = (name: string, fault: Fault, code: string, message: RegExp): Scenario => ({
  name: `L3 ${name} is told at once`,
  behaviours: [{ fault }, { say: done }],
  expected: { error: `model_${code}`, attempts: 1, message },
})

play('L3 refusals', [
  refused('400', { status: 400 }, 'bad_request', /refused the request/),
  refused('401', { status: 401 }, 'auth', /key/),
  refused('403', { status: 403 }, 'auth', /./),
  refused('404', { status: 404 }, 'not_found', /model/),
  refused(
    '422',
    { status: 422, body: '{"detail":[{"loc":["body","n"],"msg":"field required"}]}' },
    'bad_request',
    /field required/,
  ),
  refused('a dialogue that is too long', { status: 400, about: 'context' }, 'context_length', /too long/),
  {
    name: 'L3 a spent account is told at once',
    behaviours: (wire) => [{ fault: { status: wire === 'anthropic' ? 400 : 429, about: 'quota' } }],
    expected: { error: 'model_quota', attempts: 1, message: /credit/ },
  },
  {
    name: 'L3 a refusal after tools ran ends the run with their results kept',
    behaviours: [{ say: finding }, status(401)],
    expected: { error: 'model_auth', attempts: 2, ran: ranBoth },
  },
])

describe('L2 where nobody answers', () => {
  test.each(wires)('a port with nothing behind it is tried four times (%s)', async (wire) => {
    const probe = net.createServer()
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
    const { port } = probe.address() as net.AddressInfo // cast: a server that listens on a port has such an address
    await new Promise((resolve) => probe.close(resolve))
    const url = `http://127.0.0.1:${port}`
    const outcome = await runTrial({ wire, at: { openaiUrl: `${url}/v1`, anthropicUrl: url } })
    expect(outcome).toMatchObject({ status: 'failed', error: 'model_connection', attempts: 4 })
    expect(outcome.message).toContain(`127.0.0.1:${port}`)
  })
})
