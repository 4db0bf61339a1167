/** What the holder of an agent key may do: begin runs of the published version, and see its own threads and runs. */
import type { AgentKeyRow } from '#lib/spec/agent-key'
import { AppError } from '#lib/spec/errors'
import { isObject } from '#lib/spec/json'
import type { RunRow, RunSummaryRow, Stores } from '#lib/spec/store'
import type { OwnKey } from '#lib/wire/agent-keys'
import type { CreateRun } from '#lib/wire/runs'
import type { CreateThread, ThreadList, ThreadQuery, ThreadSummary } from '#lib/wire/threads'
import { checkBudget, dayOf } from '../door/key-limits'
import type { Runs } from '../runs/runs'
import type { Threads } from '../runs/threads'

/** Expected failures are thrown as AppError. */
export interface KeyRuns {
  /** Throws `unauthorized` without a key. */
  about(key: AgentKeyRow | undefined): OwnKey
  /** Begins a run of the newest published version, within the limits of the key. */
  begin(key: AgentKeyRow, asked: CreateRun): RunRow
  /** Like `Runs.steer`, in a thread of the key. */
  steer(key: AgentKeyRow, asked: CreateRun): Promise<RunSummaryRow | undefined>
  /** Whether the run belongs to a thread that was begun with the key. */
  owns(key: AgentKeyRow, runId: string): boolean
  threads(key: AgentKeyRow, query: ThreadQuery): ThreadList
  createThread(key: AgentKeyRow, asked: CreateThread): ThreadSummary
}

interface KeyRunsContext {
  readonly stores: Stores
  readonly runs: Pick<Runs, 'create' | 'steer'>
  readonly threads: Pick<Threads, 'list' | 'create'>
  readonly clock: { now(): number }
  /** Whether the cost of runs of this config is known, so that a budget in dollars can be kept. */
  hasPrice(config: string): boolean
}

export function createKeyRuns(context: KeyRunsContext): KeyRuns {
  const { stores, runs, threads } = context
  return {
    about: (key) => about(stores, key),
    begin: (key, asked) => begin(context, key, asked),
    steer: (key, asked) => {
      checkAsked(stores, key, asked)
      return runs.steer({ ...asked, agentId: key.agentId })
    },
    owns: (key, runId) => {
      const threadId = stores.runs.get(runId)?.threadId
      return threadId !== undefined && stores.keys.ownsThread(key.id, threadId)
    },
    threads: (key, { agent: _, ...query }) => threads.list({ ...query, agentId: key.agentId, keyId: key.id }),
    createThread: (key, asked) => {
      if (asked.agentId !== key.agentId)
        throw new AppError('forbidden', 'This key belongs to another agent.', { path: 'agentId' })
      const thread = threads.create(asked)
      stores.keys.addThread(key.id, thread.id)
      return thread
    },
  }
}

function begin(
  { stores, runs, clock, hasPrice }: KeyRunsContext,
  key: AgentKeyRow,
  asked: CreateRun,
): RunRow {
  checkAsked(stores, key, asked)
  const version = stores.agents.newestVersion(key.agentId)
  if (version === undefined)
    throw new AppError(
      'not_published',
      'No version of this agent is published, and a key uses the published version. The operator can publish one in the builder.',
    )
  const now = clock.now()
  const { keys } = stores
  checkBudget(key, { now, today: keys.spendSince(key.id, dayOf(now)), running: keys.running(key.id) })
  if (key.usdPerDay !== null && !hasPrice(stores.agents.version(key.agentId, version)?.config ?? '{}'))
    throw new AppError(
      'unprocessable',
      'This key has a budget in dollars, but the price of the agent’s model is not known. The operator can enter it under Settings.',
    )
  // What the agent remembers belongs to the key: its holder cannot ask for the memory of somebody else.
  const row = runs.create({ ...asked, agentId: key.agentId, version, user: `key:${key.id}` })
  keys.addThread(key.id, row.threadId)
  keys.addRun(key.id, row.id, now)
  return row
}

/** What a key cannot choose: the agent that it lends out is the one that the operator has published. */
const operatorOnly = ['version', 'overrides', 'history', 'purpose', 'mocks', 'user'] as const

function checkAsked({ keys, runs }: Stores, key: AgentKeyRow, asked: CreateRun): void {
  const path = operatorOnly.find((name) => asked[name] !== undefined)
  if (path !== undefined)
    throw new AppError('forbidden', `An agent key cannot choose ${path}: it runs the published version.`, {
      path,
    })
  const { threadId, replaces } = asked
  if (threadId !== undefined && !keys.ownsThread(key.id, threadId))
    throw new AppError('not_found', 'There is no such thread.', { path: 'threadId' })
  const replaced = replaces === undefined ? undefined : runs.get(replaces)?.threadId
  if (replaces !== undefined && (replaced === undefined || !keys.ownsThread(key.id, replaced)))
    throw new AppError('not_found', 'There is no such run to ask again.', { path: 'replaces' })
}

function about({ agents }: Stores, key: AgentKeyRow | undefined): OwnKey {
  if (key === undefined)
    throw new AppError(
      'unauthorized',
      'This route is for holders of an agent key. Send it in the header "Authorization: Bearer <key>".',
    )
  const { name, use, expiresAt, agentId } = key
  const agent = agents.runnable(agentId)
  if (agent === undefined)
    throw new AppError('not_found', 'There is no such agent; it may have been deleted.')
  const version = agents.newestVersion(agentId)
  const config =
    version === undefined ? undefined : JSON.parse(agents.version(agentId, version)?.config ?? '{}')
  const text = (key: string) => (isObject(config) && typeof config[key] === 'string' ? config[key] : '')
  return {
    name,
    use,
    expiresAt,
    agent: {
      id: agentId,
      name: agent.name,
      title: text('title') || agent.name,
      description: text('description'),
      version: version ?? null,
    },
  }
}
