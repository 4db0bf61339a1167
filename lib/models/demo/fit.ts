/** For any other question: the offered tool whose words match best, if the question has all required arguments. */
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import type { ScriptedTurn } from '../scripted/turn'
import type { Trail } from './trail'
import { isSameWord, nameStems, splitWords } from './words'

/** A tool and the arguments found in the question. */
export interface ToolFit {
  readonly tool: WireTool
  readonly args: JsonObject
  /** Whether the question contains the tool's own name or a distinctive word of it. */
  readonly isNamed: boolean
}

/** Words that occur in many names and descriptions, so they do not identify a tool. */
const weak = new Set(
  `get list show run do make give set use find search fetch call create add read write view query execute tool the a an of for to in on and or is it i you me my
  what which who how can please with from by one or more name value text return returns data all any this that be are as at`.split(
    /\s+/,
  ),
)
const scoreAtLeast = 3

export function findClosestTool(question: string, tools: readonly WireTool[]): ToolFit | undefined {
  const words = splitWords(question).filter((each) => !each.quoted && !weak.has(each.stem))
  const stems = new Set(words.map((each) => each.stem))
  const lower = question.toLowerCase()
  const fits = tools.map((tool) => {
    const name = tool.name.toLowerCase()
    const isWhole = lower.includes(name) || lower.includes(name.replaceAll('_', '.'))
    const inName = countShared(stems, tool.name)
    const score = isWhole ? 100 : inName * 3 + countShared(stems, tool.description)
    return { tool, score, isNamed: isWhole || inName > 0 }
  })
  for (const { tool, score, isNamed } of fits.sort((one, other) => other.score - one.score)) {
    const args = score < scoreAtLeast ? undefined : findArgs(tool, question)
    if (args !== undefined) return { tool, args, isNamed }
  }
  return undefined
}

function countShared(stems: ReadonlySet<string>, text: string): number {
  const others = nameStems(text)
  return [...stems].filter((each) => others.some((other) => isSameWord(each, other))).length
}

export function answerWithTool({ tool: { name }, args }: ToolFit, { done }: Trail): ScriptedTurn {
  const call = done.findLast((each) => each.name === name)
  if (call === undefined) return { reasoning: `${name} comes closest to that.`, calls: [{ name, args }] }
  if (call.isError) return { text: `I tried ${name}, but it failed: ${call.text}` }
  return { text: call.text.trim() === '' ? `${name} ran and said nothing.` : `${name} says:\n${call.text}` }
}

/** Undefined if the question lacks a required argument. */
function findArgs({ parameters }: WireTool, question: string): JsonObject | undefined {
  const { properties = {}, required = [] } = parameters
  const material: Material = {
    question,
    quoted: splitWords(question).flatMap((each) => (each.quoted ? [each.raw] : [])),
    numbers: (question.match(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []).map(Number),
    isOnly: required.length === 1,
  }
  const args: JsonObject = {}
  for (const name of required) {
    const schema = properties[name] ?? {}
    if (schema.default !== undefined) continue
    const value = findValue(name, schema, material)
    if (value === undefined) return undefined
    args[name] = value
  }
  return args
}

interface Material {
  readonly question: string
  /** Quoted texts and numbers, each used once and in order. */
  readonly quoted: string[]
  readonly numbers: number[]
  /** Whether there is only one required argument. */
  readonly isOnly: boolean
}

function findValue(name: string, schema: JsonSchema, material: Material): JsonValue | undefined {
  const { question, quoted, numbers, isOnly } = material
  const { type, items } = schema
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined)
    return schema.enum.find((each) => question.toLowerCase().includes(String(each).toLowerCase()))
  if (type === 'integer' || type === 'number') {
    const at = numbers.findIndex((each) => type === 'number' || Number.isInteger(each))
    return at < 0 ? undefined : numbers.splice(at, 1)[0]
  }
  if (type === 'array') {
    const found = items?.type === 'string' ? quoted.splice(0) : []
    return found.length > 0 ? found : undefined
  }
  if (type !== 'string') return undefined
  if (/url|link/i.test(name)) return /https?:\/\/\S+[^\s.,?!)]/.exec(question)?.[0]
  const given = quoted.shift() ?? /:\s+(\S[\s\S]*)$/.exec(question)?.[1]?.trim()
  if (given !== undefined || !isOnly) return given
  if (/^(query|question|text|input|message|prompt|q|content|task)$/i.test(name)) return question
  // A capitalized name after a preposition, as in "in Paris" or "about New York".
  return /\b(?:in|of|for|about|from|to|on)\s+((?:\p{Lu}[\p{L}\p{N}-]*\s*)+)/u.exec(question)?.[1]?.trim()
}
