import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSql } from '#lib/sandbox/sql'
import { createWorkspace, filesPort } from '#lib/sandbox/workspace'
import { closedPorts } from '#lib/spec/ports.fixture'
import type { ToolContext, ToolOutput } from '#lib/spec/tool'
import { Database } from '#lib/sqlite/driver'
import { executeSql } from './execute-sql'
import { sqlAutoFixColumns } from './sql-auto-fix-columns'
import { sqlRefine } from './sql-refine'
import { sqlValidate } from './sql-validate'
import { sqlValidateColumns } from './sql-validate-columns'
import { sqlWrite } from './sql-write'
import { context } from './tools.fixture'

let folder = ''
const file = () => path.join(folder, 'shop.db')
const sql = createSql(
  () =>
    new Map([
      ['open', { kind: 'sqlite' as const, file: file(), isWritable: true }],
      ['shop', { kind: 'sqlite' as const, file: file(), isWritable: false }],
    ]),
)

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-sql-checks-'))
  const database = new Database(file())
  database.exec(`
    create table customers (customer_id integer primary key, name text not null, city text);
    create table invoices (invoice_id integer primary key, customer_id integer references customers, total real);
    insert into customers values (1, 'Ada', 'Bern'), (2, 'Bo', 'Oslo');
    insert into invoices with recursive s(v) as (select 1 union all select v + 1 from s where v < 300)
      select v, 1 + v % 2, v from s;`)
  database.close()
})
afterAll(() => {
  sql.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

function words(output: ToolOutput): string {
  if (output.ok !== true) return output.ok === false ? `${output.code}: ${output.message}` : 'asks'
  return output.blocks.map((each) => (each.type === 'text' ? each.text : each.type)).join('\n')
}
const shop = (statement: string) => ({ database: 'shop', sql: statement })

describe('S2-15 sql.validate', () => {
  it.each([
    ['select name, city as town from customers', 'Valid in the dialect of SQLite. It returns: name, town.'],
    ['select * form customers', 'Not valid: near "form": syntax error (line 1, column 10)'],
    [
      'select 1 as form,\n  2 form\nform customers',
      'Not valid: near "form": syntax error (line 3, column 1)',
    ],
    ['select nme\nfrom customers', 'Not valid: no such column: nme (line 1, column 8)'],
    ['select c.name from customers x\nwhere c.name = 1', 'no such column: c.name (line 1, column 8)'],
    [
      'select (select total from invoices), total from customers',
      'no such column: total (line 1, column 38)',
    ],
    ['select *\nfrom custmers', 'Not valid: no such table: custmers (line 2, column 6)'],
    ["select 'open", 'Not valid: unrecognized token'],
    ['select count(', 'incomplete input'],
    ['delete from customers', 'Not valid: Only a SELECT may run here'],
  ])('%s', async (statement, expected) => {
    expect(words(await sqlValidate.run(shop(statement), context(sql)))).toContain(expected)
  })

  it('shows the line with a mark under the place', async () => {
    expect(
      words(await sqlValidate.run(shop('select *\nfrom customers\nwhere wher name'), context(sql))),
    ).toMatch(/\nwhere wher name\n {11}\^$/)
  })

  it('refuses when there is no database to ask', async () => {
    expect(await sqlValidate.run({ database: 'gone', sql: 'select 1' }, context(sql))).toMatchObject({
      code: 'unknown_database',
    })
  })
})

describe('S2-15 names that the database does not have', () => {
  const wrong = 'select c.nam, i.totel, zzzzzz\nfrom custmers c\njoin invoices as i using (customer_id)'

  it('are listed with their places and the nearest names', async () => {
    const output = await sqlValidateColumns.run(shop(wrong), context(sql))
    expect(words(output).split('\n')).toEqual([
      '- There is no column c.nam (line 1, column 8): use c.name.',
      '- There is no column i.totel (line 1, column 15): use i.total.',
      '- There is no column zzzzzz (line 1, column 24): nothing is called like it; read the names with schema.list_columns.',
      '- There is no table custmers (line 2, column 6): use customers.',
    ])
    expect(output).toMatchObject({ metadata: { valid: false } })
  })

  it('are corrected where one name is clearly meant, and the others stay', async () => {
    expect(await sqlAutoFixColumns.run(shop(wrong), context(sql))).toMatchObject({
      metadata: {
        sql: 'select c.name, i.total, zzzzzz\nfrom customers c\njoin invoices as i using (customer_id)',
        valid: false,
      },
    })
  })

  it('are none in a valid statement', async () => {
    expect(words(await sqlValidateColumns.run(shop('select name from customers'), context(sql)))).toBe(
      'Every table and column is there.',
    )
    expect(await sqlAutoFixColumns.run(shop('select 1'), context(sql))).toMatchObject({
      metadata: { sql: 'select 1', valid: true },
    })
  })

  it('are not looked for behind a mistake of another kind', async () => {
    expect(words(await sqlValidateColumns.run(shop('select nme form customers'), context(sql)))).toContain(
      'near "customers": syntax error',
    )
  })
})

describe('S2-15 sql.refine', () => {
  it('corrects names, adds a limit, and reads the plan', async () => {
    const output = await sqlRefine.run(shop('select nme from customers order by city; -- done'), context(sql))
    expect(words(output)).toBe(
      'select name from customers order by city\nLIMIT 100\n\n- nme is now name.\n- It returns at most 100 rows.\n- It reads every row of customers.\n- It sorts all rows for ORDER BY.',
    )
  })

  it.each([
    'select name from customers limit 3',
    'select name from (select * from customers limit 5) LIMIT 3',
    'explain select 1',
  ])('adds no limit to: %s', async (statement) => {
    expect(await sqlRefine.run(shop(statement), context(sql))).toMatchObject({ metadata: { sql: statement } })
  })

  it('adds a limit where only a part has one', async () => {
    expect(await sqlRefine.run(shop('select * from (select 1 limit 5)'), context(sql))).toMatchObject({
      metadata: { sql: 'select * from (select 1 limit 5)\nLIMIT 100' },
    })
  })

  it('says what is wrong with a statement that it cannot correct', async () => {
    expect(await sqlRefine.run(shop('select zzzzzz from customers'), context(sql))).toMatchObject({
      ok: false,
      message: expect.stringContaining('There is no column zzzzzz'),
    })
  })
})

describe('sql.write', () => {
  const count = async (where: string) => {
    const found = await executeSql.run(
      { database: 'open', sql: `select count(*) from customers where ${where}` },
      context(sql),
    )
    return found.ok === true && found.blocks[0]?.type === 'table' ? found.blocks[0].rows[0]?.[0] : found
  }
  const write = (statement: string, more: object = {}) =>
    sqlWrite.run({ database: 'open', sql: statement, ...more }, context(sql))

  it('changes rows, says how many, and shows those of RETURNING', async () => {
    expect(await write("insert into customers values (3, 'Cy', 'Rome') returning name")).toMatchObject({
      ok: true,
      blocks: [{ text: 'One row was changed.' }, { type: 'table', columns: ['name'], rows: [['Cy']] }],
      metadata: { database: 'open', changed: 1 },
    })
    expect(await count("city = 'Rome'")).toBe(1)
  })

  it('undoes a statement that would change more rows than it may', async () => {
    expect(await write("update customers set city = 'Nowhere'", { limit: 2 })).toMatchObject({
      ok: false,
      code: 'too_many_rows',
      retryable: false,
    })
    expect(await count("city = 'Nowhere'")).toBe(0)
  })

  it.each([
    ['drop table customers', 'not_one_write'],
    ['select * from customers', 'not_one_write'],
    ['with x as (select 1) select * from x', 'not_one_write'],
    ['delete from customers; delete from invoices', 'not_one_write'],
    ["attach 'x.db' as x", 'not_one_write'],
    ['pragma user_version = 3', 'not_one_write'],
    ["insert into customers values (1, 'twice', '')", 'sql_error'],
    ['insert into nothing values (1)', 'sql_error'],
  ])('T45 refuses %s', async (statement, code) => {
    expect(await write(statement)).toMatchObject({ ok: false, code })
  })

  it('refuses a database that may only be read', async () => {
    expect(
      await sqlWrite.run({ database: 'shop', sql: 'delete from customers' }, context(sql)),
    ).toMatchObject({
      code: 'not_writable',
      message: expect.stringContaining('Settings'),
    })
  })

  it('asks a person first, and runs at most once', () => {
    expect(sqlWrite).toMatchObject({ asksFirst: true, risk: 'write', effect: 'effect' })
  })
})

describe('sql.execute past its limit', () => {
  it('keeps the longer answer as a CSV file for people', async () => {
    const kept: { name: string; content: string }[] = []
    const created: string[] = []
    const ports = {
      ...closedPorts,
      sql,
      artifacts: {
        keep: async (given: { name: string; mediaType: string; content: string | Uint8Array }) => {
          kept.push({ name: given.name, content: String(given.content) })
          return { id: 'a1', name: given.name, path: null, mediaType: given.mediaType, bytes: 1 }
        },
      },
    }
    const around: ToolContext = { ...context(sql), ports, created: ({ id }) => created.push(id) }
    const output = await executeSql.run(
      { database: 'shop', sql: "select invoice_id, 'a,\"b' as note from invoices order by 1", limit: 2 },
      around,
    )
    expect(words(output)).toBe(
      'table\nOnly the first 2 rows are shown; there are more. All 300 rows are kept for people as the file rows.csv.',
    )
    expect(kept[0]?.content.split('\r\n').slice(0, 2)).toEqual(['invoice_id,note', '1,"a,""b"'])
    expect(kept[0]?.content.split('\r\n')).toHaveLength(302)
    expect(created).toEqual(['a1'])
  })
})

describe('a file of the thread as a database', () => {
  const csv = 'name,amount,day\r\nAda,2.5,2024-03-01\r\nBo,4,2024-03-02\r\n'
  const around: ToolContext = {
    ...context(sql),
    ports: {
      ...closedPorts,
      sql,
      files: {
        ...closedPorts.files,
        read: async (name) =>
          name === 'orders.csv'
            ? { ok: true, value: Buffer.from(csv) }
            : { ok: false, code: 'not_found', message: `There is no file ${name}.` },
      },
    },
  }
  const database = 'file:orders.csv'

  it('is queried in SQL, with types', async () => {
    const sum = 'select sum(amount) as total, max(day) as last from data'
    expect(await executeSql.run({ database, sql: sum }, around)).toMatchObject({
      blocks: [{ columns: ['total', 'last'], rows: [[6.5, '2024-03-02']] }],
      metadata: { database },
    })
    expect(
      words(await sqlAutoFixColumns.run({ database, sql: 'select amonut from data' }, around)),
    ).toContain('select amount from data')
  })

  it.each(['delete from data', 'create table x (a)', "attach 'x' as y", 'select load_extension(1)'])(
    'T45 is never changed, and leads nowhere: %s',
    async (statement) => {
      expect(await executeSql.run({ database, sql: statement }, around)).toMatchObject({ ok: false })
    },
  )

  it('may be larger than what is read at once', async () => {
    const workspace = path.join(folder, 'workspace')
    fs.mkdirSync(workspace)
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index},a text that takes some room`)
    fs.writeFileSync(path.join(workspace, 'large.csv'), ['n,words', ...lines].join('\n'))
    const files = filesPort(createWorkspace(workspace), async () => ({
      ok: false,
      code: 'unavailable',
      message: 'Nothing is kept here.',
    }))
    const large: ToolContext = { ...context(sql), ports: { ...closedPorts, sql, files } }
    const asked = { database: 'file:large.csv', sql: 'select count(*), max(n) from data' }
    expect(await executeSql.run(asked, large)).toMatchObject({ blocks: [{ rows: [[60_000, 59_999]] }] })
  })

  it('says when the file is not there, and how a file is named', async () => {
    expect(await executeSql.run({ database: 'file:gone.csv', sql: 'select 1' }, around)).toMatchObject({
      code: 'not_found',
    })
    expect(await executeSql.run({ database: 'orders.csv', sql: 'select 1' }, around)).toMatchObject({
      message: expect.stringContaining('"file:orders.csv"'),
    })
    expect(await sqlWrite.run({ database, sql: 'delete from data' }, around)).toMatchObject({
      code: 'unknown_database',
    })
  })
})
