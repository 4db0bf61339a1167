/** The runs of a thread that wait until the run before them has ended: whose turn is next, and who leaves. */
import type { RunEvent } from '#lib/spec/event'
import type { RunStore } from '#lib/spec/store'
import type { SqliteConnection } from '#lib/sqlite/driver'

/** SQL for a run that waits for its thread. One that was cancelled while it waited keeps its column. */
export const isBehind = "behind is not null and status = 'queued'"

/** Prepares the statements once. */
export function threadLine(client: SqliteConnection): Pick<
  RunStore,
  'nextBehind' | 'threadOf' | 'freeThreads' | 'beginTurn'
> & {
  /** The hash of the config of the removed run; undefined when it does not wait. */
  removeBehind(id: string): string | undefined
} {
  const isOpen = "status in ('queued', 'running', 'waiting') and behind is null"
  const next = client
    .prepare<[string], string>(`select id from runs where thread_id = ? and ${isBehind} order by n limit 1`)
    .pluck()
  const thread = client.prepare<[string], string>('select thread_id from runs where id = ?').pluck()
  const free = client
    .prepare<[], string>(
      `select distinct thread_id from runs one where ${isBehind}
       and not exists (select 1 from runs other where other.thread_id = one.thread_id and ${isOpen})`,
    )
    .pluck()
  const underWay = client.prepare<[string]>(
    `select 1 from runs where thread_id = (select thread_id from runs where id = ?) and ${isOpen}`,
  )
  const begin = client.prepare<[string | null, string]>(
    `update runs set behind = null, history_through = ? where id = ? and ${isBehind}`,
  )
  const insertEvent = client.prepare<[string, number, string, string]>(
    'insert into events (run_id, seq, type, json) values (?, ?, ?, ?)',
  )
  const configOf = client
    .prepare<[string], string>('select config_hash from snapshots where run_id = ?')
    .pluck()
  const remove = client.prepare<[string]>(`delete from runs where id = ? and ${isBehind}`)

  return {
    nextBehind: (threadId) => next.get(threadId),
    threadOf: (id) => thread.get(id),
    freeThreads: () => free.all(),
    beginTurn: client.transaction((id: string, queued: RunEvent, historyThrough: string | null) => {
      if (underWay.get(id) !== undefined) return false
      if (begin.run(historyThrough, id).changes === 0) return false
      insertEvent.run(id, queued.seq, queued.type, JSON.stringify(queued))
      return true
    }).immediate,
    removeBehind: client.transaction((id: string) => {
      const hash = configOf.get(id)
      return remove.run(id).changes === 1 ? hash : undefined
    }).immediate,
  }
}
