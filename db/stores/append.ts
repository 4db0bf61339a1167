/** The hot path: inserts events of many runs in one transaction and updates the rows of those runs. */

import { isRunEnd, type RunEvent, type RunStatus } from '#lib/spec/event'
import type { Appended } from '#lib/spec/store'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { runIndexer } from './index-run'
import { remembering } from './memories'
import { movesRow, project, type RunFigures, unfinishedStatuses } from './project'

interface Head {
  readonly status: RunStatus
  readonly seq: number
}

interface FigureColumns extends Omit<RunFigures, 'error' | 'usage' | 'toolCalls' | 'drained' | 'pending'> {
  readonly error: string | null
  readonly usage: string
  readonly toolCalls: string
  readonly drained: number
  readonly pending: string
}

/** One run within the batch; `moved` stays undefined until an event changes the row. */
interface RunProgress {
  seq: number
  open: boolean
  moved?: { readonly before: RunFigures; readonly now: RunFigures }
}

/** Prepares the statements once; the returned function is `RunStore.append`. */
export function appendEvents(client: SqliteConnection): (batch: readonly Appended[]) => ReadonlySet<string> {
  const insert = client.prepare<[string, number, string, string]>(
    'insert into events (run_id, seq, type, json) values (?, ?, ?, ?)',
  )
  const { head, figures, update, updateCounts } = rowStatements(client)
  const indexRun = runIndexer(client)
  const originals = originalsOf(client)
  const remember = remembering(client)

  return client.transaction((batch: readonly Appended[]) => {
    const cursors = new Map<string, RunProgress>()
    const refused = new Set<string>()
    const forget = originals.areThere() ? originals.forget : undefined
    for (const { runId, event, json } of batch) {
      const cursor = cursors.get(runId) ?? begin(head.get(runId))
      cursors.set(runId, cursor)
      if (refused.has(runId) || !cursor.open || event.seq !== cursor.seq + 1) {
        refused.add(runId)
        continue
      }
      insert.run(runId, event.seq, event.type, json)
      cursor.seq = event.seq
      forget?.(runId, event)
      if (event.type === 'memory.recorded') remember(runId, event)
      if (!movesRow(event.type)) continue
      const before = cursor.moved?.before ?? readFigures(figures.get(runId))
      const known = cursor.moved?.now ?? before
      const now = project(known, event)
      if (now === known) continue
      cursor.moved = { before, now }
      cursor.open = unfinishedStatuses.has(now.status)
    }
    for (const [runId, { moved, open }] of cursors) {
      if (moved === undefined) continue
      const statement = isOnlyCounted(moved) ? updateCounts : update
      statement.run(writeFigures(runId, moved.now))
      if (!open) indexRun(runId)
    }
    return refused
  }).immediate
}

/** A call's original arguments go with the event that ends the call, and with the end of the run. */
function originalsOf(client: SqliteConnection) {
  const first = client.prepare('select 1 from originals limit 1')
  const ofCall = client.prepare<[string, string]>('delete from originals where run_id = ? and call_id = ?')
  const ofRun = client.prepare<[string]>('delete from originals where run_id = ?')
  return {
    /** Few calls have secrets in their arguments, so the table is usually empty. */
    areThere: () => first.get() !== undefined,
    forget(runId: string, event: RunEvent): void {
      if (event.type === 'call.finished')
        ofCall.run(runId, event.parent === undefined ? event.callId : `${event.parent}/${event.callId}`)
      else if (isRunEnd(event)) ofRun.run(runId)
    },
  }
}

function rowStatements(client: SqliteConnection) {
  return {
    head: client.prepare<[string], Head>(
      'select status, (select coalesce(max(seq), 0) from events where run_id = runs.id) as seq from runs where id = ?',
    ),
    figures: client.prepare<[string], FigureColumns>(
      `select status, answer, output, error, usage, cost_usd as costUsd, steps, tool_calls as toolCalls, drained, pending,
         started_at as startedAt, finished_at as finishedAt from runs where id = ?`,
    ),
    update: client.prepare<[FigureColumns & { id: string }]>(
      `update runs set status = @status, answer = @answer, output = @output, error = @error,
         started_at = @startedAt, finished_at = @finishedAt, ${counts} ${ofOpen}`,
    ),
    updateCounts: client.prepare<[FigureColumns & { id: string }]>(`update runs set ${counts} ${ofOpen}`),
  }
}

const counts = `usage = @usage, cost_usd = @costUsd, steps = @steps, tool_calls = @toolCalls, drained = @drained,
  pending = @pending`
const ofOpen = "where id = @id and status in ('queued', 'running', 'waiting')"

/** Whether the row can be updated without its status. SQLite rewrites an index for every column that is set, changed or not. */
function isOnlyCounted({ before, now }: NonNullable<RunProgress['moved']>): boolean {
  const others = ['status', 'answer', 'output', 'error', 'startedAt', 'finishedAt'] as const
  return others.every((key) => before[key] === now[key])
}

function begin(head: Head | undefined): RunProgress {
  return head === undefined
    ? { seq: 0, open: false }
    : { seq: head.seq, open: unfinishedStatuses.has(head.status) }
}

function readFigures(row: FigureColumns | undefined): RunFigures {
  if (row === undefined) throw new Error('a run vanished inside a transaction')
  return {
    ...row,
    error: row.error === null ? null : JSON.parse(row.error),
    usage: JSON.parse(row.usage),
    toolCalls: JSON.parse(row.toolCalls),
    drained: row.drained === 1,
    pending: JSON.parse(row.pending),
  }
}

function writeFigures(id: string, figures: RunFigures): FigureColumns & { id: string } {
  return {
    ...figures,
    id,
    error: figures.error === null ? null : JSON.stringify(figures.error),
    usage: JSON.stringify(figures.usage),
    toolCalls: JSON.stringify(figures.toolCalls),
    drained: figures.drained ? 1 : 0,
    pending: JSON.stringify(figures.pending),
  }
}
