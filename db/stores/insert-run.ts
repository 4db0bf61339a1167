/** Inserts a new run or a fork, with its thread, what it starts from, and its first events. */
import { eq, sql } from 'drizzle-orm'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { RunEvent } from '#lib/spec/event'
import type { RunAgent } from '#lib/spec/run-agents'
import type { NewRunRow, RunRow, RunStore, ThreadRow } from '#lib/spec/store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import type { LateSync } from '../late-sync'
import { configs, events, runs, snapshots, threads } from '../schema'
import { runAgents } from '../schema-agents'
import { hashOfStart } from '../start-hash'
import { prepareInsert } from './prepared-insert'
import { isBehind } from './thread-line'
import { laterUse } from './threads'

/** The columns of a new run; the others are in other tables or are filled in later. */
const newColumns = [
  'id',
  'agentId',
  'threadId',
  'agent',
  'status',
  'input',
  'answer',
  'output',
  'error',
  'usage',
  'costUsd',
  'steps',
  'toolCalls',
  'pending',
  'historyThrough',
  'drained',
  'cancelling',
  'createdAt',
  'startedAt',
  'finishedAt',
  'replaces',
  'forkedFrom',
  'forkRoot',
  'mocked',
  'user',
] as const satisfies readonly (keyof RunRow)[]

/** Prepares the statements once. */
export function runInserts(
  client: SqliteConnection,
  db: BetterSQLite3Database,
  late: LateSync,
): Pick<RunStore, 'insert' | 'insertBehind' | 'insertFork'> {
  const isUnderWay = client.prepare<[string]>(
    "select 1 from runs where thread_id = ? and status in ('queued', 'running', 'waiting') and behind is null",
  )
  const countBehind = client
    .prepare<[string], number>(`select count(*) from runs where thread_id = ? and ${isBehind}`)
    .pluck()
  const isBusy = (threadId: string) =>
    isUnderWay.get(threadId) !== undefined || (countBehind.get(threadId) ?? 0) > 0
  const insertThread = prepareInsert(client, threads, {
    names: ['id', 'agentId', 'title', 'createdAt', 'updatedAt', 'purpose'],
    conflict: '(id) do update set title = excluded.title',
  })
  const touchThread = db
    .update(threads)
    .set({ updatedAt: laterUse(sql.placeholder('at')) })
    .where(eq(threads.id, sql.placeholder('id')))
    .prepare()
  const insertRow = prepareInsert(client, runs, { names: [...newColumns, 'behind'] })
  const insertConfig = prepareInsert(client, configs, {
    names: ['hash', 'config', 'origins'],
    conflict: 'do nothing',
  })
  const insertSnapshot = prepareInsert(client, snapshots, {
    names: ['runId', 'configHash', 'history', 'mocks'],
  })
  const insertAgent = prepareInsert(client, runAgents, {
    names: ['runId', 'key', 'agent', 'configHash', 'problem'],
  })
  const insertEvent = prepareInsert(client, events, { names: ['runId', 'seq', 'type', 'json'] })

  const keepAgent = (runId: string, { key, ...given }: RunAgent) => {
    if ('problem' in given) return insertAgent({ runId, key, problem: given.problem })
    const { agent, config, origins } = given
    const configHash = hashOfStart(config, JSON.stringify(origins))
    insertConfig({ hash: configHash, config, origins })
    insertAgent({ runId, key, agent, configHash })
  }
  const keep = (
    { behind: _, agents = [], ...row }: NewRunRow,
    history: RunHistory,
    first: readonly RunEvent[],
    behind: RunRow['files'] | null = null,
  ) => {
    const { id: runId, config, origins } = row
    const configHash = hashOfStart(config, JSON.stringify(origins))
    insertConfig({ hash: configHash, config, origins })
    insertRow({ ...row, mocked: row.mocked ?? null, behind })
    insertSnapshot({
      runId,
      configHash,
      history: history.length === 0 ? null : history,
      mocks: row.mocks ?? null,
    })
    for (const each of agents) keepAgent(runId, each)
    for (const event of first)
      insertEvent({ runId, seq: event.seq, type: event.type, json: JSON.stringify(event) })
  }
  const insert = client.transaction(
    (row: NewRunRow, queued: RunEvent, thread: ThreadRow | undefined, history: RunHistory = []) => {
      if (isBusy(row.threadId)) return false
      if (thread !== undefined) insertThread(thread)
      keep(row, history, [queued])
      touchThread.run({ at: row.createdAt, id: row.threadId })
      return true
    },
  ).immediate
  return {
    insert: (row, queued, thread, history) => late.write(() => insert(row, queued, thread, history)),
    insertBehind: client.transaction((row: NewRunRow, most: number) => {
      if (!isBusy(row.threadId)) return 'free'
      if ((countBehind.get(row.threadId) ?? 0) >= most) return 'full'
      keep(row, [], [], row.files ?? [])
      touchThread.run({ at: row.createdAt, id: row.threadId })
      return 'added'
    }).immediate,
    insertFork: client.transaction((row: NewRunRow, { events: taken, thread, history }: ForkedFrom) => {
      insertThread(thread)
      touchThread.run({ at: thread.updatedAt, id: thread.id })
      keep(row, history, taken)
    }).immediate,
  }
}

type ForkedFrom = Parameters<RunStore['insertFork']>[1]
type RunHistory = ForkedFrom['history']
