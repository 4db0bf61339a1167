import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { getTableConfig } from 'drizzle-orm/sqlite-core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Database } from '#lib/sqlite/driver'
import { UnusableDatabase } from './fault'
import { migrate, readMigrations, schemaVersion } from './migrate'
import { assertSqlite, openClient, openStores } from './open'
import { agentRow, temporaryFolder } from './rows.fixture'
import * as schema from './schema'
import * as recall from './schema-recall'

let place: ReturnType<typeof temporaryFolder>
let file: string
beforeEach(() => {
  place = temporaryFolder()
  file = path.join(place.folder, 'data/loopwright.db')
})
afterEach(() => place.remove())

const bytes = () => readFileSync(file)

it('F4: every connection runs WAL with synchronous FULL, and keeps the file to its owner', () => {
  const client = openClient(file)
  const pragma = (name: string) => client.pragma(name, { simple: true })
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('foreign_keys')]).toEqual(['wal', 2, 1])
  expect([pragma('busy_timeout'), pragma('trusted_schema')]).toEqual([250, 0])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
  client.close()
})

it('F3: migrations bring an empty file to the newest schema, and a second opening changes nothing', () => {
  const first = openClient(file)
  const schema = first.prepare('select name, sql from sqlite_schema order by name').all()
  expect(schemaVersion(first)).toBe(readMigrations().length)
  expect(schema).toContainEqual({ name: 'events', sql: expect.stringContaining('WITHOUT ROWID') })
  first.close()
  const second = openClient(file)
  expect(second.prepare('select name, sql from sqlite_schema order by name').all()).toEqual(schema)
  second.close()
})

it('the migrations make the tables that the schema describes', () => {
  const client = openClient(file)
  for (const table of Object.values({ ...schema, ...recall })) {
    const { name, columns } = getTableConfig(table)
    const made = client.prepare('select name from pragma_table_info(?)').pluck().all(name)
    expect([name, made]).toEqual([name, columns.map((column) => column.name)])
  }
  client.close()
})

it('F3: a migration that is cut at any statement leaves the schema as it was before it', () => {
  const whole = readMigrations()
  const [first] = whole
  if (first === undefined) throw new Error('no migration')
  for (let cut = 0; cut < first.statements.length; cut++) {
    const client = new Database(':memory:')
    const broken = { ...first, statements: [...first.statements.slice(0, cut), 'select no_such_thing'] }
    expect(() => migrate(client, [broken])).toThrow('no_such_thing')
    expect(client.prepare('select count(*) from sqlite_schema').pluck().get()).toBe(0)
    migrate(client, whole)
    expect(schemaVersion(client)).toBe(whole.length)
    client.close()
  }
})

it('F18: a damaged, truncated or foreign file is refused in words and left as it was', () => {
  const stores = openStores(file)
  for (let index = 0; index < 60; index++) {
    stores.agents.insert(
      agentRow({ id: `agent_${index}`, name: `agent-${index}`, description: 'x'.repeat(4_500) }),
    )
  }
  stores.close()
  const good = path.join(place.folder, 'good.db')
  copyFileSync(file, good)

  const harm: (() => void)[] = [
    () => truncateSync(file, 4096 * 3 + 100),
    () => writeFileSync(file, 'this is no database, but a letter to a friend\n'.repeat(200)),
    () => {
      const content = bytes()
      content.fill(0xff, 4096, content.length - 4096)
      writeFileSync(file, content)
    },
  ]
  for (const each of harm) {
    copyFileSync(good, file)
    each()
    const before = bytes()
    expect(() => openStores(file)).toThrow(UnusableDatabase)
    expect(() => openStores(file)).toThrow(/is damaged .* Nothing was changed/)
    expect(bytes().equals(before)).toBe(true)
  }

  copyFileSync(good, file)
  const again = openStores(file)
  expect(again.agents.heads()).toHaveLength(60)
  again.close()
}, 30_000)

it('F18: an empty or missing database beside a log that holds data is refused, and both files are left as they were', () => {
  const stores = openStores(file)
  stores.agents.insert(agentRow())
  const log = readFileSync(`${file}-wal`)
  const state = readFileSync(file)
  stores.close()
  expect(log.length).toBeGreaterThan(0)

  writeFileSync(`${file}-wal`, log)
  writeFileSync(file, '')
  expect(() => openStores(file)).toThrow(UnusableDatabase)
  expect(() => openStores(file)).toThrow(/is empty, but the log next to it, .*-wal, still holds data/)
  expect([bytes().length, readFileSync(`${file}-wal`).equals(log)]).toEqual([0, true])

  rmSync(file)
  expect(() => openStores(file)).toThrow(/is missing, but the log next to it/)
  expect([existsSync(file), readFileSync(`${file}-wal`).equals(log)]).toEqual([false, true])

  writeFileSync(file, state)
  const again = openStores(file)
  expect(again.agents.heads()).toHaveLength(1)
  again.close()
})

it('F18: a database of 0 bytes without a log is opened as a new one', () => {
  mkdirSync(path.dirname(file))
  writeFileSync(file, '')
  const stores = openStores(file)
  expect(stores.agents.heads()).toEqual([])
  stores.close()
})

it('F18: a folder in the place of the database is refused in words', () => {
  mkdirSync(file, { recursive: true, mode: 0o755 })
  expect(() => openStores(file)).toThrow(/is not a file, but Loopwright keeps its database under that name/)
  expect(statSync(file).mode & 0o777).toBe(0o755)
})

it('F18: another program’s database is not migrated', () => {
  openClient(file).close()
  writeFileSync(file, '')
  const foreign = new Database(file)
  foreign.exec('create table notes (text)')
  foreign.close()
  const before = bytes()
  expect(() => openStores(file)).toThrow(/database of another program/)
  expect(bytes().equals(before)).toBe(true)
})

it('F21: a file of a newer version is refused', () => {
  const client = openClient(file)
  client.pragma('user_version = 999')
  client.close()
  expect(() => openStores(file)).toThrow(/newer version of Loopwright \(its schema is 999/)
})

it('F19: SQLite older than 3.51.3 is refused', () => {
  for (const version of ['3.51.3', '3.51.10', '3.53.2', '4.0.0'])
    expect(() => assertSqlite(version)).not.toThrow()
  for (const version of ['3.51.2', '3.50.9', '2.99.99', '3.51'])
    expect(() => assertSqlite(version)).toThrow(/too old/)
})

it('F24: a folder that cannot be made is told in words', () => {
  writeFileSync(path.join(place.folder, 'data'), '')
  expect(() => openStores(file)).toThrow(/cannot be written/)
})
