/** Creates the row of a new run: its config, its thread, and whether it may begin at all. */
import { randomBytes } from 'node:crypto'
import { storeFault } from '#db/fault'
import type { Catalog } from '#lib/spec/catalog'
import type { Parts } from '#lib/spec/config'
import { AppError } from '#lib/spec/errors'
import type { Earlier, RunEvent } from '#lib/spec/event'
import type { Message } from '#lib/spec/message'
import type { NewRunRow, RunRow, RunSummaryRow, Stores, ThreadRow } from '#lib/spec/store'
import type { CreateRun } from '#lib/wire/runs'
import type { Artifacts } from '../files/artifacts'
import { earlierInHistory, historyFrom } from './given-history'
import { agentsOfRun } from './run-agents'
import { applyOverrides, configOf } from './run-config'
import { earlierIn } from './run-earlier'
import { groupsBefore } from './run-groups'
import { draftMocks } from './run-mocks'
import { planBefore } from './run-plan'

interface CreateContext {
  readonly stores: Stores
  readonly catalog: Catalog
  readonly parts?: Parts
  readonly artifacts: Pick<Artifacts, 'given'>
  readonly clock: { now(): number }
}

/**
 * Stores a new run with its first event, and a new thread unless the request names one. Throws an
 * AppError when it cannot run.
 */
export function storeRun(context: CreateContext, request: CreateRun & { agentId: string }): RunRow {
  const { stores, catalog, artifacts, clock } = context
  if (request.history !== undefined && (request.threadId ?? request.replaces) !== undefined)
    throw new AppError('bad_request', 'A thread has its own dialogue, so history cannot be given for it.', {
      path: 'history',
    })
  const agent = stores.agents.runnable(request.agentId)
  if (agent === undefined) throw new AppError('not_found', 'There is no such agent.')
  const version = request.version ?? 'draft'
  const config = applyOverrides(
    configOf(stores.agents, catalog, { agent, version }),
    request.overrides ?? {},
    context,
  )
  const agents = agentsOfRun(stores.agents, { name: agent.name, config: config.text })
  const at = clock.now()
  const replaced = replacedBy(stores, request)
  const threadId = replaced?.threadId ?? request.threadId
  const known = threadId === undefined ? undefined : threadOf(stores, threadId, agent.id)
  const files =
    replaced !== undefined && request.files === undefined
      ? (replaced.files ?? [])
      : artifacts.given(request.files ?? [], known?.id)
  const fresh: ThreadRow = {
    id: newId('thread'),
    agentId: agent.id,
    title: titleOf(request.input),
    createdAt: at,
    updatedAt: at,
    ...(request.purpose && { purpose: request.purpose }),
  }
  const row: NewRunRow = {
    id: newId('run'),
    agentId: agent.id,
    threadId: (known ?? fresh).id,
    agent: { id: agent.id, name: agent.name, version, configHash: config.hash },
    status: 'queued',
    input: request.input,
    answer: null,
    output: null,
    error: null,
    usage: { input: 0, output: 0 },
    costUsd: null,
    steps: 0,
    toolCalls: [],
    pending: [],
    config: config.text,
    origins: config.origins,
    historyThrough: historyThrough(stores, { thread: known, replaced }),
    drained: false,
    cancelling: false,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    replaces: replaced?.id ?? null,
    forkedFrom: null,
    forkRoot: null,
    ...(version === 'draft' && request.mocks !== false && draftMocks(stores, agent.id)),
    ...(files.length > 0 && { files }),
    ...(request.user !== undefined && { user: request.user }),
    ...(agents.length > 0 && { agents }),
    seq: 1,
  }
  const history = historyFrom(request.history ?? [])
  if (known !== undefined && replaced === undefined && (request.whenBusy ?? 'refuse') !== 'refuse') {
    const waiting: NewRunRow = { ...row, historyThrough: null, behind: true, seq: 0 }
    if (insertBehind(stores, waiting)) return waiting
  }
  const earlier = known === undefined ? earlierInHistory(history) : earlierIn(stores, known.id)
  const thread = known === undefined ? fresh : nameNewThread(known, fresh.title)
  insert(stores, { row, thread, earlier, history })
  return row
}

/** The thread of a request that is to steer its run; undefined when the request begins a thread. */
export function threadToSteer(
  stores: Stores,
  { agentId, threadId, files, history, replaces }: CreateRun & { agentId: string },
): string | undefined {
  if (threadId === undefined) return undefined
  const more = { files, history, replaces }
  const path = (['files', 'history', 'replaces'] as const).find((key) => more[key] !== undefined)
  if (path !== undefined)
    throw new AppError('bad_request', 'A run that is under way takes words only. Use "queue" for the rest.', {
      path,
    })
  return threadOf(stores, threadId, agentId).id
}

/** Runs that may wait for one thread. */
const mostBehind = 20

/** False when the thread is free, so that the run can begin at once. */
function insertBehind(stores: Stores, row: RunRow): boolean {
  const outcome = whenStored(() => stores.runs.insertBehind(row, mostBehind))
  if (outcome !== 'full') return outcome === 'added'
  throw new AppError('too_many', `${mostBehind} messages already wait in this thread. Try again later.`)
}

/** A thread that was created empty gets its title from the first question; other threads keep theirs. */
function nameNewThread(thread: ThreadRow, title: string): ThreadRow | undefined {
  return thread.title === '' ? { ...thread, title } : undefined
}

interface Inserted {
  readonly row: NewRunRow
  readonly thread: ThreadRow | undefined
  readonly earlier: Earlier | undefined
  readonly history: readonly Message[]
}

function insert(stores: Stores, { row, thread, earlier, history }: Inserted): void {
  const queued = queuedEvent(stores, row, { at: row.createdAt, earlier })
  if (whenStored(() => stores.runs.insert(row, queued, thread, history))) return
  const busy = newestOf(stores, row.threadId)?.id
  throw new AppError('thread_busy', 'Another run of this thread is not finished yet.', { run: busy })
}

function whenStored<T>(store: () => T): T {
  try {
    return store()
  } catch (error) {
    if (storeFault(error) === undefined) throw error
    throw new AppError(
      'unavailable',
      'Nothing can be stored just now: the disk is full, locked or not writable.',
    )
  }
}

/** The first event of a run, with what its thread has at this moment. */
export function queuedEvent(
  stores: Stores,
  row: RunRow,
  { at, earlier }: { at: number; earlier: Earlier | undefined },
): RunEvent {
  const { agent, input, threadId, files, mocked } = row
  const groups = groupsBefore(stores.runs, row)
  const plan = planBefore(stores.runs, row)
  const given = {
    ...(files && { files: [...files] }),
    ...(earlier && { earlier }),
    ...(groups && { groups }),
    ...(plan && { plan }),
    ...(mocked && { mocks: [...mocked] }),
  }
  return { type: 'run.queued', seq: 1, at, step: 0, agent, input, threadId, ...given }
}

/**
 * The run to ask again. Throws unless it is of this agent and thread, finished, and the last of its thread.
 */
function replacedBy(
  stores: Stores,
  { agentId, threadId, replaces: id }: CreateRun & { agentId: string },
): RunRow | undefined {
  if (id === undefined) return undefined
  const at = { path: 'replaces' }
  const run = stores.runs.get(id)
  if (run === undefined) throw new AppError('not_found', 'There is no such run to ask again.', at)
  if (run.agentId !== agentId)
    throw new AppError('thread_of_other_agent', 'The run to ask again belongs to another agent.', at)
  if (threadId !== undefined && threadId !== run.threadId)
    throw new AppError('conflict', 'The run to ask again belongs to another thread.', at)
  if (run.finishedAt === null)
    throw new AppError('thread_busy', 'The run is not finished yet; cancel it before asking again.', {
      ...at,
      run: id,
    })
  const last = newestOf(stores, run.threadId)?.id
  if (last === id) return run
  const message = 'Only the last question of a thread can be asked again, and this run is not the last one.'
  throw new AppError('conflict', message, { ...at, run: last })
}

/** The history of a run that asks again ends before the question that it replaces. */
function historyThrough(
  stores: Stores,
  { thread, replaced }: { thread: ThreadRow | undefined; replaced: RunRow | undefined },
): string | null {
  if (replaced !== undefined) return replaced.historyThrough
  return thread === undefined ? null : (newestOf(stores, thread.id)?.id ?? null)
}

/**
 * The last run of the thread that has begun or is about to. A thread has one unfinished run of this kind at
 * most: all earlier ones are finished.
 */
export function newestOf({ runs }: Pick<Stores, 'runs'>, threadId: string): RunSummaryRow | undefined {
  return runs.newestIn(threadId, { behind: false })
}

function threadOf(stores: Stores, id: string, agentId: string): ThreadRow {
  const thread = stores.threads.get(id)
  if (thread === undefined) throw new AppError('not_found', 'There is no such thread.', { path: 'threadId' })
  if (thread.agentId === agentId) return thread
  throw new AppError('thread_of_other_agent', 'The thread belongs to another agent.', { path: 'threadId' })
}

/** 80 random bits: enough to avoid collisions, short enough to read out. */
export function newId(kind: 'run' | 'thread'): string {
  return `${kind}_${randomBytes(10).toString('hex')}`
}

export function titleOf(input: string): string {
  const [line = ''] = input.trim().split('\n', 1)
  return line.length <= 80 ? line : `${line.slice(0, 79).trimEnd()}…`
}
