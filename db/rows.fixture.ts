/** Rows and events for tests: small, complete, and numbered by hand. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { EventBody, RunEvent } from '#lib/spec/event'
import { emptyGraph } from '#lib/spec/graph'
import type { AgentRow, Appended, RunRow, Stores, ThreadRow } from '#lib/spec/store'
import { openStores } from './open'

export const agentRef = {
  id: 'agent_1',
  name: 'retail-analyst',
  version: 'draft',
  configHash: 'hash',
} as const

export function agentRow(change: Partial<AgentRow> = {}): AgentRow {
  return {
    id: 'agent_1',
    name: 'retail-analyst',
    title: 'Retail analyst',
    description: '',
    graph: emptyGraph,
    config: '{"name":"retail-analyst"}\n',
    configHash: 'hash',
    origins: { agent: 'agent_a' },
    revision: 1,
    createdAt: 1_000,
    updatedAt: 1_000,
    ...change,
  }
}

export function threadRow(change: Partial<ThreadRow> = {}): ThreadRow {
  return {
    id: 'thread_1',
    agentId: 'agent_1',
    title: 'Which country?',
    createdAt: 1_000,
    updatedAt: 1_000,
    ...change,
  }
}

export function runRow(change: Partial<RunRow> = {}): RunRow {
  return {
    id: 'run_1',
    agentId: 'agent_1',
    threadId: 'thread_1',
    agent: agentRef,
    status: 'queued',
    input: 'Which country?',
    answer: null,
    output: null,
    error: null,
    usage: { input: 0, output: 0 },
    costUsd: null,
    steps: 0,
    toolCalls: [],
    pending: [],
    config: '{"name":"retail-analyst"}\n',
    origins: { agent: 'agent_a' },
    historyThrough: null,
    replaces: null,
    forkedFrom: null,
    forkRoot: null,
    drained: false,
    cancelling: false,
    createdAt: 2_000,
    startedAt: null,
    finishedAt: null,
    seq: 1,
    ...change,
  }
}

/** Numbers an event body; `at` is derived from `seq`. */
export function numbered(seq: number, body: EventBody, step = 1): RunEvent {
  return { ...body, seq, at: 10_000 + seq, step } as RunEvent // cast: TypeScript does not see a spread of a union as that union
}

export function queued(threadId: string | null = 'thread_1'): RunEvent {
  return numbered(1, { type: 'run.queued', agent: agentRef, input: 'Which country?', threadId }, 0)
}

export const started: EventBody = {
  type: 'run.started',
  agent: agentRef,
  input: 'Which country?',
  threadId: 'thread_1',
  historyThrough: null,
  model: { provider: 'scripted', name: 'demo' },
  protocol: { format: 'native', resultPlacement: 'tool_message' },
  tools: { offered: [], withheld: [] },
}

export const finished: EventBody = {
  type: 'run.finished',
  status: 'completed',
  answer: 'France.',
  usage: { input: 12, output: 3 },
  costUsd: null,
  steps: 1,
  toolCalls: [],
  startedAt: 10_002,
  finishedAt: 10_009,
  error: null,
}

export const delta = (text: string): EventBody => ({ type: 'text.delta', text })

export function appended(runId: string, event: RunEvent): Appended {
  return { runId, event, json: JSON.stringify(event) }
}

/** A new temporary folder and a function that removes it. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'loopwright-'))
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Stores in a new temporary folder; `end` closes and removes both. */
export function temporaryStores(): TemporaryStores {
  const { folder, remove } = temporaryFolder()
  const file = path.join(folder, 'loopwright.db')
  const stores = openStores(file)
  return {
    stores,
    folder,
    file,
    end() {
      stores.close()
      remove()
    },
  }
}

export interface TemporaryStores {
  readonly stores: Stores
  readonly folder: string
  readonly file: string
  end(): void
}
