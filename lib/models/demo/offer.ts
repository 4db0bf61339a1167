/**
 * Finds out what each offered tool does, from the end of its name and its schema, and never from its vendor.
 */
import type { JsonSchema } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'

/** The offered tools that the demo can use. */
export interface Kit {
  readonly listTables?: WireTool
  readonly listColumns?: WireTool
  readonly execute?: WireTool
  readonly calculate?: WireTool
  readonly now?: WireTool
}

export function kitOf(tools: readonly WireTool[]): Kit {
  const find = (tail: RegExp, argument: RegExp | undefined, optional: RegExp = /^$/) =>
    tools.find((each) => tail.test(each.name) && fits(each, argument, optional))
  return given({
    listTables: find(/(^|[._-])(list|get|show)?[._-]?tables$/i, undefined, databaseName),
    listColumns: find(
      /(^|[._-])(columns|describe([._-]?table)?|table[._-]?info)$/i,
      /^table(_?name)?$/i,
      databaseName,
    ),
    execute: find(/(^|[._-])(execute|query|run|select|sql)$/i, /^(sql|query|statement)$/i, databaseName),
    calculate: find(/(^|[._-])(calc(ulate|ulator)?|evaluate|math)$/i, /^(expression|formula)$/i),
    now: find(/(^|[._-])(now|clock|current[._-]?time|get[._-]?time)$/i, undefined),
  })
}

const databaseName = /^(database|db)$/i

/** The name of the argument that selects the database, if the tool has one. */
export function databaseArgument(tool: WireTool): string | undefined {
  return Object.keys(properties(tool)).find((each) => databaseName.test(each))
}

/** The name of the first argument that takes a text and matches the pattern. */
export function argumentOf(tool: WireTool, pattern: RegExp): string | undefined {
  return Object.entries(properties(tool)).find(
    ([name, schema]) => pattern.test(name) && takesText(schema),
  )?.[0]
}

export function properties(tool: WireTool): Record<string, JsonSchema> {
  return tool.parameters.properties ?? {}
}

export function required(tool: WireTool): readonly string[] {
  return tool.parameters.required ?? []
}

function takesText(schema: JsonSchema): boolean {
  return schema.type === 'string' || (Array.isArray(schema.type) && schema.type.includes('string'))
}

/** Whether the tool has the argument and requires nothing but it and arguments that may be omitted. */
function fits(tool: WireTool, argument: RegExp | undefined, optional: RegExp): boolean {
  const name = argument === undefined ? undefined : argumentOf(tool, argument)
  if (argument !== undefined && name === undefined) return false
  return required(tool).every((each) => each === name || optional.test(each))
}

function given(kit: { [K in keyof Kit]: Kit[K] | undefined }): Kit {
  return Object.fromEntries(Object.entries(kit).filter(([, tool]) => tool !== undefined))
}
