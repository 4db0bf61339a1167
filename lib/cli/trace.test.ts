import { describe, expect, test } from 'vitest'
import type { EventBody, RunEvent } from '#lib/spec/event'
import { traceEvent } from './trace'

function line(body: EventBody): string {
  const event = { seq: 1, at: 0, step: 1, ...body } as RunEvent // cast: a body with its three numbers is its event
  return traceEvent(event)
}

const end = {
  type: 'run.finished',
  status: 'completed',
  answer: 'x',
  usage: { input: 1, output: 1 },
  costUsd: null,
  steps: 1,
  toolCalls: [],
  startedAt: 0,
  finishedAt: 1_500,
  error: null,
} as const

describe('the trace on a terminal', () => {
  test('L1 tells each attempt that failed, why, and how long it waits', () => {
    const retried = {
      attempt: 2,
      code: 'rate_limit',
      reason: 'It received too many requests.',
      waitMs: 2_500,
    }
    expect(line({ type: 'model.retried', ...retried })).toBe(
      '  ! attempt 2: It received too many requests. Again in 2.5 s.\n',
    )
  })

  test('S4-04 prints the result of a call, but not that of the call that ended the run', () => {
    const finished: Extract<EventBody, { type: 'call.finished' }> = {
      type: 'call.finished',
      callId: 'c',
      name: 'finish',
      node: 'tools/0',
      status: 'ok',
      code: null,
      result: { blocks: [], text: 'It is Norway.' },
      durationMs: 1,
      attempts: 1,
    }
    expect(line(finished)).toBe('  ← finish ok 1 ms\n    It is Norway.\n')
    expect(line({ ...finished, final: { answer: 'It is Norway.' } })).toBe('  ← finish ok 1 ms\n')
  })

  test('says what a call asked the model, what it took, and why it failed', () => {
    const asked = {
      type: 'completion.finished',
      callId: 'c',
      purpose: 'Search queries',
      model: { provider: 'openai', name: 'small' },
      prompt: '',
      hash: '',
      text: '[]',
      attempts: 1,
      durationMs: 40,
      usage: { input: 10, output: 5 },
      costUsd: 0.01,
    } as const
    expect(line(asked)).toBe('  ? Search queries: openai/small, 15 tokens, 40 ms, $0.0100\n')
    const error = { code: 'auth', message: 'The key was refused.' }
    expect(line({ ...asked, costUsd: null, error })).toContain('40 ms, failed: The key was refused.')
  })

  test('S4-42 says that a call runs in the background', () => {
    const started = {
      type: 'call.started',
      callId: 'c',
      name: 'look',
      args: {},
      source: 'builtin',
      node: 'tools/0',
    } as const
    expect(line(started)).toBe('  → look {}\n')
    expect(line({ ...started, background: 'Started.' })).toBe('  → look {} (in the background)\n')
  })

  test('names the files a call has made', () => {
    const artifact = { id: 'a', name: 'list.md', path: 'notes/list.md', mediaType: 'text/markdown', bytes: 8 }
    expect(line({ type: 'artifact.created', callId: 'call_1_1', artifact })).toBe(
      '  + notes/list.md, 8 bytes\n',
    )
  })

  test('says what a run cost only where it cost something that is known', () => {
    expect(line({ ...end, toolCalls: [], costUsd: 0.01234 })).toContain('1.5 s · $0.0123')
    expect(line({ ...end, toolCalls: [], costUsd: null })).not.toContain('$')
    expect(line({ ...end, toolCalls: [], costUsd: 0 })).not.toContain('$')
  })

  test('shows what would let one call look like another, and tells a long one in one line', () => {
    const started = { type: 'call.started', callId: 'c', source: 'builtin', node: 'tools/0' } as const
    const told = line({ ...started, name: 'files\u202e.create', args: { path: 'a\u2066b\u200b.txt' } })
    expect(told).toBe('  → files⟨U+202E⟩.create {"path":"a⟨U+2066⟩b⟨U+200B⟩.txt"}\n')
    expect(line({ ...started, name: 'n', args: { text: 'x'.repeat(5_000_000) } }).length).toBeLessThan(1_300)
    const artifact = { id: 'a', name: 'x\u202etxt.exe', path: null, mediaType: 'text/plain', bytes: 8 }
    expect(line({ type: 'artifact.created', callId: 'c', artifact })).toContain('x⟨U+202E⟩txt.exe')
  })
})
