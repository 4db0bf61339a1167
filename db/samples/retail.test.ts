import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { makeRetail } from './retail'

let folder = ''
let file = ''

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-retail-'))
  file = path.join(folder, 'deep', 'retail.db')
  await makeRetail(file)
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function read<T>(use: (database: SqliteConnection) => T, from = file): T {
  const database = new Database(from, { readonly: true })
  try {
    return use(database)
  } finally {
    database.close()
  }
}

function contentHash(from: string): string {
  return read((database) => {
    const hash = createHash('sha256')
    for (const table of ['customers', 'products', 'invoices', 'invoice_lines']) {
      for (const row of database.prepare(`select * from ${table} order by 1`).raw().iterate())
        hash.update(JSON.stringify(row))
    }
    return hash.digest('hex')
  }, from)
}

describe('the retail sample', { timeout: 30_000 }, () => {
  it('is large enough, over three years, in twelve countries, with returns', () => {
    const [counts] = read((database) =>
      database
        .prepare(
          `select (select count(*) from customers) customers, (select count(*) from products) products,
            (select count(*) from invoices) invoices, (select count(*) from invoice_lines) lines,
            (select count(distinct country) from customers) countries, (select min(invoice_date) from invoices) first,
            (select max(invoice_date) from invoices) last, (select sum(is_returned) from invoice_lines) returned`,
        )
        .all(),
    )
    expect(counts).toEqual({
      customers: 800,
      products: 200,
      invoices: 12_000,
      lines: expect.any(Number),
      countries: 12,
      first: '2023-01-01',
      last: '2025-12-31',
      returned: expect.any(Number),
    })
    const { lines, returned } = counts as { lines: number; returned: number }
    expect(lines).toBeGreaterThanOrEqual(50_000)
    expect(returned / lines).toBeCloseTo(0.06, 2)
  })

  it('keeps every key it promises', () => {
    expect(read((database) => database.pragma('foreign_key_check'))).toEqual([])
    expect(read((database) => database.pragma('integrity_check'))).toEqual([{ integrity_check: 'ok' }])
    expect(read((database) => database.pragma('foreign_key_list(invoice_lines)'))).toHaveLength(2)
  })

  it('is the same on every machine', () => {
    expect(contentHash(file)).toBe('d5d10a7c0a23516adaec560526a69079c5b7e1342f9a3f13b8b0989ea8fc265e')
  })

  it('brought the most revenue in one country, by a clear lead', () => {
    const rows = read((database) =>
      database
        .prepare(
          `select country, sum(quantity * unit_price) from invoice_lines join invoices using (invoice_id)
           join customers using (customer_id) where is_returned = 0 group by country order by 2 desc limit 2`,
        )
        .raw()
        .all(),
    )
    expect(rows).toEqual([
      ['Germany', 3_734_218.75],
      ['United Kingdom', 3_318_598.5],
    ])
  })

  it('can be made by two at once, and leaves nothing beside it', async () => {
    const shared = path.join(folder, 'shared', 'retail.db')
    await Promise.all([makeRetail(shared), makeRetail(shared)])
    expect(fs.readdirSync(path.dirname(shared))).toEqual(['retail.db'])
    expect(contentHash(shared)).toBe(contentHash(file))
  })

  it('leaves nothing behind when it can not be written', async () => {
    const folderInTheWay = path.join(folder, 'taken')
    fs.mkdirSync(path.join(folderInTheWay, 'retail.db', 'full'), { recursive: true })
    await expect(makeRetail(path.join(folderInTheWay, 'retail.db'))).rejects.toThrow()
    expect(fs.readdirSync(folderInTheWay)).toEqual(['retail.db'])
  })
})
