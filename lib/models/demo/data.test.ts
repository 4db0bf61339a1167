import { describe, expect, test } from 'vitest'
import { Database } from '#lib/sqlite/driver'
import { shop } from './samples.fixture'
import { ask, databaseTools, type Form, type StandIn, statements, wireTool } from './stand-in.fixture'

/** The result of a query written by hand. */
function figureOf(schema: string, sql: string): unknown {
  const database = new Database(':memory:')
  database.exec(schema)
  return database.prepare(sql).raw().get()
}

describe('a question about data', () => {
  test('is planned from what tools returned: tables, then columns side by side, then one query', () => {
    const played = ask('Which country brought the most revenue, and how much?', databaseTools(shop))
    expect(played.turns.map((each) => each.calls?.map((call) => call.name))).toEqual([
      ['schema_list_tables'],
      Array(4).fill('schema_list_columns'),
      ['sql_execute'],
      undefined,
    ])
    expect(played.turns[0]?.reasoning).toBe('I need the tables first.')
    const [country, value] = figureOf(
      shop,
      `select country, sum(quantity * unit_price) from invoice_lines join invoices using (invoice_id)
       join customers using (customer_id) where is_return = 0 group by country order by 2 desc`,
    ) as [string, number]
    expect([country, value]).toEqual(['Germany', 902])
    expect(played.answer).toContain('Germany has the highest revenue: 902')
    expect(played.answer).toContain('quantity × unit_price')
    expect(played.answer).toContain('without rows where is_return is set')
  })

  test.each<[string, string]>([
    ['How many customers are there?', 'There are 4 customers.'],
    ['How many customers per country?', '- Germany: 2\n- France: 1\n- Spain: 1'],
    ['How many customers are in Germany?', 'There are 2 customers where country is Germany.'],
    ['how many customers are in germany', 'There are 2 customers where country is germany.'],
    [
      'How many customers in Germany and Spain?',
      'There are 3 customers where country is one of Germany and Spain.',
    ],
    ['How many countries are there?', 'There are 3 different values of country.'],
    [
      'Which country has the most customers?',
      'Germany has the most customers: 2, ahead of France (1) and Spain (1).',
    ],
    ['What is the average list price per category?', '- Furniture: 210\n- Light: 20.50'],
    ['What is the most expensive product?', 'Desk has the highest list price: 300'],
    ['Cheapest product', 'Lamp has the lowest list price: 20.50'],
    ['What is the highest unit price?', 'The highest unit price is 300.'],
    ['Revenue in 2024', 'The revenue in 2024 is 540.'],
    ['Revenue by year', '- 2023: 82\n- 2024: 540\n- 2025: 930.50'],
    ['Revenue since 2024', 'The revenue since 2024 is 1,470.50.'],
    ['Revenue between 2023 and 2024', 'The revenue from 2023 to 2024 is 622.'],
    ['Revenue in 2024-12', 'The revenue in 2024-12 is 240.'],
    ['Revenue before 2024', 'The revenue before 2024 is 82.'],
    ['Revenue until 2024', 'The revenue until 2024 is 622.'],
    ['Revenue after 2024', 'The revenue after 2024 is 930.50.'],
    ['Revenue by month in 2024', '- 2024-01: 300\n- 2024-12: 240'],
    ['Which customer has the most orders?', 'Ada and Ben share the most invoices: 2, ahead of Cleo (1).'],
    ['Top 2 products by revenue', '- Desk: 880\n- Chair: 570'],
    ['Who spent the most?', 'Ada has the highest revenue: 662'],
    ['How many units were sold in 2025?', 'The total quantity in 2025 is 15.'],
    ['What is the average quantity per invoice line?', 'The average quantity is 3.14.'],
    ['Which categories are there?', '- Furniture: 2\n- Light: 1'],
    ['What tables are there?', 'The tables are customers, invoice_lines, invoices and products.'],
    [
      'What columns does invoices have?',
      'invoices has the columns invoice_id, customer_id and invoice_date.',
    ],
  ])('%s', (question, expected) => {
    expect(ask(question, databaseTools(shop)).answer).toContain(expected)
  })

  test.each<Form>(['markdown', 'json'])('is answered alike when observations come as %s', (form) => {
    expect(ask('Revenue by year', databaseTools(shop, form)).answer).toContain('- 2025: 930.50')
  })

  test.each([
    ['Revenue in December 2024', 'I found no "December" in the data'],
    ['Which category has the most customers?', 'I found no way from customers to category.'],
    ['How many products by month?', 'I found no date to group by month.'],
    ['How many products were there in 2024?', 'I found no date to limit it to 2024.'],
  ])('that is understood in part says first what is missing: %s', (question, expected) => {
    expect(ask(question, databaseTools(shop)).answer).toMatch(new RegExp(`^${expected}`))
  })

  test.each(['How many returns were there?', 'What is the return rate?', 'List the customers'])(
    'that names only what no rule reads gets no figure: %s',
    (question) => {
      const { answer, turns } = ask(question, databaseTools(shop))
      expect(answer).toContain('none of my rules fits that question')
      expect(turns).toHaveLength(3)
    },
  )

  test('is not limited to what the data does not hold, and says so first', () => {
    const { answer } = ask('What is the revenue in Narnia?', databaseTools(shop))
    expect(answer).toMatch(/^I found no "Narnia" in the data, so nothing is limited to it\. The revenue is /)
  })

  test('that fits no rule is answered with what there is', () => {
    const { answer } = ask('Tell me a joke', databaseTools(shop))
    expect(answer).toContain('no AI')
    expect(answer).toContain('customers (customer_id, name, country, city)')
  })

  test('leans on the one before it, and reads nothing twice', () => {
    const standIn = databaseTools(shop)
    const first = ask('Which country brought the most revenue, and how much?', standIn)
    const second = ask('and how much in 2024?', standIn, { history: first.messages })
    expect(second.turns).toHaveLength(2)
    expect(second.answer).toContain('France has the highest revenue in 2024: 300, ahead of Germany (240).')
    const third = ask('And in Spain?', standIn, { history: second.messages })
    expect(third.answer).toContain('There are no rows for that where country is Spain')
  })
})

describe('when something goes wrong', () => {
  const failing = (standIn: StandIn, fails: (name: string, sql: string) => boolean): StandIn => ({
    tools: standIn.tools,
    call: (name, args) =>
      fails(name, String(args.sql ?? ''))
        ? { text: 'Error: the disk is on fire', isError: true }
        : standIn.call(name, args),
  })

  test('a refused query is reported in words', () => {
    const played = ask(
      'Which country brought the most revenue?',
      failing(databaseTools(shop), (name) => name === 'sql_execute'),
    )
    expect(statements(played)).toHaveLength(1)
    expect(played.answer).toBe('I built a query, but it did not run: the disk is on fire')
  })

  test.each(['schema_list_tables', 'schema_list_columns'])('a refusal of %s is reported in words', (tool) => {
    const { answer, turns } = ask(
      'How many customers are there?',
      failing(databaseTools(shop), (name) => name === tool),
    )
    expect(answer).toContain('the disk is on fire')
    expect(turns.length).toBeLessThan(4)
  })

  test('of several databases the one named is tried, and kept to', () => {
    const standIn = databaseTools(shop)
    const executes = wireTool('sql_execute', '', { sql: { type: 'string' }, database: { type: 'string' } }, [
      'sql',
    ])
    const asked: unknown[] = []
    const several: StandIn = {
      tools: [...standIn.tools.slice(0, 2), executes],
      call(name, args) {
        asked.push(args.database)
        if (args.database === 'shop') return standIn.call(name, args)
        return { text: 'Error: Name one of the databases: "hospital", "shop".', isError: true }
      },
    }
    expect(ask('How many customers does the shop have?', several).answer).toContain('There are 4 customers.')
    expect(asked).toEqual([undefined, ...Array(6).fill('shop')])
  })

  test('a cut observation is read as far as it goes, and said to be cut', () => {
    const standIn = databaseTools(shop)
    const cutting: StandIn = {
      tools: standIn.tools,
      call(name, args) {
        const { text, isError } = standIn.call(name, args)
        return name === 'sql_execute'
          ? { text: `${text.slice(0, -4)}\n... (4 more characters truncated)`, isError }
          : { text, isError }
      },
    }
    const { answer } = ask('How many customers per country?', cutting)
    expect(answer).toContain('- Germany: 2')
    expect(answer).toContain('An observation was cut')
  })

  test('without a tool for queries it says what it could read', () => {
    const { tools, call } = databaseTools(shop)
    expect(ask('How many customers are there?', { tools: tools.slice(0, 2), call }).answer).toContain(
      'no tool to run a query is offered here',
    )
  })
})

test('of a large database only the likeliest tables are read', () => {
  const many = Array.from(
    { length: 40 },
    (_, index) => `create table part${index} (part${index}_id integer primary key, size real);`,
  )
  const played = ask(
    'How many whales are there?',
    databaseTools(`${many.join('')} create table whales (id integer primary key, name text);`),
  )
  expect(played.answer).toContain('There are 0 whales.')
  expect(played.turns[1]?.calls).toHaveLength(12)
  expect(played.turns).toHaveLength(4)
})
