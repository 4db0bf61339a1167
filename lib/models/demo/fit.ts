/** For any other question: the offered tool whose words match best, if the question has all required arguments. */
import type { JsonObject } from '#lib/spec/json'
import type { WireTool } from '#lib/spec/model'
import { callOne, type Steps } from './steps'
import { isSameWord, nameStems, splitWords } from './words'

/** A tool and the arguments found in the question. */
interface ToolFit {
  readonly tool: WireTool
  readonly args: JsonObject
  /** Whether the question contains a distinctive word of the tool's name. */
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
  const fits = tools.map((tool) => {
    const inName = countShared(stems, tool.name)
    return { tool, score: inName * 3 + countShared(stems, tool.description), isNamed: inName > 0 }
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

export function* answerWithTool({ tool: { name }, args }: ToolFit): Steps {
  const { text, isError } = yield* callOne(`${name} comes closest to that.`, { name, args }, true)
  if (isError) return `I tried ${name}, but it failed: ${text}`
  return text.trim() === '' ? `${name} ran and said nothing.` : `${name} says:\n${text}`
}

/** Undefined if the question lacks a required argument. */
function findArgs({ parameters }: WireTool, question: string): JsonObject | undefined {
  const { properties = {}, required = [] } = parameters
  // Quoted texts and numbers are each used once, in their order.
  const quoted = splitWords(question).flatMap((each) => (each.quoted ? [each.raw] : []))
  const numbers = (question.match(/(?<![\p{L}\d.])-?\d+(?:\.\d+)?(?![\p{L}\d])/gu) ?? []).map(Number)
  const args: JsonObject = {}
  for (const name of required) {
    const { default: standard, type } = properties[name] ?? {}
    if (standard !== undefined) continue
    const text = () => quoted.shift() ?? findText(name, question, required.length === 1)
    const value = type === 'string' ? text() : type === 'integer' ? numbers.shift() : undefined
    if (value === undefined) return undefined
    args[name] = value
  }
  return args
}

function findText(name: string, question: string, isOnly: boolean): string | undefined {
  if (/url|link/i.test(name)) return /https?:\/\/\S+[^\s.,?!)]/.exec(question)?.[0]
  if (!isOnly) return undefined
  if (/^(query|question|text|input|message|prompt)$/i.test(name)) return question
  // A capitalized name after a preposition, as in "in Paris" or "about New York".
  return /\b(?:in|of|for|about|from|to|on)\s+((?:\p{Lu}[\p{L}\p{N}-]*\s*)+)/u.exec(question)?.[1]?.trim()
}
