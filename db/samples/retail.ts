/**
 * Creates the `retail` sample: customers, products, invoices and their lines over three years,
 * the same on every machine.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import { type Chances, chances } from './random'
import { categories, channels, countries, firstNames, lastNames, segments, styles } from './retail-words'

const seed = 20_230_101
const customerCount = 800
const invoiceCount = 12_000
/** Each year has a third more sales than the year before. */
const years: readonly (readonly [number, number])[] = [
  [2023, 9],
  [2024, 12],
  [2025, 16],
]

const tables = `
create table customers (
  customer_id integer primary key, name text not null, segment text not null, city text not null,
  country text not null, signup_date text not null
);
create table products (
  product_id integer primary key, name text not null, category text not null, list_price real not null
);
create table invoices (
  invoice_id integer primary key, customer_id integer not null references customers(customer_id),
  invoice_date text not null, channel text not null
);
create table invoice_lines (
  line_id integer primary key, invoice_id integer not null references invoices(invoice_id),
  product_id integer not null references products(product_id), quantity integer not null,
  unit_price real not null, is_returned integer not null
);`

/** Created after the rows, which is faster than updating them with every row. */
const indexes = [
  'create index invoices_by_customer on invoices(customer_id)',
  'create index invoices_by_date on invoices(invoice_date)',
  'create index lines_by_invoice on invoice_lines(invoice_id)',
  'create index lines_by_product on invoice_lines(product_id)',
]

interface Customer {
  readonly id: number
  readonly mostOfOne: number
  /** How often the customer buys, compared with the others. */
  readonly visits: number
}

interface Product {
  readonly id: number
  /** Prices are whole quarters, which binary fractions represent exactly, so sums are exact to the cent. */
  readonly quarters: number
}

/**
 * Writes the database to `file` completely or not at all: anyone who reads or creates it at the same time
 * sees no file or the whole one.
 * Yields to other work between slices.
 */
export async function makeRetail(file: string): Promise<void> {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const draft = `${file}.${randomUUID()}.new`
  try {
    const database = new Database(draft)
    try {
      // An incomplete draft is deleted, so no journal is needed.
      database.pragma('journal_mode = off')
      database.pragma('synchronous = off')
      await fill(database)
    } finally {
      database.close()
    }
    fs.renameSync(draft, file)
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

async function fill(database: SqliteConnection): Promise<void> {
  const chance = chances(seed)
  database.exec(`begin; ${tables}`)
  const products = addProducts(database, chance)
  const customers = addCustomers(database, chance)
  await addInvoices(database, { chance, products, customers })
  for (const index of indexes) {
    database.exec(index)
    await nextTurn()
  }
  database.exec('commit')
}

function addProducts(database: SqliteConnection, chance: Chances): Product[] {
  const insert = database.prepare('insert into products values (?, ?, ?, ?)')
  const products: Product[] = []
  for (const [category, least, most, things] of categories) {
    for (const thing of things) {
      for (const style of styles) {
        const product = { id: products.length + 1, quarters: chance.whole(least, most) }
        insert.run(product.id, `${style} ${thing}`, category, product.quarters / 4)
        products.push(product)
      }
    }
  }
  return products
}

function addCustomers(database: SqliteConnection, chance: Chances): Customer[] {
  const insert = database.prepare('insert into customers values (?, ?, ?, ?, ?, ?)')
  return Array.from({ length: customerCount }, (_, index) => {
    const id = index + 1
    const [country, , cities] = chance.weighted(countries.map((each) => [each, each[1]]))
    const [segment, , mostOfOne] = chance.weighted(segments.map((each) => [each, each[1]]))
    const signup = dateOf(2020 + chance.whole(0, 2), chance)
    insert.run(
      id,
      `${chance.one(firstNames)} ${chance.one(lastNames)}`,
      segment,
      chance.one(cities),
      country,
      signup,
    )
    return { id, mostOfOne, visits: chance.whole(1, 9) }
  })
}

interface Sales {
  readonly chance: Chances
  readonly products: readonly Product[]
  readonly customers: readonly Customer[]
}

async function addInvoices(
  database: SqliteConnection,
  { chance, products, customers }: Sales,
): Promise<void> {
  const invoice = database.prepare('insert into invoices values (?, ?, ?, ?)')
  const line = database.prepare('insert into invoice_lines values (?, ?, ?, ?, ?, ?)')
  const dates = invoiceDates(chance)
  const buyers = customers.flatMap((each) => Array.from({ length: each.visits }, () => each))
  let lines = 0
  for (const [index, date] of dates.entries()) {
    const id = index + 1
    const buyer = chance.one(buyers)
    invoice.run(id, buyer.id, date, chance.weighted(channels))
    for (let left = chance.whole(1, 8); left > 0; left -= 1) {
      lines += 1
      const product = chance.one(products)
      // Sometimes a product is sold slightly below its list price.
      const quarters =
        chance.next() < 0.2 ? Math.max(1, Math.floor(product.quarters * 0.9)) : product.quarters
      const returned = chance.next() < 0.06 ? 1 : 0
      line.run(lines, id, product.id, chance.whole(1, buyer.mostOfOne), quarters / 4, returned)
    }
    if (id % 200 === 0) await nextTurn()
  }
}

/** Oldest first. */
function invoiceDates(chance: Chances): string[] {
  return Array.from({ length: invoiceCount }, () => dateOf(chance.weighted(years), chance)).sort()
}

/** The last two months of a year have twice the sales. */
const months = Array.from({ length: 12 }, (_, index) => [index + 1, index >= 10 ? 2 : 1] as const)

/** A date such as `2024-11-05`. */
function dateOf(year: number, chance: Chances): string {
  const month = chance.weighted(months)
  const day = chance.whole(1, new Date(Date.UTC(year, month, 0)).getUTCDate())
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
