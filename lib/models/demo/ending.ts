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
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      return Object.fromEntries(properties.map(([key, each]) => [key, fillSchema(each, text)]))
    }
    case 'array':
      return []
    case 'number':
      return firstNumber(text)
    case 'integer':
      return Math.round(firstNumber(text))
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      // A string, or a schema without a type.
      return text
  }
}

function firstNumber(text: string): number {
  return Number(/-?\d[\d,]*(\.\d+)?/.exec(text)?.[0].replaceAll(',', '') ?? 0)
}
