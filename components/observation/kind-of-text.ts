/** Decides how to show a text that a tool returned. Pure. */
import { type JsonValue, tryParseJson } from '#lib/spec/json'

export type TextReading =
  | { readonly as: 'text' }
  | { readonly as: 'markdown' }
  | { readonly as: 'json'; readonly value: JsonValue }

/** A longer text is shown as plain text: parsing it costs more than it helps. */
const longest = 500_000

export function readingOf(text: string): TextReading {
  if (text.length > longest) return { as: 'text' }
  const value = /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined
  if (value !== undefined) return { as: 'json', value }
  return isMarkdown(text) ? { as: 'markdown' } : { as: 'text' }
}

const plainSigns = [/^```/m, /^\|.+\|[ \t]*\r?\n\|[\s:|-]+\|/m]
/** Any text may contain one of these; two of them do not occur by chance. */
const faintSigns = [
  /^#{1,6} \S/m,
  /\*\*[^*\n]+\*\*/,
  /\[[^\]\n]+\]\(https?:/,
  /^[-*+] .+\r?\n[-*+] /m,
  /^\d+\. .+\r?\n\d+\. /m,
  /`[^`\n]+`/,
]

/** Markdown shows near the beginning of a text, and some of these patterns take more than linear time. */
const searched = 20_000

function isMarkdown(whole: string): boolean {
  const text = whole.slice(0, searched)
  if (plainSigns.some((each) => each.test(text))) return true
  return faintSigns.filter((each) => each.test(text)).length >= 2
}
