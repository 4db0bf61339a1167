import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SqlRequest } from '#lib/spec/sql'
import { Database } from '#lib/sqlite/driver'
import { createSql, type DatabaseFile } from './sql'

const endless = 'with recursive c(n) as (select 1 union all select n + 1 from c) select count(*) from c'

let folder = ''
let files = new Map<string, DatabaseFile>()
const sql = createSql(() => files)

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-sql-'))
  const make = (name: string, statements: string) => {
    const file = path.join(folder, `${name}.db`)
    const database = new Database(file)
    database.exec(statements)
    database.close()
    return file
  }
  const shop = make(
    'shop',
    "create table item(id integer primary key, name text, price real); insert into item values (1, 'tea', 2.5), (2, 'cup', 8)",
  )
  files = new Map([
    ['shop', shop],
    ['other', make('other', "create table secret(word text); insert into secret values ('hidden')")],
    ['gone', path.join(folder, 'gone.db')],
  ])
  fs.writeFileSync(path.join(folder, 'text.db'), 'this is no database, only words, and many of them indeed')
  files.set('text', path.join(folder, 'text.db'))
})

afterAll(() => {
  sql.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const ask = (statement: string, more: Partial<SqlRequest> = {}, signal = new AbortController().signal) =>
  sql.query({ database: 'shop', sql: statement, ...more }, signal)

/** Everything on disk that a statement could have changed. */
function everything(): string[] {
  return fs
    .readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(fs.readFileSync(path.join(folder, name)))
          .digest('hex')}`,
    )
}

describe('the SQL port', () => {
  it('gives the rows of a read', async () => {
    expect(await ask('select name, price from item order by id;')).toEqual({
      ok: true,
      value: {
        columns: ['name', 'price'],
        rows: [
          ['tea', 2.5],
          ['cup', 8],
        ],
        truncated: false,
      },
    })
  })

  it('binds parameters of every JSON kind', async () => {
    const answer = await ask('select ?, ?, ?, ?, typeof(?)', { parameters: ['a', 1.5, true, null, 7] })
    expect(answer).toMatchObject({ ok: true, value: { rows: [['a', 1.5, 1, null, 'integer']] } })
  })

  it('makes whole numbers past 2^53, infinities and blobs safe for JSON', async () => {
    const answer = await ask(
      "select 9223372036854775807, 9007199254740991, 9e999, x'00ff', zeroblob(40), null",
    )
    expect(answer.ok && answer.value.rows[0]).toEqual([
      '9223372036854775807',
      9007199254740991,
      'Infinity',
      "x'00ff'",
      `x'${'00'.repeat(32)}' (40 bytes)`,
      null,
    ])
  })

  it('keeps to the rows asked for, and never gives more than 1,000', async () => {
    const many =
      'with recursive c(n) as (select 1 union all select n + 1 from c where n < 5000) select n from c'
    const few = await ask(many, { maxRows: 3 })
    expect(few).toMatchObject({ ok: true, value: { rows: [[1], [2], [3]], truncated: true } })
    const most = await ask(many, { maxRows: 100_000 })
    expect(most.ok && most.value.rows.length).toBe(1_000)
    const exact = await ask('select 1 union all select 2', { maxRows: 2 })
    expect(exact).toMatchObject({ ok: true, value: { truncated: false } })
  })

  it('T52 keeps an answer below 1 MiB and cuts a long cell', async () => {
    const wide = await ask(
      'with recursive c(n) as (select 1 union all select n + 1 from c where n < 900) select hex(zeroblob(5000)) from c',
    )
    expect(wide).toMatchObject({ ok: true, value: { truncated: true } })
    expect(JSON.stringify(wide).length).toBeLessThan(1_100_000)
    const long = await ask('select hex(zeroblob(1000000))')
    expect(long).toMatchObject({ ok: true, value: { truncated: true } })
    expect(long.ok && String(long.value.rows[0]?.[0]).endsWith('… (1980000 more characters)')).toBe(true)
  })

  it('tells an SQL mistake in SQLite’s words and goes on', async () => {
    expect(await ask('select colour from item')).toMatchObject({
      ok: false,
      code: 'sql_error',
      message: 'no such column: colour',
    })
    expect(await ask('select ?')).toMatchObject({ ok: false, code: 'sql_error' })
    expect(await ask('select 1')).toMatchObject({ ok: true })
  })

  it('says which database is unknown, missing or none at all', async () => {
    expect(await ask('select 1', { database: 'nope' })).toMatchObject({ ok: false, code: 'unknown_database' })
    const gone = await ask('select 1', { database: 'gone' })
    expect(gone).toMatchObject({
      ok: false,
      code: 'unavailable',
      message: 'The database "gone" cannot be opened: its file is missing.',
    })
    expect(fs.existsSync(path.join(folder, 'gone.db'))).toBe(false)
    expect(await ask('select 1', { database: 'text' })).toMatchObject({ ok: false, code: 'unavailable' })
  })

  it('answers many at once, each its own', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, index) => ask(`select ${index}`)))
    expect(answers.map((each) => each.ok && each.value.rows[0]?.[0])).toEqual(
      Array.from({ length: 12 }, (_, index) => index),
    )
  })

  it('lists the databases by name', () => {
    expect(sql.databases()).toEqual(['gone', 'other', 'shop', 'text'])
  })
})

describe('T45 a statement cannot get out', () => {
  const attacks = (other: string, out: string): string[] => [
    "insert into item values (3, 'x', 1)",
    "update item set name = 'x'",
    'delete from item',
    'drop table item',
    'create table t(a)',
    'create temp table t(a)',
    'with x as (select 1) delete from item returning *',
    "with x as (select 1) insert into item select 9, 'x', 1 returning *",
    'select 1; delete from item',
    'select 1;; select 2',
    '/* select */ delete from item',
    '-- select\ndelete from item',
    '\uFEFFdelete from item',
    `attach '${other}' as o`,
    `select 1; attach '${other}' as o`,
    `ATTACH DATABASE '${other}' AS o`,
    'detach main',
    'pragma query_only = 0',
    'PRAGMA writable_schema = 1',
    `vacuum into '${out}'`,
    'vacuum',
    `explain attach '${other}' as o`,
    "select load_extension('x.so')",
    `select "load_extension"('x.so')`,
    'select * from pragma_database_list',
    'select * from "pragma_database_list"',
    `select writefile('${out}', 'x')`,
    'begin immediate',
    'reindex',
    'analyze',
    'replace into item values (1, 2, 3)',
    '',
    '   -- nothing',
    ';',
    'selectx',
  ]

  it('by any of the known ways: nothing changes, no file appears, the other database stays unread', async () => {
    const before = everything()
    const list = attacks(path.join(folder, 'other.db'), path.join(folder, 'out.db'))
    for (const attack of list) {
      const answer = await ask(attack)
      expect(answer, attack).toMatchObject({ ok: false })
      expect(JSON.stringify(answer), attack).not.toContain('hidden')
    }
    expect(everything()).toEqual(before)
    expect(await ask('select count(*) from item')).toMatchObject({ ok: true, value: { rows: [[2]] } })
  })

  it.each([
    'select length(hex(randomblob(200000000)))',
    'with recursive c(n) as (select 1 union all select n + 1 from c where n < 100000000) select length(group_concat(n)) from c',
    "with recursive c(t) as (select 'x' union all select t || t from c limit 29) select length(max(t)) from c",
    'select hex(zeroblob(90000000))',
    'with recursive c(n) as (select 1 union all select n + 1 from c limit 100000000) select n from c order by random()',
  ])(
    'a bomb ends itself, not the server: %s',
    async (bomb) => {
      const before = process.memoryUsage().rss
      const answer = await ask(bomb, { timeoutMs: 2_000 })
      if (answer.ok) expect(JSON.stringify(answer).length).toBeLessThan(1_100_000)
      expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
      expect(await ask('select 1')).toMatchObject({ ok: true })
    },
    30_000,
  )

  it('an endless statement is stopped in time, and others are answered meanwhile', async () => {
    const order: string[] = []
    const slow = ask(endless, { timeoutMs: 2_500 }).finally(() => order.push('slow'))
    expect(await ask('select 1').finally(() => order.push('quick'))).toMatchObject({ ok: true })
    expect(await slow).toMatchObject({
      ok: false,
      code: 'timeout',
      message: 'The query took longer than 2.5 seconds and was stopped.',
    })
    expect(order).toEqual(['quick', 'slow'])
    expect(await ask('select 1')).toMatchObject({ ok: true })
  }, 20_000)

  it('an abort ends a running statement at once, and one that waits in line', async () => {
    const abort = new AbortController()
    const all = Array.from({ length: 6 }, () => ask(endless, {}, abort.signal))
    const from = Date.now()
    setTimeout(() => abort.abort('cancel'), 150)
    for (const answer of await Promise.all(all)) expect(answer).toMatchObject({ ok: false, code: 'aborted' })
    expect(Date.now() - from).toBeLessThan(4_500)
    expect(await ask('select 1', {}, AbortSignal.abort())).toMatchObject({ ok: false, code: 'aborted' })
    expect(await ask('select 1')).toMatchObject({ ok: true })
  })

  it('the child sees no variable of ours', () => {
    const environments = childEnvironments()
    expect(environments.length).toBeGreaterThan(0)
    for (const each of environments)
      expect(each.replace(/^(PWD|OLDPWD|_|SHLVL)=[^\0]*\0?/gm, '')).not.toMatch(/PATH=|HOME=|KEY|TOKEN/)
  })
})

/** The environments of our own children, as the kernel reports them; skipped on systems without /proc. */
function childEnvironments(): string[] {
  const list = `/proc/${process.pid}/task/${process.pid}/children`
  if (!fs.existsSync(list)) return ['']
  const pids = fs.readFileSync(list, 'utf8').trim().split(' ').filter(Boolean)
  const ours = pids.filter((pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sql-child'))
  return ours.map((pid) => fs.readFileSync(`/proc/${pid}/environ`, 'utf8'))
}
