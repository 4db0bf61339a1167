/** The tool `tools.find`: searches the tools that are held back because there are many. */
import { z } from 'zod'
import { findToolsName, refuse, type ToolSummary, tool } from '#lib/spec/tool'

/** The most characters of a description in the list of what was found. */
const longestDescription = 300

export const toolsFind = tool({
  name: findToolsName,
  label: 'Find tools',
  keywords: ['discover', 'search', 'tools'],
  description:
    'Searches further tools by what they do. Most tools are not offered until they are found. Returns the best matches with their descriptions; they can be called from the next step on.',
  icon: 'search',
  risk: 'read',
  input: z.object({
    query: z.string().min(1).max(500).meta({ description: 'What the tool should do, in a few words.' }),
    limit: z.int().min(1).max(10).default(5).meta({ description: 'The most tools to return.' }),
  }),
  async run({ query, limit }, { hiddenTools = [] }) {
    const found = findTools(hiddenTools, query, limit)
    if (found.length === 0)
      return refuse(
        `No tool matches "${query}". ${countOf(hiddenTools.length)} can be searched.`,
        'not_found',
      )
    const lines = found.map(({ name, description }) => `- ${name}: ${shorten(description)}`)
    const text = ['They can be called from the next step on:', ...lines].join('\n')
    return { ok: true, blocks: [{ type: 'text', text }], found: found.map(({ name }) => name) }
  },
})

function countOf(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`
}

/** A tool's description may be long, and may have lines of its own. */
function shorten(description: string): string {
  const line = description.replaceAll(/\s+/g, ' ').trim()
  return line.length > longestDescription ? `${line.slice(0, longestDescription)}…` : line
}

/**
 * The tools that fit a query best, the best first; tools that fit equally well keep their order. A word counts
 * most in a tool's name, less in the names of its parameters and in its description.
 */
export function findTools(tools: readonly ToolSummary[], query: string, limit: number): ToolSummary[] {
  const wanted = [...new Set(wordsOf(query))]
  return tools
    .map((each) => ({ each, score: scoreOf(each, wanted) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ each }) => each)
}

function scoreOf({ name, description, parameters }: ToolSummary, wanted: readonly string[]): number {
  const places = [
    { words: wordsOf(name), weight: 4 },
    { words: wordsOf(Object.keys(Object(parameters).properties ?? {}).join(' ')), weight: 2 },
    { words: wordsOf(description), weight: 1 },
  ]
  let score = 0
  for (const word of wanted) for (const { words, weight } of places) score += weight * fitOf(word, words)
  return score
}

/** 1 when the word is there, a half when one word begins with the other (`file`, `files`), otherwise 0. */
function fitOf(wanted: string, words: readonly string[]): number {
  if (words.includes(wanted)) return 1
  if (wanted.length < 3) return 0
  return words.some((word) => word.length > 2 && (word.startsWith(wanted) || wanted.startsWith(word)))
    ? 0.5
    : 0
}

/** Lower-case words; a name such as `list_directoryTree` has three. Each Chinese or Japanese character is a word; a single letter is none. */
function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]{2,}/gu) ?? []
  )
}
