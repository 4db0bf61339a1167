/** Recognises a whole call in the formats of services, logs and people, as opposed to arguments alone. */
import { isObject, type JsonObject, type JsonValue, tryParseJson } from '#lib/spec/json'

export interface PastedCall {
  readonly tool: string
  /** The arguments as text: as a model wrote them, or formatted. */
  readonly text: string
}

const argumentKeys = ['arguments', 'args', 'input', 'parameters', 'rawArgs'] as const
/** Other keys that a call may have. */
const besideKeys = new Set(['id', 'wireId', 'type', 'index', 'call_id', 'callId', 'status', 'result'])

/** Null for a value that is not a call; it is then read as arguments. */
export function pastedCall(value: JsonValue | undefined): PastedCall | null {
  if (Array.isArray(value)) return value.length === 1 ? pastedCall(value[0]) : null
  if (value === undefined || !isObject(value)) return null
  if (value.tool_calls !== undefined) return pastedCall(value.tool_calls)
  if (isObject(value.function)) return pastedCall(value.function)
  const { name, tool, ...rest } = value
  const called = typeof name === 'string' ? name : tool
  const key = argumentKeys.find((each) => rest[each] !== undefined)
  if (typeof called !== 'string' || key === undefined || !isAllOfCall(rest)) return null
  const text = textOf(rest[key])
  return text === undefined ? null : { tool: called, text }
}

function isAllOfCall(rest: JsonObject): boolean {
  const known = new Set<string>([...besideKeys, ...argumentKeys])
  return Object.keys(rest).every((key) => known.has(key))
}

function textOf(args: JsonValue | undefined): string | undefined {
  if (typeof args !== 'string') return isObject(args) ? layOutArguments(args) : undefined
  const read = tryParseJson(args)
  return isObject(read) ? layOutArguments(read) : args
}

export function layOutArguments(args: JsonObject): string {
  return JSON.stringify(args, null, 2)
}
