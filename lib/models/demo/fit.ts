/**
 * For any other question: the offered tool whose words match best, if the question has all required
 * arguments.
 */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import type { ScriptedTurn } from '../scripted/turn'
import { properties, required } from './offer'
import type { Trail } from './trail'
import { nameStems, sameWord, type Word, wordsOf } from './words'

/** A tool and the arguments found in the question. */
export interface ToolFit {
  readonly tool: WireTool
  readonly args: JsonObject
  /** Whether the question contains the tool's own name or a distinctive word of it. */
  readonly named: boolean
}

/** Words that occur in many names and descriptions, so they do not identify a tool. */
const weak = new Set(
  `get list show run do make give set use find search fetch call create add read write view query execute tool the a an of for to in on and or is it i you me my
  what which who how can please with from by one or more name value text return returns data all any this that be are as at`.split(
    /\s+/,
  ),
)

export function closest(question: string, tools: readonly WireTool[]): ToolFit | undefined {
  const words = wordsOf(question)
  const scored = tools
    .map((tool) => ({ tool, ...scoreOf(tool, question, words) }))
    .filter((each) => each.score >= 3)
  for (const { tool, named } of scored.sort((one, other) => other.score - one.score)) {
    const args = argsFor(tool, question, words)
    if (args !== undefined) return { tool, args, named }
  }
  return undefined
}

export function answerWith({ tool, args }: ToolFit, { done }: Trail): ScriptedTurn {
  const call = done.findLast((each) => each.name === tool.name)
  if (call === undefined)
    return { reasoning: `${tool.name} comes closest to that.`, calls: [{ name: tool.name, args }] }
  if (call.isError) return { text: `I tried ${tool.name}, but it failed: ${call.text}` }
  return {
    text: call.text.trim() === '' ? `${tool.name} ran and said nothing.` : `${tool.name} says:\n${call.text}`,
  }
}

function scoreOf(
  tool: WireTool,
  question: string,
  words: readonly Word[],
): { score: number; named: boolean } {
  const lower = question.toLowerCase()
  if (lower.includes(tool.name.toLowerCase()) || lower.includes(tool.name.toLowerCase().replaceAll('_', '.')))
    return { score: 100, named: true }
  const stems = [
    ...new Set(words.filter((each) => !each.quoted && !weak.has(each.stem)).map((each) => each.stem)),
  ]
  const inName = count(stems, nameStems(tool.name))
  const inDescription = count(stems, nameStems(tool.description))
  return { score: inName * 3 + inDescription, named: inName > 0 }
}

function count(stems: readonly string[], others: readonly string[]): number {
  return stems.filter((each) => others.some((other) => sameWord(each, other))).length
}

function argsFor(tool: WireTool, question: string, words: readonly Word[]): JsonObject | undefined {
  const material = {
    question,
    quoted: words.filter((each) => each.quoted).map((each) => each.raw),
    numbers: numbersIn(question),
  }
  const args: JsonObject = {}
  const wanted = required(tool)
  for (const name of wanted) {
    const schema = properties(tool)[name] ?? {}
    if (schema.default !== undefined) continue
    const value = valueFor(name, schema, { ...material, only: wanted.length === 1 })
    if (value === undefined) return undefined
    args[name] = value
  }
  return args
}

interface Material {
  readonly question: string
  /** Consumed in order. */
  readonly quoted: string[]
  readonly numbers: number[]
  /** Whether this is the only required argument. */
  readonly only: boolean
}

function valueFor(name: string, schema: JsonSchema, material: Material): JsonValue | undefined {
  const { question, quoted, numbers, only } = material
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined)
    return schema.enum.find(
      (each) => typeof each === 'string' && question.toLowerCase().includes(each.toLowerCase()),
    )
  if (schema.type === 'integer') return takeFirst(numbers, Number.isInteger)
  if (schema.type === 'number') return takeFirst(numbers, () => true)
  if (schema.type === 'array') return arrayFor(schema, { quoted, numbers })
  if (schema.type !== 'string') return undefined
  if (/url|link/i.test(name)) return /https?:\/\/\S+[^\s.,?!)]/.exec(question)?.[0]
  const given = quoted.shift()
  if (given !== undefined) return given
  if (/^(query|question|text|input|message|prompt|q|content|task)$/i.test(name) && only)
    return afterColon(question) ?? question
  return afterColon(question) ?? (only ? named(question) : undefined)
}

function arrayFor(
  schema: JsonSchema,
  { quoted, numbers }: Pick<Material, 'quoted' | 'numbers'>,
): JsonValue | undefined {
  const type = schema.items?.type
  const items: JsonValue[] =
    type === 'string' ? quoted.splice(0) : type === 'number' || type === 'integer' ? numbers.splice(0) : []
  return items.length > 0 ? items : undefined
}

function takeFirst(numbers: number[], fits: (value: number) => boolean): number | undefined {
  const at = numbers.findIndex(fits)
  return at < 0 ? undefined : numbers.splice(at, 1)[0]
}

function numbersIn(question: string): number[] {
  return (question.match(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []).map(Number)
}

function afterColon(question: string): string | undefined {
  const rest = /:\s+(\S[\s\S]*)$/.exec(question)?.[1]?.trim()
  return rest === '' ? undefined : rest
}

/** A capitalized name after a preposition, as in "in Paris" or "about New York". */
function named(question: string): string | undefined {
  return /\b(?:in|of|for|about|from|to|on)\s+((?:\p{Lu}[\p{L}\p{N}-]*\s*)+)/u.exec(question)?.[1]?.trim()
}
