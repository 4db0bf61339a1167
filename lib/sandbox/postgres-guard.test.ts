import { describe, expect, it } from 'vitest'
import { rightsFault } from './postgres-rights'
import { oneRead, oneWrite } from './sql-guard'

describe('the guard on statements for PostgreSQL', () => {
  it.each([
    'select 1',
    'with x as (select 1) table x;',
    '(select 1) union (select 2)',
    'explain (analyze) select 1',
    'values (1)',
    "select 'set_config(''a'')', $$pg_sleep(1)$$",
    'select set_config, lo_total from orders',
    'select "dblink" from a /* pg_sleep(1) */',
  ])('lets %s through', (sql) => {
    expect(oneRead(sql, 'postgresql')).toMatchObject({ ok: true })
  })

  it.each([
    'set role boss',
    "copy a to '/tmp/x'",
    'do $$ begin end $$',
    'call p()',
    'listen x',
    'lock table a',
    'begin read write',
    'commit; drop table a',
    'select 1; drop table a',
    'prepare a as select 1',
    'create table a (b int)',
    "select set_config('role', 'boss', false)",
    "select pg_catalog . set_config ('a', 'b', false)",
    "select \"set_config\"('a', 'b', false)",
    "select SET_CONFIG/* x */('a', 'b', false)",
    "select lo_import('/etc/passwd')",
    "select * from dblink('host=x', 'select 1') as t(a int)",
    "select dblink_connect('host=x')",
    "select pg_read_file('/etc/passwd')",
    'select pg_advisory_lock(1)',
    'select pg_sleep(1e9)',
    "select query_to_xml('delete from a', true, true, '')",
    'select pg_terminate_backend(1)',
    "select U&\"set\\005fconfig\"('a', 'b', false)",
    'select u&"x"(1)',
    '',
    '/* /* */ select 1',
  ])('T45 refuses %s', (sql) => {
    expect(oneRead(sql, 'postgresql')).toMatchObject({ ok: false })
  })

  it.each([
    ['update a set b = 1', true],
    ['merge into a using b on a.c = b.c when matched then delete', true],
    ['with x as (select 1) insert into a select * from x', true],
    ['select 1', false],
    ['drop table a', false],
    ['truncate a', false],
    ["insert into a values (lo_import('/etc/passwd'))", false],
    ['insert into a values (1); insert into a values (2)', false],
  ])('a write: %s is allowed: %s', (sql, ok) => {
    expect(oneWrite(sql, 'postgresql').ok).toBe(ok)
  })

  it('T45 a write to SQLite keeps to its own file', () => {
    expect(oneWrite("insert into a values (load_extension('x'))", 'sqlite').ok).toBe(false)
    expect(oneWrite("attach 'x' as y", 'sqlite').ok).toBe(false)
    expect(oneWrite('replace into a values (1)', 'sqlite').ok).toBe(true)
  })
})

describe('the rights of a role', () => {
  const harmless = { role: 'reader', isSuperuser: false, serverRoles: [] }

  it('are few enough when it reaches no files of the server', () => {
    expect(rightsFault(harmless, { database: 'shop', mode: 'read' })).toBe(undefined)
  })

  it.each([
    [{ ...harmless, isSuperuser: true }, 'is a superuser'],
    [{ ...harmless, serverRoles: ['pg_read_server_files'] }, 'is a member of pg_read_server_files'],
  ])('S2-15 are too many otherwise, and the way to a proper role is said: %j', (rights, held) => {
    const fault = rightsFault(rights, { database: 'My shop', mode: 'read' })
    expect(fault?.detail).toContain(held)
    expect(fault?.detail).toContain('GRANT CONNECT ON DATABASE "My shop" TO agent_reader;')
    expect(fault?.message).not.toContain('reader')
  })
})
