/**
 * Answers questions about a database step by step: list tables, read columns, find values, run one query,
 * state the figure.
 */

import type { JsonObject } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import type { ScriptedTurn } from '../scripted/turn'
import type { ValuePlace } from './filters'
import { type FollowUp, withSubject } from './follow-up'
import { likelyTables } from './mentions'
import { readRows, wasCut } from './observation'
import { argumentOf, databaseArgument, type Kit } from './offer'
import { planFor, type QueryPlan, simpler } from './plan'
import { type ReadQuestion, readQuestion } from './question'
import { say } from './say'
import { type Column, columnsIn, type Table, tableNamesIn, tableOf } from './schema'
import { probeSql, sqlOf } from './sql'
import type { Done, Trail } from './trail'
import { valuesIn } from './values'
import { listed, nameStems, wordsOf } from './words'

/** How many tables are read at once; in a larger database, the likeliest tables are read first. */
const tablesAtOnce = 12
const tablesAtMost = 36
const probedColumns = 40

interface DataKit extends Kit {
  readonly listTables: WireTool
  readonly listColumns: WireTool
}

/** Undefined if the required tools are not offered. */
export function answerFromData(trail: Trail, kit: Kit): ScriptedTurn | undefined {
  const { listTables, listColumns } = kit
  if (listTables === undefined || listColumns === undefined) return undefined
  const full: DataKit = { ...kit, listTables, listColumns }
  const listing = trail.known.findLast((each) => each.name === listTables.name && !each.isError)
  if (listing === undefined) return askForTables(trail, listTables)
  const names = tableNamesIn(listing.text)
  if (names.length === 0)
    return {
      text: `${listTables.name} names no tables, so there is nothing to ask: ${shortened(listing.text)}`,
    }
  // In a database with tables whose name contains `table`, the word refers to those.
  const aboutTables = !names.some((each) => nameStems(each).includes('table'))
  if (aboutTables && /\b(which|what|list|show|name)\b.*\btables\b/i.test(trail.question))
    return { text: `The tables are ${listed(names)}.` }
  return nextTurn({ trail, kit: full, names, listing, text: withSubject(trail) })
}

function askForTables(trail: Trail, tool: WireTool): ScriptedTurn {
  const failed = trail.done.filter((each) => each.name === tool.name)
  const [first, second] = failed
  if (first === undefined)
    return { reasoning: 'I need the tables first.', calls: [{ name: tool.name, args: {} }] }
  const database = databaseArgument(tool)
  const known = [...first.text.matchAll(/"([^"]+)"/g)]
    .map(([, name = '']) => name)
    .filter((each) => each !== first.args[database ?? ''])
  const chosen = likelyTables(wordsOf(trail.question), known)[0]
  if (second !== undefined || database === undefined || chosen === undefined)
    return { text: `I could not list the tables: ${shortened((second ?? first).text)}` }
  return {
    reasoning: `There are several databases; I try ${chosen}.`,
    calls: [{ name: tool.name, args: { [database]: chosen } }],
  }
}

/**
 * One question about one database whose tables are known. It keeps nothing between steps: everything is read
 * from the trail.
 */
interface Inquiry {
  readonly trail: Trail
  readonly kit: DataKit
  readonly names: readonly string[]
  readonly listing: Done
  readonly text: FollowUp
}

/** An inquiry that can run a query. */
interface Able extends Inquiry {
  readonly execute: WireTool
}

function nextTurn(inquiry: Inquiry): ScriptedTurn {
  const { read, unread } = columnsRead(inquiry)
  if (read.length === 0 && unread.length > 0) return askForColumns(inquiry, unread)
  const tables = read.filter((each) => each.columns.length > 0)
  if (tables.length === 0)
    return { text: `I could not read any columns: ${shortened(lastListed(inquiry)?.text ?? '')}` }
  const columnsOf = /\bcolumns\b/i.test(inquiry.trail.question)
    ? describedTable(inquiry.trail.question, tables)
    : undefined
  if (columnsOf !== undefined) return { text: columnsOf }
  const question = readQuestion(inquiry.text.whole, tables)
  if (planFor(question, []) === undefined) {
    return unread.length > 0 && read.length < tablesAtMost
      ? askForColumns(inquiry, unread)
      : { text: lost(tables) }
  }
  return query(inquiry, question, tables)
}

/** Tables whose columns have been read, and those still to read. */
function columnsRead(inquiry: Inquiry): { read: Table[]; unread: string[] } {
  const calls = inquiry.trail.known.filter((each) => each.name === inquiry.kit.listColumns.name)
  const argument = argumentOf(inquiry.kit.listColumns, /^table(_?name)?$/i) ?? 'table'
  const byTable = new Map(calls.map((each) => [each.args[argument], each]))
  const read: Table[] = []
  const unread: string[] = []
  for (const name of inquiry.names) {
    const call = byTable.get(name)
    if (call === undefined) unread.push(name)
    else read.push(tableOf(name, call.isError ? [] : columnsIn(call, name)))
  }
  return { read, unread }
}

function lastListed(inquiry: Inquiry): Done | undefined {
  return inquiry.trail.known.findLast((each) => each.name === inquiry.kit.listColumns.name)
}

function askForColumns(inquiry: Inquiry, unread: readonly string[]): ScriptedTurn {
  const few = inquiry.names.length <= tablesAtOnce
  const names = few ? unread : likelyTables(wordsOf(inquiry.text.whole), unread).slice(0, tablesAtOnce)
  const argument = argumentOf(inquiry.kit.listColumns, /^table(_?name)?$/i) ?? 'table'
  return {
    reasoning: `Now the columns of ${listed(names)}.`,
    calls: names.map((name) => ({
      name: inquiry.kit.listColumns.name,
      args: withDatabase(inquiry, inquiry.kit.listColumns, { [argument]: name }),
    })),
  }
}

function query(inquiry: Inquiry, question: ReadQuestion, tables: readonly Table[]): ScriptedTurn {
  const { execute } = inquiry.kit
  if (execute === undefined)
    return {
      text: `I have read the columns of ${listed(tables.map((each) => each.name))}, but no tool to run a query is offered here.`,
    }
  const able = { ...inquiry, execute }
  const places = placesOf(able, tables)
  if (!Array.isArray(places)) return places
  const plan = planFor(question, places)
  const sql = plan === undefined ? undefined : sqlOf(plan)
  if (plan === undefined || sql === undefined) return { text: lost(tables) }
  const tried = ran(able, sql)
  if (tried === undefined) return send(able, sql, intent(plan))
  if (!tried.isError) return { text: told(inquiry, plan, tried) }
  const smaller = simpler(plan)
  const next = sqlOf(smaller)
  const again = next === undefined || next === sql ? tried : ran(able, next)
  if (next !== undefined && again === undefined)
    return send(able, next, 'That was refused; I try a simpler query once.')
  if (again !== undefined && !again.isError) return { text: told(inquiry, smaller, again) }
  return { text: `I built a query, but it did not run: ${shortened((again ?? tried).text)}` }
}

/** The columns in which the question's values occur, or the turn that queries for them. */
function placesOf(inquiry: Able, tables: readonly Table[]): ValuePlace[] | ScriptedTurn {
  const own = valuesIn(readQuestion(inquiry.text.own, tables))
  const values =
    own.length > 0 || !inquiry.text.isFollowUp ? own : valuesIn(readQuestion(inquiry.text.whole, tables))
  const columns = tables
    .flatMap((each) => each.columns.filter((one) => one.kind === 'text'))
    .slice(0, probedColumns)
  if (values.length === 0 || columns.length === 0) return values.map((value) => ({ value, columns: [] }))
  const sql = probeSql(values, columns)
  const probe = ran(inquiry, sql, inquiry.trail.known)
  if (probe === undefined)
    return send(inquiry, sql, `I look where ${listed(values.map((each) => `"${each}"`))} stands in the data.`)
  return placesIn(probe, values, columns)
}

function told(inquiry: Inquiry, plan: QueryPlan, { text }: Done): string {
  const rows = readRows(text)
  const cut = [inquiry.listing.text, text].some(wasCut)
    ? '\n\nAn observation was cut on its way to me, so this may miss something.'
    : ''
  return rows === undefined
    ? `The query ran, but I can not read rows in what came back: ${shortened(text)}`
    : `${say(plan, rows)}${cut}`
}

function ran({ execute, trail }: Able, sql: string, calls: readonly Done[] = trail.done): Done | undefined {
  const argument = sqlArgument(execute)
  return calls.findLast((each) => each.name === execute.name && each.args[argument] === sql)
}

function send(inquiry: Able, sql: string, reasoning: string): ScriptedTurn {
  const { execute } = inquiry
  return {
    reasoning,
    calls: [{ name: execute.name, args: withDatabase(inquiry, execute, { [sqlArgument(execute)]: sql }) }],
  }
}

/** The arguments with the database that the tables were listed from, if one was named. */
function withDatabase(inquiry: Inquiry, tool: WireTool, args: JsonObject): JsonObject {
  const chosen = inquiry.listing.args[databaseArgument(inquiry.kit.listTables) ?? '']
  const argument = databaseArgument(tool)
  return argument === undefined || chosen === undefined ? args : { ...args, [argument]: chosen }
}

function lost(tables: readonly Table[]): string {
  const known = tables.map((each) => `${each.name} (${each.columns.map((one) => one.name).join(', ')})`)
  return `I am a scripted demo, no AI, and none of my rules fits that question. The database has ${listed(known)}. Ask me to count, add up, average or rank these by one of their texts, such as "How many ${tables[0]?.name ?? 'rows'} are there?"`
}

function sqlArgument(tool: WireTool): string {
  return argumentOf(tool, /^(sql|query|statement)$/i) ?? 'sql'
}

function intent({ measure, group }: QueryPlan): string {
  if (measure === undefined) return 'I know the columns; I read the rows.'
  return `I know the columns; I figure the ${measure.words}${group === undefined ? '' : ` by ${group.words}`}.`
}

function placesIn(probe: Done, values: readonly string[], columns: readonly Column[]): ValuePlace[] {
  const rows = probe.isError ? [] : (readRows(probe.text)?.rows ?? [])
  return values.map((value, index) => ({
    value,
    columns: rows.flatMap(([valueNo, columnNo]) => {
      const found = Number(valueNo) === index ? columns[Number(columnNo)] : undefined
      return found === undefined ? [] : [found]
    }),
  }))
}

function describedTable(question: string, tables: readonly Table[]): string | undefined {
  const { mentions } = readQuestion(question, tables)
  const table = mentions.find((each) => each.column === undefined)?.table
  return table === undefined
    ? undefined
    : `${table.name} has the columns ${listed(table.columns.map((each) => each.name))}.`
}

function shortened(text: string): string {
  const plain = text.replace(/^Error: /, '').trim()
  return plain.length > 400 ? `${plain.slice(0, 400)}…` : plain
}
