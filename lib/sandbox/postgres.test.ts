/** A real PostgreSQL server, only in `npm run test:deep`: what it holds against is written in docs/sql.md. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '#e2e/postgres-server'
import { isDeep } from '#e2e/test-depth'
import { ensurePostgres } from '#lib/setup/postgres.mjs'
import { tools } from '#lib/tools/index'
import { context } from '#lib/tools/tools.fixture'
import { createSql, type DatabaseSource, probeDatabase } from './sql'
import type { PostgresConnection } from './sql-wire'

const bin = isDeep ? await ensurePostgres() : undefined
const why = isDeep ? 'not run: there is no PostgreSQL for this machine' : 'not run: only npm run test:deep'
const never = new AbortController().signal

let server: PostgresServer
let admin: pg.Client

const seed = `
  create table customer (id int primary key, name text not null, city text);
  insert into customer values (1, 'Ada', 'Bern'), (2, 'Bo', 'Oslo');
  create table wide as select g as n, repeat('x', 5000) as filler from generate_series(1, 900) g;
  create schema private;
  create table private.canary (word text);
  insert into private.canary values ('the-canary');
  create function public.outside() returns text language sql security definer as $$ select word from private.canary $$;
  revoke all on function public.outside() from public;
  create role reader login password 'reader-password';
  create role writer login password 'writer-password';
  create role filer login password 'filer-password';
  create role climber login noinherit password 'climber-password';
  grant select on customer, wide to reader, writer;
  grant insert, update, delete on customer to writer;
  grant pg_read_server_files to filer;
  grant boss to climber;`

function source(user: string, more: Partial<PostgresConnection> = {}): DatabaseSource {
  return {
    kind: 'postgresql',
    isWritable: true,
    connect: (mode) => ({
      ok: true,
      value: {
        ...{ host: '127.0.0.1', port: server.port, database: 'postgres', tls: 'off', statementSeconds: 20 },
        ...(mode === 'write'
          ? { user: 'writer', password: 'writer-password' }
          : { user, password: user === 'boss' ? server.boss.password : `${user}-password` }),
        ...more,
      },
    }),
  }
}

const sql = createSql(
  () =>
    new Map<string, DatabaseSource>([
      ...['reader', 'boss', 'filer', 'climber'].map((each) => [each, source(each)] as const),
      ['wrong', source('reader', { password: 'another-password' })],
      ['secure', source('reader', { tls: 'verify' })],
      ['closed', source('reader', { port: 1 })],
      ['hasty', source('reader', { statementSeconds: 1 })],
    ]),
)

const ask = (statement: string, database = 'reader', signal = never, more = {}) =>
  sql.query({ database, sql: statement, ...more }, signal)
const write = (statement: string, maxChanged = 10) =>
  sql.write({ database: 'reader', sql: statement, maxChanged }, never)
const rowsOf = async (statement: string) => (await admin.query(statement)).rows

describe.skipIf(bin === undefined)(`PostgreSQL @deep (${bin ?? why})`, { timeout: 120_000 }, () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
    admin = new pg.Client({ host: '127.0.0.1', port: server.port, database: 'postgres', ...server.boss })
    await admin.connect()
    await admin.query(seed)
  }, 60_000)
  afterAll(async () => {
    sql.close()
    await admin.end()
    await server.end()
  })

  it('S2-15 gives rows, binds parameters, and cuts what is too much', async () => {
    expect(await ask('select name from customer order by id')).toMatchObject({
      value: { columns: ['name'], rows: [['Ada'], ['Bo']], truncated: false },
    })
    expect(await ask('select $1::int + 1', 'reader', never, { parameters: [4] })).toMatchObject({
      value: { rows: [[5]] },
    })
    const wide = await ask('select * from wide', 'reader', never, { wantsCsv: true })
    expect(wide).toMatchObject({ value: { truncated: true, csv: { truncated: true } } })
    expect(JSON.stringify(wide).length).toBeLessThan(6_000_000)
  })

  it('S2-15 says where a mistake is without running the statement', async () => {
    const check = (statement: string) => sql.check({ database: 'reader', sql: statement }, never)
    expect(await check('select name, city from customer')).toEqual({ ok: true, columns: ['name', 'city'] })
    expect(await check('select nme from customer')).toMatchObject({
      offset: 7,
      unknown: { kind: 'column', name: 'nme' },
    })
    expect(await check('select *\nform customer')).toMatchObject({ offset: 9 })
  })

  it('S2-15 the tools describe it, correct names and refine', async () => {
    const run = async (name: string, args: object) => {
      const output = await tools
        .find((each) => each.name === name)
        ?.run({ database: 'reader', ...args }, context(sql))
      return JSON.stringify(output)
    }
    expect(await run('schema.list_tables', {})).toContain('This is a PostgreSQL database')
    expect(await run('schema.list_columns', { table: 'customer' })).toContain(
      '["customer","id","integer","primary","","1, 2"]',
    )
    expect(await run('sql.auto_fix_columns', { sql: 'select c.nme from custmer c' })).toContain(
      'select c.name from customer c',
    )
    expect(await run('sql.refine', { sql: 'select nme from customer' })).toContain('LIMIT 100')
  })

  it.each([
    ['boss', 'is a superuser'],
    ['climber', 'is a superuser, or may become one'],
    ['filer', 'is a member of pg_read_server_files'],
  ])('S2-15 the role %s is refused', async (user, held) => {
    const answer = await ask('select 1', user)
    expect(answer).toMatchObject({ ok: false, code: 'unavailable' })
    expect(JSON.stringify(answer)).not.toContain(user)
    expect(await probeDatabase(source(user), 'read', never)).toMatchObject({
      ok: false,
      error: expect.stringContaining(held),
    })
  })

  it.each(['wrong', 'secure', 'closed'])(
    'the connection %s fails in words that name nothing',
    async (name) => {
      const answer = await ask('select 1', name)
      expect(answer).toMatchObject({ ok: false, code: 'unavailable' })
      expect(JSON.stringify(answer)).not.toMatch(/reader|127\.0\.0\.1|password/)
    },
  )

  it.each([
    'delete from customer',
    'with x as (delete from customer returning *) select * from x',
    "with x as (insert into customer values (9, 'x', 'x') returning *) select * from x",
    'select * into other from customer',
    'select * from customer for update',
    'explain analyze delete from customer',
    'select 1; delete from customer',
    'commit; delete from customer',
    'set transaction read write',
    "select set_config('transaction_read_only', 'off', false)",
    "select set_config('role', 'boss', false)",
    'set role boss',
    "copy customer to '/tmp/loopwright-canary'",
    "copy (select 1) to program 'touch /tmp/loopwright-canary'",
    'do $$ begin delete from customer; end $$',
    'lock table customer',
    'listen canary',
    'select * from private.canary',
    'select outside()',
    'select * from pg_authid',
    "select pg_read_file('/etc/passwd')",
    "select query_to_xml('select * from private.canary', true, true, '')",
    "select lo_import('/etc/passwd')",
    "select nextval('nothing')",
    'create temp table t (a int)',
    'select pg_sleep(100)',
    "select * from dblink('dbname=postgres', 'select 1') as t(a int)",
    'select pg_terminate_backend(pid) from pg_stat_activity',
  ])('T45 changes and reveals nothing: %s', async (statement) => {
    const answer = await ask(statement)
    expect(answer).toMatchObject({ ok: false })
    expect(JSON.stringify(answer)).not.toContain('the-canary')
    expect(await rowsOf('select count(*)::int as n from customer')).toEqual([{ n: 2 }])
  })

  it('T45 even an unguarded text is held by the transaction: the list is not the wall', async () => {
    const hidden = `select xpath_exists('/x', xmlparse(document '<x/>')), (select count(*) from customer)`
    expect(await ask(hidden)).toMatchObject({ ok: true })
    const client = new pg.Client({
      ...{ host: '127.0.0.1', port: server.port, database: 'postgres' },
      ...{ user: 'reader', password: 'reader-password' },
    })
    await client.connect()
    await client.query('begin read only')
    await client.query('select 1')
    await expect(client.query("select set_config('transaction_read_only', 'off', true)")).rejects.toThrow()
    await client.end()
  })

  it('nothing of a statement is left for the next one', async () => {
    await ask('select 1')
    expect(
      await ask("select current_setting('transaction_read_only'), current_setting('statement_timeout')"),
    ).toMatchObject({
      value: { rows: [['on', '20s']] },
    })
  })

  it('a long statement is stopped at the limit of the connection', async () => {
    expect(await ask('select count(*) from generate_series(1, 1e12::bigint)', 'hasty')).toMatchObject({
      code: 'timeout',
    })
  })

  it('an abort stops the statement on the server', async () => {
    const abort = new AbortController()
    const slow = ask(
      'select count(*) as marked from generate_series(1, 1e12::bigint)',
      'reader',
      abort.signal,
    )
    const active = () =>
      rowsOf(
        "select pid from pg_stat_activity where state = 'active' and query like '%marked from generate%' and pid <> pg_backend_pid()",
      )
    await expect.poll(active).toHaveLength(1)
    abort.abort('cancel')
    expect(await slow).toMatchObject({ code: 'aborted' })
    await expect.poll(active, { timeout: 10_000 }).toHaveLength(0)
    expect(await ask('select 1')).toMatchObject({ ok: true })
  })

  it('a value that is too large ends the child, not the server', async () => {
    expect(await ask("select repeat('x', 900000000)")).toMatchObject({ ok: false })
    expect(await ask('select 1')).toMatchObject({ ok: true })
  })

  it('sql.write changes rows, says how many, and undoes what is too much', async () => {
    expect(await write("insert into customer values (3, 'Cy', 'Rome') returning id")).toMatchObject({
      changed: 1,
      value: { columns: ['id'], rows: [[3]] },
    })
    expect(await write("insert into customer values (3, 'Cy', 'Rome')")).toMatchObject({
      code: 'sql_error',
      message: expect.stringContaining('already exists'),
    })
    expect(await write("update customer set city = 'Bern'", 2)).toMatchObject({ code: 'too_many_rows' })
    expect(await write("update customer set city = 'Bern' returning id", 2)).toMatchObject({
      code: 'too_many_rows',
    })
    expect(await rowsOf("select count(*)::int as n from customer where city = 'Bern'")).toEqual([{ n: 1 }])
    expect(await write('delete from customer where id = 3')).toMatchObject({ changed: 1 })
    expect(await write('with x as (delete from customer returning *) select * from x')).toMatchObject({
      code: 'not_one_write',
    })
    expect(await write('drop table customer')).toMatchObject({ code: 'not_one_write' })
    expect(await write('delete from wide')).toMatchObject({ code: 'sql_error' })
  })

  it('a test says version, role and rights', async () => {
    expect(await probeDatabase(source('reader'), 'write', never)).toEqual({
      ok: true,
      value: {
        ...{ version: expect.stringMatching(/^PostgreSQL \d+/), role: 'writer', tables: 2 },
        ...{ writable: 1, encrypted: false },
      },
    })
  })
})
