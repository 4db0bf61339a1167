/**
 * A small loop and tools for tests of the demo: a real SQLite database in memory, observations in a chosen
 * form.
 */

import type { JsonObject, JsonValue } from '#lib/spec/json'
import type { CallPart, Message } from '#lib/spec/message'
import type { WireTool } from '#lib/spec/model'
import { Database, type SqliteConnection } from '#lib/sqlite/driver'
import type { ScriptedTurn } from '../scripted/turn'
import { demo } from './demo'

export type Form = 'markdown' | 'json'
type Rows = { columns: string[]; rows: JsonValue[][] }
type Answer = { text: string; isError: boolean }

export interface StandIn {
  readonly tools: readonly WireTool[]
  call(name: string, args: JsonObject): Answer
}

export function databaseTools(sql: string, form: Form = 'markdown'): StandIn {
  const database = new Database(':memory:')
  database.exec(sql)
  return toolsOver(database, form)
}

function toolsOver(database: SqliteConnection, form: Form = 'markdown'): StandIn {
  const ask = (statement: string, values: Record<string, string> = {}): Rows => {
    const prepared = database.prepare(statement).raw()
    const columns = prepared.columns().map((each) => each.name)
    return { columns, rows: prepared.all(values) as JsonValue[][] } // cast: raw rows of a database without blobs
  }
  const bodies: Record<string, (args: JsonObject) => Rows> = {
    schema_list_tables: () =>
      ask(
        "select name as 'table', 1 as rows from sqlite_master where type = 'table' and name not like 'sqlite%' order by 1",
      ),
    schema_list_columns: ({ table }) => {
      const { columns, rows } = ask(
        `select @table as 'table', name as 'column', type, case when pk > 0 then 'primary' else '' end as key,
           coalesce((select f."table" || '.' || coalesce(f."to", '') from pragma_foreign_key_list(@table) f where f."from" = c.name limit 1), '') as 'references'
         from pragma_table_info(@table) c`,
        { table: String(table) },
      )
      const first = ask(`select * from "${String(table).replaceAll('"', '""')}" limit 3`).rows
      const examples = (index: number) => [...new Set(first.map((row) => String(row[index])))].join(', ')
      return { columns: [...columns, 'examples'], rows: rows.map((row, index) => [...row, examples(index)]) }
    },
    sql_execute: ({ sql: statement }) => ask(String(statement)),
  }
  return {
    tools: [
      wireTool('schema_list_tables', 'Lists the tables of a database.', { database: { type: 'string' } }, []),
      wireTool(
        'schema_list_columns',
        'Lists the columns of a table.',
        { table: { type: 'string' }, database: { type: 'string' } },
        [],
      ),
      wireTool('sql_execute', 'Runs one read-only statement.', { sql: { type: 'string' } }, ['sql']),
    ],
    call(name, args) {
      try {
        const body = bodies[name]
        return body === undefined
          ? { text: `Error: there is no tool ${name}`, isError: true }
          : { text: drawn(body(args), form), isError: false }
      } catch (error) {
        return { text: `Error: ${error instanceof Error ? error.message : String(error)}`, isError: true }
      }
    },
  }
}

export function wireTool(
  name: string,
  description: string,
  properties: JsonObject,
  required: string[],
): WireTool {
  return {
    name,
    description,
    parameters: { type: 'object', properties: properties as Record<string, JsonObject>, required },
  } // cast: each value is a schema written in a test
}

function drawn({ columns, rows }: Rows, form: Form): string {
  if (form === 'json')
    return JSON.stringify(
      rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index] ?? '', value]))),
    )
  const cells = (row: JsonValue[]) => row.map((each) => (each === null ? 'null' : String(each)))
  const line = (row: readonly string[]) => `| ${row.map((each) => each.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(cells(row)))].join('\n')
}

export interface Played {
  readonly answer: string
  readonly turns: readonly ScriptedTurn[]
  /** The whole dialogue, for a follow-up question. */
  readonly messages: readonly Message[]
}

/** Plays the demo to its answer, or until `most` steps are used up. */
export function ask(
  question: string,
  standIn: StandIn,
  { history = [], most = 12 }: { history?: readonly Message[]; most?: number } = {},
): Played {
  const messages: Message[] = [...history, { role: 'user', text: question }]
  const turns: ScriptedTurn[] = []
  for (let step = 1; step <= most; step++) {
    const turn = demo({ step, instructions: '', messages, tools: standIn.tools })
    turns.push(turn)
    const calls = turn.calls ?? []
    const parts = calls.map(
      ({ name, args }, index): CallPart => ({
        type: 'call',
        id: `call_${messages.length}_${index}`,
        name,
        rawArgs: JSON.stringify(args),
        args,
      }),
    )
    messages.push({
      role: 'assistant',
      parts: [...(turn.text === undefined ? [] : [{ type: 'text' as const, text: turn.text }]), ...parts],
    })
    if (calls.length === 0) return { answer: turn.text ?? '', turns, messages }
    for (const { id, name, args = {} } of parts)
      messages.push({ role: 'tool', callId: id, name, ...standIn.call(name, args) })
  }
  return { answer: '', turns, messages }
}

/** Every statement that the demo sent. */
export function statements({ turns }: Played): string[] {
  return turns
    .flatMap((each) => each.calls ?? [])
    .flatMap(({ args }) => (typeof args.sql === 'string' ? [args.sql] : []))
}
