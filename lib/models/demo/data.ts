/** Answers questions about a database in steps: list tables, read columns, find values, run one query, say the figure. */
import { completeQuestion } from './follow-up'
import type { Kit, KitTool } from './kit'
import { readRows, wasCut } from './observation'
import { makePlan, type QueryPlan, type ValuePlace } from './plan'
import { findValues, readQuestion, sortLikelyFirst } from './question'
import { sayAnswer } from './say'
import { readTable, readTableNames, type SqlTable } from './schema'
import { writeProbe, writeSql } from './sql'
import { callOne, type NeededCall, type Steps } from './steps'
import type { Done, Trail } from './trail'
import { joinWithAnd, nameStems } from './words'

/** How many tables are read; of a larger database, the likeliest. */
const tablesAtMost = 12
const probedColumns = 40

/** Sends a statement; with `isFresh`, even if an earlier question had it answered. */
type RunSql = (sql: string, reasoning: string, isFresh: boolean) => Steps<Done>

export function* answerFromData(
  trail: Trail,
  { listTables, listColumns, execute }: Record<'listTables' | 'listColumns', KitTool> & Pick<Kit, 'execute'>,
): Steps {
  const listing = yield* findListing(trail, listTables)
  if (listing.isError) return `I could not list the tables: ${shorten(listing.text)}`
  const names = readTableNames(listing.text)
  if (names.length === 0)
    return `${listTables.name} names no tables, so there is nothing to ask: ${shorten(listing.text)}`
  // In a database with tables whose name contains `table`, the word refers to those.
  const isAboutTables = !names.some((each) => nameStems(each).includes('table'))
  if (isAboutTables && /\b(which|what|list|show|name)\b.*\btables\b/i.test(trail.question))
    return `The tables are ${joinWithAnd(names)}.`

  const database = listing.args[listTables.database ?? '']
  const callOf = (tool: KitTool, value: string): NeededCall => {
    const chosen = tool.database === undefined || database === undefined ? {} : { [tool.database]: database }
    return { name: tool.name, args: { [tool.argument]: value, ...chosen } }
  }
  const whole = completeQuestion(trail)
  const chosen = names.length > tablesAtMost ? sortLikelyFirst(whole, names).slice(0, tablesAtMost) : names
  const reasoning = `Now the columns of ${joinWithAnd(chosen)}.`
  const results = yield { reasoning, calls: chosen.map((each) => callOf(listColumns, each)) }
  const read = results.map((each, index) => readTable(chosen[index] ?? '', each))
  const tables = read.filter((each) => each.columns.length > 0)
  if (tables.length === 0) return `I could not read any columns: ${shorten(results[0]?.text ?? '')}`
  const own = readQuestion(trail.question, tables)
  const described = own.mentions.find((each) => each.column === undefined)?.table
  if (/\bcolumns\b/.test(own.text) && described !== undefined)
    return `${described.name} has the columns ${joinWithAnd(columnNames(described))}.`

  const question = readQuestion(whole, tables)
  if (makePlan(question, []) === undefined) return sayLost(tables)
  if (execute === undefined)
    return `I have read the columns of ${joinWithAnd(tables.map((each) => each.name))}, but no tool to run a query is offered here.`
  const run: RunSql = (sql, reasoning, isFresh) => callOne(reasoning, callOf(execute, sql), isFresh)
  const values = findValues(own)
  const places = yield* findPlaces(values.length > 0 ? values : findValues(question), tables, run)
  const plan = makePlan(question, places)
  return plan === undefined ? sayLost(tables) : yield* runPlan(plan, run, wasCut(listing.text))
}

/** The tables of the only database, or of the one that the question names. */
function* findListing({ question, done }: Trail, { name, database }: KitTool): Steps<Done> {
  const first = yield* callOne('I need the tables first.', { name, args: {} })
  const isSecond = done.filter((each) => each.name === name).length > 1
  if (!first.isError || isSecond || database === undefined) return first
  // A refusal may name the databases to choose from.
  const known = [...first.text.matchAll(/"([^"]+)"/g)].flatMap(([, each]) => each ?? [])
  const [chosen] = sortLikelyFirst(question, known)
  if (chosen === undefined) return first
  return yield* callOne(`There are several databases; I try ${chosen}.`, {
    name,
    args: { [database]: chosen },
  })
}

/** The columns in which the values of the question occur. */
function* findPlaces(
  values: readonly string[],
  tables: readonly SqlTable[],
  run: RunSql,
): Steps<readonly ValuePlace[]> {
  const texts = tables.flatMap((each) => each.columns).filter((each) => each.kind === 'text')
  const columns = texts.slice(0, probedColumns)
  if (values.length === 0 || columns.length === 0) return values.map((value) => ({ value, columns: [] }))
  const named = joinWithAnd(values.map((each) => `"${each}"`))
  const sql = writeProbe(values, columns)
  const { text, isError } = yield* run(sql, `I look for ${named} in the data.`, false)
  const rows = isError ? [] : (readRows(text)?.rows ?? [])
  return values.map((value, index) => {
    const hits = rows.filter(([valueNo]) => Number(valueNo) === index)
    return { value, columns: hits.flatMap(([, columnNo]) => columns[Number(columnNo)] ?? []) }
  })
}

/** `isCut`: whether some tables may be unknown. */
function* runPlan(plan: QueryPlan, run: RunSql, isCut: boolean): Steps {
  const { text, isError } = yield* run(writeSql(plan), sayIntent(plan), true)
  if (isError) return `I built a query, but it did not run: ${shorten(text)}`
  const rows = readRows(text)
  if (rows === undefined) return `The query ran, but I cannot read rows in what came back: ${shorten(text)}`
  const note = '\n\nAn observation was cut on its way to me, so this may miss something.'
  return `${sayAnswer(plan, rows)}${isCut || wasCut(text) ? note : ''}`
}

function sayIntent({ measure, group }: QueryPlan): string {
  return `I know the columns; I figure the ${measure.words}${group === undefined ? '' : ` by ${group.words}`}.`
}

function sayLost(tables: readonly SqlTable[]): string {
  const known = tables.map((each) => `${each.name} (${columnNames(each).join(', ')})`)
  return `I am a scripted demo, no AI, and none of my rules fits that question. The database has ${joinWithAnd(known)}. Ask me to count, add up, average or rank these by one of their texts, such as "How many ${tables[0]?.name ?? 'rows'} are there?"`
}

function columnNames({ columns }: SqlTable): string[] {
  return columns.map((each) => each.name)
}

function shorten(text: string): string {
  const plain = text.replace(/^Error: /, '').trim()
  return plain.length > 400 ? `${plain.slice(0, 400)}…` : plain
}
