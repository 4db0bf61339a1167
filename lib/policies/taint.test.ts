import { describe, expect, test } from 'vitest'
import type { CallPast, PolicyQuestion, Ruling } from '#lib/spec/policy'
import type { Effect } from '#lib/spec/tool'
import { taint } from './taint'
import { createTool } from './tool.fixture'

function ruling(past: Partial<CallPast>, given: object = {}, effect: Effect = 'effect'): Ruling | undefined {
  const whole = {
    failed: 0,
    started: 0,
    startedInStep: 0,
    begun: [],
    hasFiles: false,
    hadFiles: false,
    ...past,
  }
  const question: PolicyQuestion = {
    moment: 'call',
    tool: createTool({ effect }),
    callId: 'call_1_1',
    args: {},
    past: whole,
    fits: () => undefined,
  }
  return taint.rule?.(taint.settings.parse(given), 'taint', question)
}

const fetched = { scopeName: 'web.fetch', source: 'builtin' }
const echo = { scopeName: 'everything.echo', source: 'mcp' }

describe('taint (T50)', () => {
  test('asks nothing while nothing came in, nor when tools are offered', () => {
    expect(ruling({})).toBeUndefined()
    expect(ruling({ begun: [{ scopeName: 'math.calculate', source: 'builtin' }] })).toBeUndefined()
    const offered = { moment: 'offer', tool: createTool({ effect: 'effect' }) } as const
    expect(taint.rule?.(taint.settings.parse({}), 'taint', offered)).toBeUndefined()
  })

  test.each([
    ['web.fetch', { begun: [fetched] }],
    ['everything.echo', { begun: [echo] }],
    ['files.view', { begun: [{ scopeName: 'files.view', source: 'builtin' }] }],
    ['files given with the question', { hasFiles: true }],
    ['files given with the question', { hasFiles: true, hadFiles: true }],
    ['files given in this thread', { hadFiles: true }],
    [
      'web.fetch, everything.echo and files given with the question',
      { begun: [echo, fetched], hasFiles: true },
    ],
  ])('asks after %s, and names it', (names, past) => {
    expect(ruling(past)).toMatchObject({
      verdict: 'confirm',
      reason: expect.stringMatching(`^${names} brought`),
    })
  })

  test('asks only before what is named, and only after the sources named', () => {
    const past = { begun: [fetched] }
    expect(ruling(past, {}, 'idempotent')).toBeUndefined()
    expect(ruling(past, { approve: ['idempotent', 'effect'] }, 'idempotent')).toBeDefined()
    expect(ruling(past, { sources: ['mcp'] })).toBeUndefined()
    expect(ruling({ begun: [echo] }, { sources: ['everything.*'] })).toBeDefined()
    expect(ruling({ hasFiles: true, hadFiles: true }, { sources: ['web.*'] })).toBeUndefined()
  })

  test('writing files is no source, reading them is', () => {
    expect(ruling({ begun: [{ scopeName: 'files.create', source: 'builtin' }] })).toBeUndefined()
  })

  test('gives the same reason however often a source is used, and another once another is', () => {
    const first = ruling({ begun: [fetched] })?.reason
    expect(ruling({ begun: [fetched, { scopeName: 'web.search', source: 'builtin' }] })?.reason).toBe(first)
    expect(ruling({ begun: [fetched, echo] })?.reason).not.toBe(first)
  })
})
