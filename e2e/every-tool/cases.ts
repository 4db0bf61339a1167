/** One call of every tool, on real input, with what its result has to say. */
import type { WalledKind } from '../../lib/spec/walls'

export interface ToolCase {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  /** What the result says, on the page and to the model. */
  readonly sees: RegExp
  /** The kind of foreign code that it runs, or `readers` where one of ours reads what others have made. */
  readonly kind?: WalledKind
  /** What a person replies to its question. */
  readonly reply?: string
  /** The registered tool that this is one of, where it has another name. */
  readonly is?: string
}

const chart = {
  data: { name: 'sales' },
  mark: 'bar',
  encoding: {
    x: { field: 'region', type: 'nominal' },
    y: { field: 'amount', aggregate: 'sum', type: 'quantitative' },
  },
}
const data = JSON.stringify({
  items: [
    { name: 'tea', n: 1 },
    { name: 'salt', n: 4 },
  ],
})

const files: readonly ToolCase[] = [
  {
    name: 'files.create',
    args: { path: 'notes/plan.md', content: 'one\ntwo\n' },
    sees: /notes\/plan\.md/,
  },
  { name: 'files.create', args: { path: 'data.json', content: data, overwrite: true }, sees: /data\.json/ },
  { name: 'files.view', args: { path: 'notes/plan.md' }, sees: /two/ },
  {
    name: 'files.insert',
    args: { path: 'notes/plan.md', line: 1, content: 'one and a half' },
    sees: /Inserted 1 line/,
  },
  {
    name: 'files.str_replace',
    args: { path: 'notes/plan.md', old_text: 'two', new_text: 'three' },
    sees: /three/,
  },
  { name: 'files.search', args: { query: 'THREE' }, sees: /notes\/plan\.md:3/ },
  { name: 'files.get', args: { path: 'notes/plan.md' }, sees: /one and a half\s+three/ },
  { name: 'files.mkdir', args: { path: 'made' }, sees: /Made the folder made/ },
  { name: 'files.list', args: {}, sees: /made\// },
  { name: 'files.delete', args: { path: 'made' }, sees: /Deleted the folder made/ },
  { name: 'files.upload', args: { path: 'notes/plan.md', name: 'for-you.md' }, sees: /for-you\.md/ },
  {
    name: 'workspace.describe',
    args: { path: 'notes/plan.md', description: 'The plan' },
    sees: /is described/,
  },
  {
    name: 'workspace.view',
    args: { path: 'uploads/sales.xlsx', sheet: 'Sales', range: 'A1:D4' },
    sees: /Revenue/,
    kind: 'readers',
  },
]

const scripts: readonly ToolCase[] = [
  {
    name: 'javascript.run',
    args: {
      code: "const text = await files.read('uploads/sales.csv')\nreturn text.trim().split('\\n').length + ' lines'",
    },
    sees: /4 lines/,
    kind: 'javascript',
  },
  {
    name: 'shell.run',
    args: {
      script: 'tail -n +2 uploads/sales.csv | cut -d, -f1 | sort | uniq -c > regions.txt\ncat regions.txt',
    },
    sees: /2 North/,
    kind: 'shell',
  },
  {
    name: 'python.run',
    args: {
      code: "rows = load_table('uploads/sales.xlsx', 'Sales')\nprint('Read', len(rows), 'rows')\nsum(row['Revenue'] for row in rows)",
    },
    sees: /1431540/,
    kind: 'python',
  },
  { name: 'text.slugify', args: { text: 'Two Words' }, sees: /two-words/, kind: 'javascript', is: 'code' },
  { name: 'sales.total', args: { file: 'uploads/sales.csv' }, sees: /240/, kind: 'python', is: 'code' },
]

const sql = (name: string, args: object, sees: RegExp): ToolCase => ({ name, args: { ...args }, sees })
const retail = { database: 'retail' }
const wrong = 'select c.nam from customrs c'

const databases: readonly ToolCase[] = [
  sql('schema.list_tables', retail, /customers/),
  sql('schema.list_columns', { ...retail, table: 'customers' }, /primary/),
  sql('sql.execute', { ...retail, sql: 'select count(*) as n from customers' }, /800/),
  sql(
    'sql.execute',
    {
      database: 'file:uploads/sales.csv',
      sql: 'select region, sum(amount) as total from data group by region',
    },
    /160/,
  ),
  sql('sql.execute', { database: 'file:uploads/sales.xlsx', sql: 'select count(*) as n from Sales' }, /36/),
  sql('sql.validate', { ...retail, sql: 'select name\nform customers' }, /line 2/),
  sql('sql.validate_columns', { ...retail, sql: wrong }, /customers/),
  sql('sql.auto_fix_columns', { ...retail, sql: wrong }, /customers/),
  sql('sql.refine', { ...retail, sql: 'select name from customers', limit: 5 }, /LIMIT 5/i),
  sql(
    'sql.write',
    { database: 'shop', sql: "update customers set name = 'Ada' where customer_id = 1" },
    /One row was changed/,
  ),
]

/** PostgreSQL, where there is one for this machine. */
export const postgresCases: readonly ToolCase[] = [
  sql('schema.list_tables', { database: 'parcels' }, /parcel/),
  sql('schema.list_columns', { database: 'parcels', table: 'parcel' }, /city/),
  sql('sql.execute', { database: 'parcels', sql: 'select city from parcel order by id' }, /Bern/),
  sql('sql.validate', { database: 'parcels', sql: 'select city\nform parcel' }, /line 2/),
  sql(
    'sql.auto_fix_columns',
    { database: 'parcels', sql: 'select cty from parcl' },
    /select city from parcel/,
  ),
  sql(
    'sql.write',
    { database: 'parcels', sql: "update parcel set city = 'Rome' where id = 2" },
    /One row was changed/,
  ),
]

const others: readonly ToolCase[] = [
  { name: 'math.calculate', args: { expression: '2^10 + 1' }, sees: /1025/ },
  { name: 'time.now', args: { timezone: 'Europe/Berlin' }, sees: /Europe\/Berlin/ },
  {
    name: 'json.query',
    args: { path: 'data.json', expression: 'items[?n > `1`].name' },
    sees: /salt/,
    kind: 'readers',
  },
  {
    name: 'chart.render',
    args: { spec: chart, data: [{ name: 'sales', path: 'uploads/sales.csv' }], path: 'charts/sales' },
    sees: /charts\/sales\.png/,
    kind: 'readers',
  },
  {
    name: 'report.write',
    args: { title: 'Sales', content: 'North leads.\n\n![Sales](charts/sales.svg)\n', path: 'report.html' },
    sees: /report\.html/,
    kind: 'readers',
  },
  { name: 'memory.record', args: { notes: ['The person drinks green tea.'] }, sees: /Recorded 1 note/ },
  { name: 'memory.search', args: { query: 'green tea' }, sees: /drinks green tea/ },
  { name: 'knowledge.search', args: { query: 'How many days of holiday?' }, sees: /30 days/ },
  { name: 'skill.load', args: { skill: 'line-counter' }, sees: /Count the lines/ },
  {
    name: 'skill.run',
    args: { skill: 'line-counter', script: 'count.sh', args: ['uploads/sales.csv'] },
    sees: /4/,
  },
  {
    name: 'human.ask',
    args: { question: 'Which city?', choices: ['Lisbon', 'Porto'] },
    sees: /Porto/,
    reply: 'Porto',
  },
  { name: 'plan', args: { command: 'create', title: 'Trip', steps: ['Book', 'Travel'] }, sees: /Book/ },
  { name: 'helper', args: { task: 'Write the note.' }, sees: /The note is written/, is: 'agent' },
]

/** A script of a skill in Python alone: the tool is not even offered where no Python runs. */
export const scriptInPython: ToolCase = {
  name: 'skill.run',
  args: { skill: 'adder', script: 'add.py' },
  sees: /The sum is 42/,
}

/** The tools of the other set of plan verbs, which an agent has in place of `plan`. */
export const notebookCases: readonly ToolCase[] = [
  {
    name: 'create_plan',
    args: { name: 'Trip', subtasks: [{ name: 'Book' }, { name: 'Travel' }] },
    sees: /Book/,
  },
  {
    name: 'update_subtask_state',
    args: { subtask_idx: 0, state: 'in_progress' },
    sees: /Subtask 0 is in_progress/,
  },
  { name: 'view_subtasks', args: { subtask_idx: [0] }, sees: /Book/ },
  {
    name: 'finish_subtask',
    args: { subtask_idx: 0, subtask_outcome: 'Booked for Monday.' },
    sees: /Subtask 0/,
  },
  { name: 'revise_current_plan', args: { subtask_idx: 1, action: 'delete' }, sees: /The plan is revised/ },
  { name: 'finish_plan', args: { state: 'done', outcome: 'Booked.' }, sees: /The plan is done/ },
  { name: 'view_historical_plans', args: {}, sees: /id: plan_1/ },
  { name: 'recover_historical_plan', args: { plan_id: 'plan_1' }, sees: /current one again/ },
]

/** What reaches the web, all of it on loopback. */
const web = (api: string): readonly ToolCase[] => [
  { name: 'weather.get', args: { city: 'São Paulo/Sul', days: 3 }, sees: /sunny/, is: 'http' },
  { name: 'orders.add', args: { item: 'tea', count: 2 }, sees: /"order": ?17|order.*17/s, is: 'http' },
  { name: 'shop.getItem', args: { id: 7 }, sees: /Item 7/, is: 'openapi' },
  { name: 'web.fetch', args: { url: `${api}/nile` }, sees: /6,650 kilometres/, kind: 'readers' },
  { name: 'web.search', args: { query: 'long rivers' }, sees: /The Nile/ },
  {
    name: 'research.deep_search',
    args: { query: 'How long is the Nile?', maxPages: 1 },
    sees: /6,650 kilometres \[1\]/,
    kind: 'readers',
  },
]

/** Every call in the order in which it is made: later ones use files of earlier ones. */
export function casesFor(given: {
  readonly api: string
  readonly hasPostgres: boolean
}): readonly ToolCase[] {
  return [
    ...files,
    ...scripts,
    ...databases,
    ...(given.hasPostgres ? postgresCases : []),
    ...others,
    ...web(given.api),
  ]
}

/** Registered tools that have no page of their own, and why. */
export const withoutPage: Readonly<Record<string, string>> = {
  finish: 'belongs to the loop: it ends a run with its answer',
}
