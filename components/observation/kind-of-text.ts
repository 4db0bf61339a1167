/** How a text that a tool gave back wants to be read. Pure. */
import type { JsonValue } from '#lib/spec/json'

export type TextReading =
  | { readonly as: 'text' }
  | { readonly as: 'markdown' }
  | { readonly as: 'json'; readonly value: JsonValue }

/** Longer than this a text is shown as it is: reading it as anything else costs more than it helps. */
const longest = 500_000

export function readingOf(text: string): TextReading {
  if (text.length > longest) return { as: 'text' }
  const value = /^\s*[[{]/.test(text) ? parseJson(text) : undefined
  if (value !== undefined) return { as: 'json', value }
  return isMarkdown(text) ? { as: 'markdown' } : { as: 'text' }
}

function parseJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

const plainSigns = [/^```/m, /^\|.+\|[ \t]*\r?\n\|[\s:|-]+\|/m]
/** Each by itself may stand in any text; two of them do not by chance. */
const faintSigns = [
  /^#{1,6} \S/m,
  /\*\*[^*\n]+\*\*/,
  /\[[^\]\n]+\]\(https?:/,
  /^[-*+] .+\r?\n[-*+] /m,
  /^\d+\. .+\r?\n\d+\. /m,
  /`[^`\n]+`/,
]

/** Signs of markdown stand near the beginning; some of them cost more than the length of what is searched. */
const searched = 20_000

function isMarkdown(whole: string): boolean {
  const text = whole.slice(0, searched)
  if (plainSigns.some((each) => each.test(text))) return true
  return faintSigns.filter((each) => each.test(text)).length >= 2
}
