/** Answers questions about a database in steps: list tables, read columns, find values, run one query, say the figure. */
import type { JsonObject } from '#lib/spec/json'
import { completeQuestion } from './follow-up'
import type { Kit, KitTool } from './kit'
import { readRows, wasCut } from './observation'
import { makePlan, type QueryPlan, simplify, type ValuePlace } from './plan'
import { findValues, type ReadQuestion, readQuestion, sortLikelyFirst } from './question'
import { sayAnswer } from './say'
import { readTable, readTableNames, type Table } from './schema'
import { writeProbe, writeSql } from './sql'
import { callOne, type Steps } from './steps'
import type { Done, Trail } from './trail'
import { joinWithAnd, nameStems } from './words'

/** How many tables are read at once; in a larger database, the likeliest tables are read first. */
const tablesAtOnce = 12
const tablesAtMost = 36
const probedColumns = 40

/** Undefined if the required tools are not offered. */
export function answerFromData(trail: Trail, { listTables, listColumns, execute }: Kit): Steps | undefined {
  if (listTables === undefined || listColumns === undefined) return undefined
  return answerInSteps(trail, { listTables, listColumns, execute })
}

type Tools = Record<'listTables' | 'listColumns', KitTool> & Pick<Kit, 'execute'>

function* answerInSteps(trail: Trail, { listTables, listColumns, execute }: Tools): Steps {
  const listing = yield* findListing(trail, listTables)
  if (listing.isError) return `I could not list the tables: ${shorten(listing.text)}`
  const names = readTableNames(listing.text)
  if (names.length === 0)
    return `${listTables.name} names no tables, so there is nothing to ask: ${shorten(listing.text)}`
  // In a database with tables whose name contains `table`, the word refers to those.
  const isAboutTables = !names.some((each) => nameStems(each).includes('table'))
  if (isAboutTables && /\b(which|what|list|show|name)\b.*\btables\b/i.test(trail.question))
    return `The tables are ${joinWithAnd(names)}.`

  const whole = completeQuestion(trail)
  const database = listing.args[listTables.database ?? '']
  const argsFor = (tool: KitTool, value: string): JsonObject => ({
    [tool.argument]: value,
    ...(tool.database !== undefined && database !== undefined ? { [tool.database]: database } : {}),
  })
  const tables: Table[] = []
  let refusal = ''
  let unread = names
  let question: ReadQuestion
  do {
    const likely = sortLikelyFirst(whole, unread).slice(0, tablesAtOnce)
    const chosen = names.length <= tablesAtOnce ? unread : likely
    const results = yield {
      reasoning: `Now the columns of ${joinWithAnd(chosen)}.`,
      calls: chosen.map((each) => ({ name: listColumns.name, args: argsFor(listColumns, each) })),
    }
    results.forEach((each, index) => {
      const table = readTable(chosen[index] ?? '', each)
      if (table.columns.length > 0) tables.push(table)
      else refusal = each.text
    })
    unread = unread.filter((each) => !chosen.includes(each))
    if (tables.length === 0) return `I could not read any columns: ${shorten(refusal)}`
    question = readQuestion(whole, tables)
  } while (
    makePlan(question, []) === undefined &&
    unread.length > 0 &&
    names.length - unread.length < tablesAtMost
  )
  const own = readQuestion(trail.question, tables)
  const described = own.mentions.find((each) => each.column === undefined)?.table
  if (/\bcolumns\b/.test(own.text) && described !== undefined)
    return `${described.name} has the columns ${joinWithAnd(columnNames(described))}.`
  if (makePlan(question, []) === undefined) return sayLost(tables)
  if (execute === undefined) {
    const read = joinWithAnd(tables.map((each) => each.name))
    return `I have read the columns of ${read}, but no tool to run a query is offered here.`
  }
  const run = (sql: string, reasoning: string, isFresh: boolean) =>
    callOne(reasoning, execute.name, argsFor(execute, sql), isFresh)

  const ownValues = findValues(own)
  const places = yield* findPlaces(ownValues.length > 0 ? ownValues : findValues(question), tables, run)
  const plan = makePlan(question, places)
  if (plan === undefined || writeSql(plan) === undefined) return sayLost(tables)
  let failed = ''
  for (const each of [plan, simplify(plan)]) {
    const sql = writeSql(each)
    if (sql === undefined) break
    const reason = each === plan ? sayIntent(plan) : 'That was refused; I try a simpler query once.'
    const result = yield* run(sql, reason, true)
    if (!result.isError) return sayResult(each, result, listing)
    failed = result.text
  }
  return `I built a query, but it did not run: ${shorten(failed)}`
}

/** The tables of the only database, or of the one that the question names. */
function* findListing({ question, done }: Trail, { name, database }: KitTool): Steps<Done> {
  const first = yield* callOne('I need the tables first.', name, {})
  const isSecond = done.filter((each) => each.name === name).length > 1
  if (!first.isError || isSecond || database === undefined) return first
  // A refusal may name the databases to choose from.
  const known = [...first.text.matchAll(/"([^"]+)"/g)].flatMap(([, each]) => each ?? [])
  const [chosen] = sortLikelyFirst(
    question,
    known.filter((each) => each !== first.args[database]),
  )
  if (chosen === undefined) return first
  return yield* callOne(`There are several databases; I try ${chosen}.`, name, { [database]: chosen })
}

type Run = (sql: string, reasoning: string, isFresh: boolean) => Steps<Done>

/** The columns in which the values of the question occur. */
function* findPlaces(
  values: readonly string[],
  tables: readonly Table[],
  run: Run,
): Steps<readonly ValuePlace[]> {
  const texts = tables.flatMap((each) => each.columns).filter((each) => each.kind === 'text')
  const columns = texts.slice(0, probedColumns)
  if (values.length === 0 || columns.length === 0) return values.map((value) => ({ value, columns: [] }))
  const named = joinWithAnd(values.map((each) => `"${each}"`))
  const sql = writeProbe(values, columns)
  const { text, isError } = yield* run(sql, `I look where ${named} stands in the data.`, false)
  const rows = isError ? [] : (readRows(text)?.rows ?? [])
  return values.map((value, index) => {
    const hits = rows.filter(([valueNo]) => Number(valueNo) === index)
    return { value, columns: hits.flatMap(([, columnNo]) => columns[Number(columnNo)] ?? []) }
  })
}

function sayIntent({ measure, group }: QueryPlan): string {
  if (measure === undefined) return 'I know the columns; I read the rows.'
  return `I know the columns; I figure the ${measure.words}${group === undefined ? '' : ` by ${group.words}`}.`
}

function sayResult(plan: QueryPlan, { text }: Done, listing: Done): string {
  const rows = readRows(text)
  if (rows === undefined) return `The query ran, but I cannot read rows in what came back: ${shorten(text)}`
  const isCut = wasCut(listing.text) || wasCut(text)
  const note = '\n\nAn observation was cut on its way to me, so this may miss something.'
  return `${sayAnswer(plan, rows)}${isCut ? note : ''}`
}

function sayLost(tables: readonly Table[]): string {
  const known = tables.map((each) => `${each.name} (${columnNames(each).join(', ')})`)
  return `I am a scripted demo, no AI, and none of my rules fits that question. The database has ${joinWithAnd(known)}. Ask me to count, add up, average or rank these by one of their texts, such as "How many ${tables[0]?.name ?? 'rows'} are there?"`
}

function columnNames({ columns }: Table): string[] {
  return columns.map((each) => each.name)
}

function shorten(text: string): string {
  const plain = text.replace(/^Error: /, '').trim()
  return plain.length > 400 ? `${plain.slice(0, 400)}…` : plain
}
