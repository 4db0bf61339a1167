/** The store of figures over many runs, and the index from which they come. */

import type { EndedRun, FigureStore, ToolFigures } from '#lib/spec/figures'
import type { SqliteConnection } from '#lib/sqlite/driver'
import { storeFault } from '../fault'
import { runIndexer } from './index-run'

type EndedColumns = [
  EndedRun['createdAt'],
  EndedRun['status'],
  EndedRun['costUsd'],
  EndedRun['durationMs'],
  EndedRun['waitedMs'],
  EndedRun['feedback'],
]

function toEnded([createdAt, status, costUsd, durationMs, waitedMs, feedback]: EndedColumns): EndedRun {
  return { createdAt, status, costUsd, durationMs, waitedMs, feedback }
}

/** The longest lists of models and tools. */
const mostChoices = 200

export function figureStore(client: SqliteConnection): FigureStore {
  const indexRun = runIndexer(client)
  // As lists of values: the driver needs half the time for them that it needs for objects.
  const ended = client
    .prepare<[string, number], EndedColumns>(
      `select created_at, status, cost_usd, duration_ms, waited_ms, feedback
     from runs where agent_id = ? and created_at >= ? and removed_at is null
       and status not in ('queued', 'running', 'waiting')`,
    )
    .raw()
  const tools = client.prepare<[string, number], ToolFigures>(
    `select name, sum(calls) as calls, sum(failed) as failed from run_tools
     where agent_id = ? and created_at >= ? group by name order by failed desc, calls desc, name`,
  )
  const models = client
    .prepare<[number], string>(
      'select distinct model from runs where model is not null order by model limit ?',
    )
    .pluck()
  const names = client
    .prepare<[number], string>('select distinct name from run_tools order by name limit ?')
    .pluck()
  const left = client
    .prepare('select count(*) from runs where indexed = 0 and finished_at is not null')
    .pluck()
  const next = client
    .prepare<[], string>(
      'select id from runs where indexed = 0 and finished_at is not null order by n desc limit 1',
    )
    .pluck()
  const pass = client.prepare<[string]>('update runs set indexed = 1 where id = ?')

  /** A run whose stored events cannot be read is counted without them. */
  function indexOne(id: string): void {
    try {
      indexRun(id)
    } catch (error) {
      if (storeFault(error) !== undefined) throw error
      pass.run(id)
    }
  }

  return {
    endedSince: (agentId, since) => ended.all(agentId, since).map(toEnded),
    toolsSince: (agentId, since) => tools.all(agentId, since),
    choices: () => ({ models: models.all(mostChoices), tools: names.all(mostChoices) }),
    unindexed: () => Number(left.get()),
    indexSome: (ms) =>
      client
        .transaction(() => {
          const until = performance.now() + ms
          let done = 0
          for (let id = next.get(); id !== undefined; id = next.get()) {
            indexOne(id)
            done += 1
            if (performance.now() >= until) break
          }
          return done
        })
        .immediate(),
  }
}
