/** Gives the demo's answer through the tool that ends a run, if one is offered. */
import type { JsonSchema, JsonValue } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import type { ScriptedTurn } from '../scripted/turn'
import { isObject } from './observation'

/** Turns an answer into a call of the tool, whose arguments are filled from the answer's text. */
export function endByTool(finish: WireTool | undefined, turn: ScriptedTurn): ScriptedTurn {
  const { text = '', calls = [] } = turn
  if (finish === undefined || calls.length > 0 || text === '') return turn
  const args = fillSchema(finish.parameters, text)
  return { ...turn, text: '', calls: [{ name: finish.name, args: isObject(args) ? args : {} }] }
}

/** Strings get the text, numbers the first number in it, all else the simplest value. */
function fillSchema(schema: JsonSchema, text: string): JsonValue {
  const fixed = schema.const ?? schema.enum?.[0]
  if (fixed !== undefined) return fixed
  const properties = Object.entries(schema.properties ?? {})
  const number = Number(/-?\d[\d,]*(\.\d+)?/.exec(text)?.[0].replaceAll(',', '') ?? 0)
  const values: Record<string, JsonValue> = {
    object: Object.fromEntries(properties.map(([key, each]) => [key, fillSchema(each, text)])),
    array: [],
    number,
    integer: Math.round(number),
    boolean: false,
    null: null,
    string: text,
  }
  const [type = 'string'] = [schema.type].flat()
  return values[type] === undefined ? text : values[type]
}
