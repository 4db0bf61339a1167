/** Makes the row of a new run: which config, which thread, and whether it may begin at all. */
import { randomBytes } from 'node:crypto'
import { storeFault } from '#db/fault'
import type { CreateRun } from '#lib/http/runs'
import type { Artifact } from '#lib/spec/artifact'
import type { Catalog } from '#lib/spec/catalog'
import { AppError } from '#lib/spec/errors'
import type { RunEvent } from '#lib/spec/event'
import type { RunRow, RunSummaryRow, Stores, ThreadRow } from '#lib/spec/store'
import type { Artifacts } from './artifacts'
import { applyOverrides, configOf } from './run-config'

interface CreateContext {
  readonly stores: Stores
  readonly catalog: Catalog
  readonly artifacts: Pick<Artifacts, 'given'>
  readonly clock: { now(): number }
}

/** Stores a new run with its first event, and a thread unless one is named. Throws AppError for what cannot run. */
export function storeRun(context: CreateContext, request: CreateRun & { agentId: string }): RunRow {
  const { stores, catalog, artifacts, clock } = context
  const agent = stores.agents.get(request.agentId)
  if (agent === undefined) throw new AppError('not_found', 'There is no such agent.')
  const version = request.version ?? 'draft'
  const config = applyOverrides(
    configOf(stores.agents, catalog, { agent, version }),
    request.overrides ?? {},
    catalog,
  )
  const at = clock.now()
  const known = request.threadId === undefined ? undefined : threadOf(stores, request.threadId, agent.id)
  const files = artifacts.given(request.files ?? [], known?.id)
  const fresh: ThreadRow = {
    id: newId('thread'),
    agentId: agent.id,
    title: titleOf(request.input),
    createdAt: at,
    updatedAt: at,
  }
  const thread = known ?? fresh

  const row: RunRow = {
    id: newId('run'),
    agentId: agent.id,
    threadId: thread.id,
    agent: { id: agent.id, name: agent.name, version, configHash: config.hash },
    status: 'queued',
    input: request.input,
    answer: null,
    error: null,
    usage: { input: 0, output: 0 },
    costUsd: null,
    steps: 0,
    toolCalls: [],
    config: config.text,
    origins: config.origins,
    historyThrough: known === undefined ? null : (newestOf(stores, thread.id)?.id ?? null),
    drained: false,
    cancelling: false,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    seq: 1,
  }
  insert(stores, row, { files, thread: known === undefined ? fresh : undefined })
  return row
}

function insert(
  stores: Stores,
  row: RunRow,
  { files, thread }: { files: Artifact[]; thread: ThreadRow | undefined },
): void {
  const { agent, input, threadId, createdAt: at } = row
  const given = files.length > 0 ? { files } : {}
  const queued: RunEvent = { type: 'run.queued', seq: 1, at, step: 0, agent, input, threadId, ...given }
  try {
    if (stores.runs.insert(row, queued, thread)) return
  } catch (error) {
    if (storeFault(error) === undefined) throw error
    throw new AppError(
      'unavailable',
      'Nothing can be stored just now: the disk is full, locked or not writable.',
    )
  }
  const busy = newestOf(stores, threadId)?.id
  throw new AppError('thread_busy', 'Another run of this thread is not finished yet.', { run: busy })
}

/** A thread holds one run at a time: all others of it are finished. */
function newestOf({ runs }: Stores, threadId: string): RunSummaryRow | undefined {
  return runs.list({ threadId, limit: 1 }).items[0]
}

function threadOf(stores: Stores, id: string, agentId: string): ThreadRow {
  const thread = stores.threads.get(id)
  if (thread === undefined) throw new AppError('not_found', 'There is no such thread.', { path: 'threadId' })
  if (thread.agentId === agentId) return thread
  throw new AppError('thread_of_other_agent', 'The thread belongs to another agent.', { path: 'threadId' })
}

/** 80 random bits: enough never to meet twice, short enough to read out. */
export function newId(kind: 'run' | 'thread'): string {
  return `${kind}_${randomBytes(10).toString('hex')}`
}

function titleOf(input: string): string {
  const [line = ''] = input.trim().split('\n', 1)
  return line.length <= 80 ? line : `${line.slice(0, 79).trimEnd()}…`
}
