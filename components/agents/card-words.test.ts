import { describe, expect, it } from 'vitest'
import type { RunSummary } from '#lib/wire/runs'
import { lastRunWords } from './card-words'

const run = (more: Partial<RunSummary>): RunSummary => ({
  id: 'run_1',
  agentId: 'agent_1',
  agent: { id: 'agent_1', name: 'x', version: 'draft', configHash: 'h' },
  threadId: 'thread_1',
  status: 'completed',
  input: 'hi',
  answer: null,
  output: null,
  error: null,
  usage: { input: 0, output: 0 },
  costUsd: null,
  steps: 0,
  toolCalls: [],
  pending: [],
  replaces: null,
  forkedFrom: null,
  startedAt: 0,
  finishedAt: null,
  seq: 1,
  ...more,
})

const call = { callId: 'c', kind: 'approval', tool: 'files.create', args: {}, expiresAt: null } as const
const hour = 3_600_000

describe('how the last run went', () => {
  it.each<[Partial<RunSummary>, string]>([
    [{ status: 'running', steps: 4 }, 'Running, step 4'],
    [{ status: 'running' }, 'Running'],
    [{ status: 'waiting', pending: [call] }, '1 waits for you'],
    [{ status: 'waiting', pending: [call, call] }, '2 wait for you'],
    [{ status: 'completed', finishedAt: 10 * hour }, 'Completed 2 h ago'],
    [{ status: 'failed', finishedAt: 0 }, 'Failed 12 h ago'],
  ])('%j reads as "%s"', (more, text) => {
    expect(lastRunWords(run(more), 12 * hour).text).toBe(text)
  })
})
