/** Gives the demo's answer through the tool that ends a run, if one is offered. */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import { finishName } from '#lib/spec/tool'
import type { ScriptedTurn } from '../scripted/turn'

export function finishOf(tools: readonly WireTool[]): WireTool | undefined {
  return tools.find(({ name }) => name === finishName)
}

/**
 * Turns a text answer into a call of the tool: its strings get the text, its numbers the first number in it,
 * all else the simplest value.
 */
export function endedBy(finish: WireTool | undefined, turn: ScriptedTurn): ScriptedTurn {
  const { text = '', calls = [] } = turn
  if (finish === undefined || calls.length > 0 || text === '') return turn
  const args = valueFor(finish.parameters, text)
  return { ...turn, text: '', calls: [{ name: finish.name, args: isObject(args) ? args : {} }] }
}

function valueFor(schema: JsonSchema, text: string): JsonValue {
  const [first] = schema.enum ?? []
  if (schema.const !== undefined) return schema.const
  if (first !== undefined) return first
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([key, each]) => [key, valueFor(each, text)]),
      )
    case 'array':
      return []
    case 'number':
      return numberIn(text)
    case 'integer':
      return Math.round(numberIn(text))
    case 'boolean':
      return false
    case 'null':
      return null
    default:
      // A string, or a schema without a type.
      return text
  }
}

function numberIn(text: string): number {
  const found = /-?\d[\d,]*(\.\d+)?/.exec(text)?.[0].replaceAll(',', '')
  return found === undefined ? 0 : Number(found)
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
