/**
 * Fills the columns, tools and words by which an ended run is found and counted. It reads only what is stored, so
 * nothing is indexed that was masked or removed before the events were written.
 */

import type { SqliteConnection } from '#lib/sqlite/driver'
import { indexText } from '../search-text'

interface Ended {
  readonly n: number
  readonly agentId: string
  readonly input: string
  readonly answer: string | null
  readonly error: string | null
  readonly toolCalls: string
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
}

/** An event with the few values of it that are counted. */
export interface Counted {
  readonly seq: number
  readonly type: string
  readonly at: number
  readonly callId: string | null
  /** A question of the call; null for every other event. */
  readonly inputId: string | null
  readonly name: string | null
  readonly status: string | null
  readonly model: string | null
  /** The last event that a fork copied from other runs. */
  readonly copied: number | null
}

export interface Tally {
  readonly model: string | null
  readonly waitedMs: number
  /** Failed calls by tool. */
  readonly failed: ReadonlyMap<string, number>
}

/** Calls that the tool itself failed; a call that a policy blocked is none of them. */
const failures: ReadonlySet<string | null> = new Set(['error', 'timeout', 'unknown'])

/** A call that waits for a decision, or one of its questions. */
function waitOf({ callId, inputId }: Counted): string {
  return JSON.stringify([callId, inputId])
}

const endsWait: ReadonlySet<string> = new Set(['approval.decided', 'input.given'])

/** Counts one run from its events in order; what a fork copied is left to the run it comes from. */
export function tallyOf(events: Iterable<Counted>, finishedAt: number): Tally {
  const failed = new Map<string, number>()
  const waiting = new Set<string>()
  let model: string | null = null
  let copied = 0
  let waitedMs = 0
  let since = 0
  for (const event of events) {
    if (event.type === 'run.started') {
      model = event.model
      copied = event.copied ?? 0
    }
    if (event.seq <= copied) continue
    if (event.type === 'approval.requested' || event.type === 'input.requested') {
      if (waiting.size === 0) since = event.at
      waiting.add(waitOf(event))
    } else if (endsWait.has(event.type) && waiting.delete(waitOf(event)) && waiting.size === 0)
      waitedMs += Math.max(0, event.at - since)
    else if (event.type === 'call.finished' && failures.has(event.status)) {
      const name = event.name ?? ''
      failed.set(name, (failed.get(name) ?? 0) + 1)
    }
  }
  if (waiting.size > 0) waitedMs += Math.max(0, finishedAt - since)
  return { model, waitedMs, failed }
}

/** Prepares the statements once; the returned function indexes one ended run, inside a transaction. */
export function runIndexer(client: SqliteConnection): (id: string) => void {
  const ended = client.prepare<[string], Ended>(
    `select n, agent_id as agentId, input, answer, error ->> 'message' as error, tool_calls as toolCalls,
       created_at as createdAt, started_at as startedAt, finished_at as finishedAt from runs where id = ?`,
  )
  const counted = client.prepare<[string], Counted>(
    `select seq, type, json ->> 'at' as at, json ->> 'callId' as callId, json ->> 'inputId' as inputId,
       json ->> 'name' as name,
       json ->> 'status' as status,
       case type when 'run.started' then (json ->> '$.model.provider') || '/' || (json ->> '$.model.name') end as model,
       case type when 'run.started' then json ->> '$.forkedFrom.copied[#-1].through' end as copied
     from events
     where run_id = ?
       and type in ('run.started', 'approval.requested', 'approval.decided', 'input.requested', 'input.given',
         'call.finished')
       and json ->> 'parent' is null and json ->> 'refused' is null
     order by seq`,
  )
  const fill = client.prepare(
    `update runs set indexed = 1, model = @model, failed_calls = @failedCalls, duration_ms = @durationMs,
       waited_ms = @waitedMs where n = @n`,
  )
  const tool = client.prepare(
    `insert or replace into run_tools (run, name, calls, failed, agent_id, created_at)
     values (@run, @name, @calls, @failed, @agentId, @createdAt)`,
  )
  const words = client.prepare('insert or replace into run_words (rowid, words) values (?, ?)')

  return (id) => {
    const run = ended.get(id)
    if (run === undefined || run.finishedAt === null) return
    const { n, agentId, createdAt, startedAt, finishedAt } = run
    const { model, waitedMs, failed } = tallyOf(counted.iterate(id), finishedAt)
    // cast: the column holds what `writeFigures` made
    const calls = new Map(
      (JSON.parse(run.toolCalls) as { name: string; count: number }[]).map(({ name, count }) => [
        name,
        count,
      ]),
    )
    // A call to a tool that does not exist fails without beginning.
    for (const [name, count] of failed) calls.set(name, Math.max(count, calls.get(name) ?? 0))
    for (const [name, count] of calls)
      tool.run({ run: n, name, calls: count, failed: failed.get(name) ?? 0, agentId, createdAt })
    const failedCalls = [...failed.values()].reduce((sum, each) => sum + each, 0)
    const durationMs = startedAt === null ? null : Math.max(0, finishedAt - startedAt)
    fill.run({ n, model, failedCalls, durationMs, waitedMs })
    words.run(n, indexText([run.input, run.answer, run.error, ...calls.keys()]))
  }
}
