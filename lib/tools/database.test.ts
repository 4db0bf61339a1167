import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSql } from '#lib/sandbox/sql'
import type { ToolOutput } from '#lib/spec/tool'
import { Database } from '#lib/sqlite/driver'
import { executeSql } from './execute-sql'
import { listColumns } from './list-columns'
import { listTables } from './list-tables'
import { context, recordedSql } from './tools.fixture'

let folder = ''
const sql = createSql(() => new Map([['shop', path.join(folder, 'shop.db')]]))

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-tools-'))
  const database = new Database(path.join(folder, 'shop.db'))
  database.exec(`
    create table "odd ""name" (id integer primary key, note text);
    create table author (author_id integer primary key, name text not null);
    create table book (book_id integer primary key, author_id integer references author(author_id), title text, price real);
    insert into author values (1, 'Ada'), (2, 'Bo');
    insert into book values (1, 1, 'One', 9.5), (2, 1, 'Two', null), (3, 2, '${'long '.repeat(20)}', 4);
    create view cheap as select * from book where price < 5;`)
  database.close()
})
afterAll(() => {
  sql.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function table(output: ToolOutput): unknown {
  return output.ok === true && output.blocks[0]?.type === 'table'
    ? [output.blocks[0].columns, ...output.blocks[0].rows]
    : output
}

describe('schema.list_tables', () => {
  it('S2-15 lists tables with their rows, and views without', async () => {
    expect(table(await listTables.run({}, context(sql)))).toEqual([
      ['table', 'kind', 'rows'],
      ['author', 'table', 2],
      ['book', 'table', 3],
      ['cheap', 'view', null],
      ['odd "name', 'table', 0],
    ])
  })

  it('asks which database when there are several, and names them', async () => {
    const several = recordedSql(['a', 'b'], () => ({ ok: false, code: 'sql_error', message: 'never asked' }))
    expect(await listTables.run({}, context(several))).toEqual({
      ok: false,
      code: 'unknown_database',
      message: 'Name one of the databases: "a", "b".',
    })
    expect(await listTables.run({ database: 'c' }, context(several))).toMatchObject({
      message: 'There is no database "c". Registered: "a", "b".',
    })
    expect(
      await listTables.run(
        {},
        context(recordedSql([], () => ({ ok: false, code: 'sql_error', message: '' }))),
      ),
    ).toMatchObject({
      message: 'No database is registered.',
    })
    expect(several.asked).toEqual([])
  })

  it('still gives the names when counting takes too long', async () => {
    const slow = recordedSql(['a'], ({ sql: text }) =>
      text.includes('count(*)')
        ? { ok: false, code: 'timeout', message: 'late' }
        : { ok: true, value: { columns: [], rows: [['big', 'table']], truncated: false } },
    )
    expect(table(await listTables.run({}, context(slow)))).toEqual([
      ['table', 'kind', 'rows'],
      ['big', 'table', null],
    ])
  })
})

describe('schema.list_columns', () => {
  it('S2-15 tells type, key, reference and a few values', async () => {
    const long = `${'long '.repeat(8)}…`
    expect(table(await listColumns.run({ table: 'BOOK' }, context(sql)))).toEqual([
      ['table', 'column', 'type', 'key', 'references', 'examples'],
      ['book', 'book_id', 'INTEGER', 'primary', '', '1, 2, 3'],
      ['book', 'author_id', 'INTEGER', '', 'author.author_id', '1, 2'],
      ['book', 'title', 'TEXT', '', '', `One, Two, ${long}`],
      ['book', 'price', 'REAL', '', '', '9.5, NULL, 4'],
    ])
  })

  it('tells several tables at once, or all of them', async () => {
    const names = async (args: { tables?: string[] }) => {
      const output = await listColumns.run(args, context(sql))
      return output.ok === true && output.blocks[0]?.type === 'table'
        ? [...new Set(output.blocks[0].rows.map(([name]) => name))]
        : output
    }
    expect(await names({ tables: ['book', 'author', 'book'] })).toEqual(['book', 'author'])
    expect(await names({})).toEqual(['author', 'book', 'cheap', 'odd "name'])
  })

  it('describes the first twenty of many tables, and says so', async () => {
    const rows = Array.from({ length: 25 }, (_, index) => [`t${index}`, 'table'])
    const many = recordedSql(['a'], ({ sql: text }) => ({
      ok: true,
      value: { columns: [], rows: text.includes('pragma_table_list') ? rows : [], truncated: false },
    }))
    expect(await listColumns.run({}, context(many))).toMatchObject({
      ok: true,
      blocks: [
        { type: 'table' },
        { text: 'Only the first 20 of 25 tables are described; name others in "tables".' },
      ],
    })
    expect(many.asked).toHaveLength(41)
  })

  it('names the tables there are when one is unknown', async () => {
    expect(await listColumns.run({ table: 'books' }, context(sql))).toEqual({
      ok: false,
      code: 'unknown_table',
      message: 'There is no table "books". Tables: author, book, cheap, odd "name.',
    })
  })
})

describe('sql.execute', () => {
  it('gives rows, and says when there are more', async () => {
    const all = await executeSql.run({ sql: 'select name from author' }, context(sql))
    expect(all).toMatchObject({
      blocks: [{ type: 'table', columns: ['name'], rows: [['Ada'], ['Bo']] }],
      metadata: { rows: 2, truncated: false },
    })
    const some = await executeSql.run({ sql: 'select name from author', limit: 1 }, context(sql))
    expect(some).toMatchObject({
      ok: true,
      blocks: [{ rows: [['Ada']] }, { text: 'Only the first 1 row is shown; there are more.' }],
    })
  })

  it('S2-15 refuses to write, with the reason', async () => {
    expect(await executeSql.run({ sql: "update author set name = 'x'" }, context(sql))).toEqual({
      ok: false,
      code: 'not_one_read',
      message: 'Only a SELECT may run here, and this begins with "UPDATE".',
    })
  })
})
