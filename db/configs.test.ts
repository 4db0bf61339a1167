import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RunRow } from '#lib/spec/store'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { migrate, readMigrations, schemaVersion } from './migrate'
import { openClient, type openStores, storesOver } from './open'
import { appended, finished, numbered, queued, runRow, temporaryFolder, threadRow } from './rows.fixture'

/** The migrations before configs were stored by hash. */
const all = readMigrations()
const at = all.findIndex(({ name }) => name.endsWith('_configs'))
const old = all.slice(0, at)
const moving = all[at]

let place: ReturnType<typeof temporaryFolder>
let file: string
beforeEach(() => {
  place = temporaryFolder()
  file = path.join(place.folder, 'loopwright.db')
})
afterEach(() => place.remove())

interface Start {
  readonly id: string
  readonly config: string
  readonly origins: string
  readonly history: string | null
}

const large = `{"name":"large","text":"${'é\\n'.repeat(50_000)}"}\n`
const starts: readonly Start[] = [
  { id: 'run_1', config: large, origins: '{"agent":"a"}', history: null },
  { id: 'run_2', config: large, origins: '{"agent":"a"}', history: '[{"role":"user","text":"before"}]' },
  { id: 'run_3', config: large, origins: '{"agent":"b"}', history: null },
  { id: 'run_4', config: '{"name":"small"}\n', origins: '{}', history: null },
  { id: 'run_5', config: '{ "name":\r\n"odd bytes" }', origins: '{}', history: null },
]

/** A database as the previous version left it. */
function oldDatabase(target: string): SqliteConnection {
  const client = new Database(target)
  client.pragma(`application_id = ${0x4c4f4f50}`)
  migrate(client, old)
  const thread = client.prepare(
    'insert into threads (id, agent_id, title, created_at, updated_at) values (?, ?, ?, 1, 1)',
  )
  const run = client.prepare(
    `insert into runs (id, agent_id, thread_id, agent, status, input, usage, steps, tool_calls, drained, cancelling, created_at)
     values (?, 'agent_1', ?, '{}', 'completed', 'Go', '{"input":0,"output":0}', 0, '[]', 0, 0, 1)`,
  )
  const snapshot = client.prepare(
    'insert into snapshots (run_id, config, origins, history) values (?, ?, ?, ?)',
  )
  for (const { id, config, origins, history } of starts) {
    thread.run(`thread_${id}`, 'agent_1', 'Go')
    run.run(id, `thread_${id}`)
    snapshot.run(id, config, origins, history)
  }
  return client
}

const countOf = (client: SqliteConnection, table: string) =>
  client.prepare(`select count(*) from ${table}`).pluck().get()

describe('a data folder of the version before', () => {
  it('keeps every config to the byte, once for all runs that started from it', () => {
    oldDatabase(file).close()
    const client = openClient(file)
    expect(schemaVersion(client)).toBe(readMigrations().length)
    expect([countOf(client, 'configs'), countOf(client, 'snapshots')]).toEqual([4, starts.length])
    expect(client.pragma('foreign_key_check')).toEqual([])
    const read = client.prepare(
      'select config, origins, history from snapshots join configs on hash = config_hash where run_id = ?',
    )
    for (const { id, config, origins, history } of starts)
      expect(read.get(id)).toEqual({ config, origins, history })
    const { runs, close } = storesOver(client)
    for (const { id, config, origins } of starts)
      expect(runs.get(id)).toMatchObject({ config, origins: JSON.parse(origins) })
    close()
  })

  it('is as it was when the move is cut at any statement, and moves whole afterwards', () => {
    if (moving === undefined) throw new Error('no such migration')
    for (let cut = 0; cut <= moving.statements.length; cut++) {
      const client = oldDatabase(':memory:')
      const broken = { ...moving, statements: [...moving.statements.slice(0, cut), 'select no_such_thing'] }
      expect(() => migrate(client, [...old, broken])).toThrow('no_such_thing')
      expect([schemaVersion(client), countOf(client, 'snapshots')]).toEqual([old.length, starts.length])
      expect(client.prepare('select config from snapshots where run_id = ?').pluck().get('run_5')).toBe(
        starts[4]?.config,
      )
      migrate(client, readMigrations())
      expect(countOf(client, 'configs')).toBe(4)
      client.close()
    }
  })
})

describe('what runs start from', () => {
  function addRun(stores: ReturnType<typeof openStores>, n: number, change: Partial<RunRow> = {}): void {
    const [id, threadId] = [`run_${n}`, `thread_${n}`]
    stores.runs.insert(
      runRow({ id, threadId, config: large, ...change }),
      queued(threadId),
      threadRow({ id: threadId }),
    )
    stores.runs.append([appended(id, numbered(2, finished))])
  }

  it('is stored once for 200 runs, and costs the file little', () => {
    const client = openClient(file)
    const stores = storesOver(client)
    for (let n = 0; n < 200; n++) addRun(stores, n)
    expect([countOf(client, 'configs'), countOf(client, 'snapshots')]).toEqual([1, 200])
    const size =
      Number(client.pragma('page_count', { simple: true })) *
      Number(client.pragma('page_size', { simple: true }))
    expect(size).toBeLessThan(10 * large.length)
    expect(stores.runs.get('run_199')?.config).toBe(large)
    stores.close()
  })

  it('goes with the last run that started from it', () => {
    const client = openClient(file)
    const stores = storesOver(client)
    addRun(stores, 1)
    addRun(stores, 2)
    addRun(stores, 3, { origins: { agent: 'other' } })
    expect(countOf(client, 'configs')).toBe(2)
    expect(stores.threads.remove('thread_1')).toBe('removed')
    expect([countOf(client, 'configs'), stores.runs.get('run_2')?.config]).toEqual([2, large])
    expect(stores.threads.remove('thread_2')).toBe('removed')
    expect(countOf(client, 'configs')).toBe(1)
    expect(stores.runs.get('run_3')).toMatchObject({ config: large, origins: { agent: 'other' } })
    expect(stores.threads.remove('thread_3')).toBe('removed')
    expect(countOf(client, 'configs')).toBe(0)
    addRun(stores, 4)
    expect(stores.runs.get('run_4')?.config).toBe(large)
    stores.close()
  })

  it('is looked for by an index when a thread goes, and not by a scan', () => {
    const client = openClient(file)
    const plan = client
      .prepare(
        'explain query plan delete from configs where hash = ? and not exists (select 1 from snapshots where config_hash = configs.hash)',
      )
      .all('x')
    expect(JSON.stringify(plan)).toContain('snapshots_by_config')
    expect(JSON.stringify(plan)).not.toContain('SCAN')
    client.close()
  })
})
