/**
 * Decides from its first characters whether an object in an answer belongs to the JSON
 * format or is plain text.
 */

/** What the object that starts here is; `more` while it cannot be decided. */
export type Start = { readonly kind: 'answer' | 'call'; readonly at: number } | 'more' | 'other'

/** Undecided after this many characters means plain text. */
const longest = 300

const answerKeys = new Set(['reasoning', 'thought', 'action', 'tool_calls', 'tool_call', 'calls'])
/** These keys are common words, so they count only at the start of the answer. */
const saidKeys = new Set(['content', 'answer', 'response', 'result', 'text', 'sql', 'final_answer'])
const nameKeys = new Set(['name', 'tool', 'tool_name', 'function_name'])

const fence = /^`{3,}[ \t]*(?:json[5c]?)?[ \t]*\r?\n\s*/i
const mayBeFence = /^`{1,2}$|^`{3,}[ \t]*(?:j(?:s(?:o(?:n[5c]?)?)?)?)?[ \t]*(?:\r?(?:\n\s*)?)$/i
const firstKey = /^\{\s*["'“”](\w{1,24})["'“”]\s*:/
const mayBeKey = /^\{\s*(?:["'“”](?:\w{0,24}(?:["'“”]\s*)?)?)?$/
const firstName = /^\{\s*["'“”]\w+["'“”]\s*:\s*"([^"\\\n]{1,128})"/
const mayBeName = /^\{\s*["'“”]\w+["'“”]\s*:\s*(?:"[^"\\\n]{0,128})?$/

/** @param atStart there was no text before */
export function startOf(text: string, atStart: boolean, isTool: (name: string) => boolean): Start {
  const told = look(text, atStart, isTool)
  return told === 'more' && text.length > longest ? 'other' : told
}

function look(text: string, atStart: boolean, isTool: (name: string) => boolean): Start {
  const fenced = fence.exec(text)?.[0] ?? ''
  if (fenced === '' && text.startsWith('`')) return mayBeFence.test(text) ? 'more' : 'other'
  const rest = text.slice(fenced.length)
  if (rest === '') return 'more'
  const key = firstKey.exec(rest)?.[1]?.toLowerCase()
  if (key === undefined) return mayBeKey.test(rest) ? 'more' : 'other'
  if (answerKeys.has(key) || (saidKeys.has(key) && atStart)) return { kind: 'answer', at: fenced.length }
  if (!nameKeys.has(key)) return 'other'
  const name = firstName.exec(rest)?.[1]
  if (name === undefined) return mayBeName.test(rest) ? 'more' : 'other'
  return isTool(name) ? { kind: 'call', at: fenced.length } : 'other'
}
