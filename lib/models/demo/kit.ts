/** Finds out what each offered tool does, from the end of its name and its schema, and never from its vendor. */
import type { WireTool } from '#lib/spec/model'

/** A tool whose purpose is known. */
export interface KitTool {
  readonly name: string
  /** The name of the argument that the demo fills; empty if the tool has none. */
  readonly argument: string
  /** The name of the argument that selects the database, if the tool has one. */
  readonly database: string | undefined
}

/** The offered tools that the demo can use. */
export interface Kit {
  readonly listTables: KitTool | undefined
  readonly listColumns: KitTool | undefined
  readonly execute: KitTool | undefined
  readonly calculate: KitTool | undefined
  /** Its argument, a time zone, may be omitted. */
  readonly now: KitTool | undefined
}

export function findKit(tools: readonly WireTool[]): Kit {
  const find = (name: RegExp, argument?: RegExp, isOptional = false) => {
    const named = tools.filter((each) => name.test(each.name))
    return named.flatMap((each) => readTool(each, argument, isOptional))[0]
  }
  return {
    listTables: find(/(^|[._-])(list|get|show)?[._-]?tables$/i),
    listColumns: find(/(^|[._-])(columns|describe([._-]?table)?|table[._-]?info)$/i, /^table(_?name)?$/i),
    execute: find(/(^|[._-])(execute|query|run|select|sql)$/i, /^(sql|query|statement)$/i),
    calculate: find(/(^|[._-])(calc(ulate|ulator)?|evaluate|math)$/i, /^(expression|formula)$/i),
    now: find(/(^|[._-])(now|clock|current[._-]?time|get[._-]?time)$/i, /zone|^tz$/i, true),
  }
}

/** Nothing if the tool lacks the argument, or requires more than it and a database. */
function readTool(
  { name, parameters }: WireTool,
  pattern: RegExp | undefined,
  isOptional: boolean,
): KitTool[] {
  const takesText = (argument: string) => [parameters.properties?.[argument]?.type].flat().includes('string')
  const names = Object.keys(parameters.properties ?? {})
  const argument = names.find((each) => pattern?.test(each) && takesText(each))
  const database = names.find((each) => /^(database|db)$/i.test(each))
  const isLacking = pattern !== undefined && argument === undefined && !isOptional
  const needs = (parameters.required ?? []).filter((each) => each !== database)
  const isKnown = needs.every((each) => each === argument && !isOptional)
  return isLacking || !isKnown ? [] : [{ name, argument: argument ?? '', database }]
}
