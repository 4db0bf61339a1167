/** Answers questions about a database in steps: list tables, read columns, find values, run one query, say the figure. */
import type { JsonValue } from '#lib/spec/json'
import type { ScriptedTurn } from '../scripted/turn'
import { completeQuestion } from './follow-up'
import type { Kit, KitTool } from './kit'
import { readRows, wasCut } from './observation'
import { makePlan, type QueryPlan, simplify, type ValuePlace } from './plan'
import { findValues, type ReadQuestion, readQuestion, sortLikelyFirst } from './question'
import { sayAnswer } from './say'
import { readTable, readTableNames, type Table } from './schema'
import { writeProbe, writeSql } from './sql'
import type { Done, Trail } from './trail'
import { joinWithAnd, nameStems } from './words'

/** How many tables are read at once; in a larger database, the likeliest tables are read first. */
const tablesAtOnce = 12
const tablesAtMost = 36
const probedColumns = 40

/** One question about one database whose tables are known. Everything is read from the trail again in each step. */
interface Inquiry {
  readonly trail: Trail
  readonly listColumns: KitTool
  readonly execute: KitTool | undefined
  readonly listing: Done
  /** The database that the tables were listed from, if one was named. */
  readonly database: JsonValue | undefined
  /** The names of the tables. */
  readonly names: readonly string[]
  /** The question, completed with the one before it. */
  readonly question: string
}

/** Undefined if the required tools are not offered. */
export function answerFromData(trail: Trail, kit: Kit): ScriptedTurn | undefined {
  const { listTables, listColumns, execute } = kit
  if (listTables === undefined || listColumns === undefined) return undefined
  const listing = trail.known.findLast((each) => each.name === listTables.name && !each.isError)
  if (listing === undefined) return askForTables(trail, listTables)
  const names = readTableNames(listing.text)
  if (names.length === 0)
    return {
      text: `${listTables.name} names no tables, so there is nothing to ask: ${shorten(listing.text)}`,
    }
  // In a database with tables whose name contains `table`, the word refers to those.
  const isAboutTables = !names.some((each) => nameStems(each).includes('table'))
  if (isAboutTables && /\b(which|what|list|show|name)\b.*\btables\b/i.test(trail.question))
    return { text: `The tables are ${joinWithAnd(names)}.` }
  const database = listing.args[listTables.database ?? '']
  const question = completeQuestion(trail)
  return answerFromTables({ trail, listColumns, execute, listing, database, names, question })
}

function askForTables({ done, question }: Trail, { name, database }: KitTool): ScriptedTurn {
  const [first, second] = done.filter((each) => each.name === name)
  if (first === undefined) return { reasoning: 'I need the tables first.', calls: [{ name, args: {} }] }
  // A refusal may name the databases to choose from.
  const known = [...first.text.matchAll(/"([^"]+)"/g)].flatMap(([, each]) => each ?? [])
  const [chosen] = sortLikelyFirst(
    question,
    known.filter((each) => each !== first.args[database ?? '']),
  )
  if (second !== undefined || database === undefined || chosen === undefined)
    return { text: `I could not list the tables: ${shorten((second ?? first).text)}` }
  return {
    reasoning: `There are several databases; I try ${chosen}.`,
    calls: [{ name, args: { [database]: chosen } }],
  }
}

function answerFromTables(inquiry: Inquiry): ScriptedTurn {
  const { trail, listColumns, names } = inquiry
  const calls = trail.known.filter((each) => each.name === listColumns.name)
  const byTable = new Map(calls.map((each) => [each.args[listColumns.argument], each]))
  const unread = names.filter((each) => !byTable.has(each))
  if (unread.length === names.length) return askForColumns(inquiry, unread)
  const tables = names
    .flatMap((name) => [byTable.get(name) ?? []].flat().map((call) => readTable(name, call)))
    .filter((each) => each.columns.length > 0)
  if (tables.length === 0)
    return { text: `I could not read any columns: ${shorten(calls.at(-1)?.text ?? '')}` }
  const own = readQuestion(trail.question, tables)
  const described = own.mentions.find((each) => each.column === undefined)?.table
  if (/\bcolumns\b/.test(own.text) && described !== undefined)
    return { text: `${described.name} has the columns ${joinWithAnd(columnNames(described))}.` }
  const question = readQuestion(inquiry.question, tables)
  if (makePlan(question, []) !== undefined) return answerByQuery(inquiry, question, findValues(own))
  const readsMore = unread.length > 0 && names.length - unread.length < tablesAtMost
  return readsMore ? askForColumns(inquiry, unread) : { text: sayLost(tables) }
}

function askForColumns(inquiry: Inquiry, unread: readonly string[]): ScriptedTurn {
  const { names, question, listColumns } = inquiry
  const likely = sortLikelyFirst(question, unread).slice(0, tablesAtOnce)
  const chosen = names.length <= tablesAtOnce ? unread : likely
  return {
    reasoning: `Now the columns of ${joinWithAnd(chosen)}.`,
    calls: chosen.map((each) => callOf(listColumns, each, inquiry)),
  }
}

/** `values` are those of the question itself, without the one before it. */
function answerByQuery(inquiry: Inquiry, question: ReadQuestion, values: readonly string[]): ScriptedTurn {
  const { execute } = inquiry
  const { tables } = question
  if (execute === undefined) {
    const names = joinWithAnd(tables.map((each) => each.name))
    return { text: `I have read the columns of ${names}, but no tool to run a query is offered here.` }
  }
  const wanted = values.length > 0 ? values : findValues(question)
  const columns = tables.flatMap((each) => each.columns).filter((each) => each.kind === 'text')
  const probed = columns.slice(0, probedColumns)
  const probe = writeProbe(wanted, probed)
  const isProbed = wanted.length > 0 && probed.length > 0
  const found = isProbed ? findRun(inquiry.trail.known, execute, probe) : undefined
  if (isProbed && found === undefined) {
    const names = joinWithAnd(wanted.map((each) => `"${each}"`))
    return send(inquiry, execute, probe, `I look where ${names} stands in the data.`)
  }
  const rows = found === undefined || found.isError ? [] : (readRows(found.text)?.rows ?? [])
  const places = wanted.map((value, index): ValuePlace => {
    const hits = rows.filter(([valueNo]) => Number(valueNo) === index)
    return { value, columns: hits.flatMap(([, columnNo]) => probed[Number(columnNo)] ?? []) }
  })
  const plan = makePlan(question, places)
  if (plan === undefined || writeSql(plan) === undefined) return { text: sayLost(tables) }
  return runPlan(inquiry, execute, plan)
}

function runPlan(inquiry: Inquiry, execute: KitTool, plan: QueryPlan): ScriptedTurn {
  let failed = ''
  for (const each of [plan, simplify(plan)]) {
    const sql = writeSql(each)
    if (sql === undefined) break
    const result = findRun(inquiry.trail.done, execute, sql)
    if (result === undefined) {
      const reason = each === plan ? sayIntent(plan) : 'That was refused; I try a simpler query once.'
      return send(inquiry, execute, sql, reason)
    }
    if (!result.isError) return { text: sayResult(each, result, inquiry.listing) }
    failed = result.text
  }
  return { text: `I built a query, but it did not run: ${shorten(failed)}` }
}

function findRun(calls: readonly Done[], { name, argument }: KitTool, sql: string): Done | undefined {
  return calls.findLast((each) => each.name === name && each.args[argument] === sql)
}

function send(inquiry: Inquiry, execute: KitTool, sql: string, reasoning: string): ScriptedTurn {
  return { reasoning, calls: [callOf(execute, sql, inquiry)] }
}

function callOf({ name, argument, database }: KitTool, value: string, inquiry: Inquiry) {
  const isNamed = database !== undefined && inquiry.database !== undefined
  return { name, args: { [argument]: value, ...(isNamed ? { [database]: inquiry.database } : {}) } }
}

function sayIntent({ measure, group }: QueryPlan): string {
  if (measure === undefined) return 'I know the columns; I read the rows.'
  return `I know the columns; I figure the ${measure.words}${group === undefined ? '' : ` by ${group.words}`}.`
}

function sayResult(plan: QueryPlan, { text }: Done, listing: Done): string {
  const rows = readRows(text)
  if (rows === undefined) return `The query ran, but I can not read rows in what came back: ${shorten(text)}`
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
