/** Writes observations as text, for formats that have no message type for them. */
import type { Message } from '#lib/spec/message'
import type { Locale } from '#lib/spec/protocol'
import { harmless, quoteName } from './xml-tags'

export type ToolMessage = Extract<Message, { role: 'tool' }>

const words = {
  en: {
    head: 'Results of the tools:',
    result: (name: string) => `Result of ${name}:`,
    error: (name: string) => `${name} failed:`,
    goOn: 'Go on with these results.',
  },
  zh: {
    head: '工具执行结果为:',
    result: (name: string) => `${name} 的结果：`,
    error: (name: string) => `${name} 执行失败：`,
    goOn: '请根据以上结果继续。',
  },
} as const

/**
 * The text that follows results inside the assistant's own message, because the next
 * message must be the user's.
 */
export function goOn(locale: Locale): string {
  return words[locale].goOn
}

/** Each result in a tag. Nothing inside it can end the tag or be read as a call. */
export function taggedResults(results: readonly ToolMessage[]): string {
  const items = results.map(({ name, text, isError }) => {
    const status = isError ? ' status="error"' : ''
    return `<result name=${quoteName(name)}${status}>\n${harmless(text)}\n</result>\n`
  })
  return `<function_results>\n${items.join('')}</function_results>`
}

/** Each result under a line with the tool's name, in a fence that nothing inside it can end. */
export function fencedResults(results: readonly ToolMessage[], locale: Locale): string {
  const { head, result, error } = words[locale]
  const items = results.map(({ name, text, isError }) => {
    const fence = fenceAround(text)
    const label = isError ? error(name) : result(name)
    return `${label}\n${fence}\n${text}\n${fence}`
  })
  return [head, ...items].join('\n\n')
}

function fenceAround(text: string): string {
  let longest = 2
  for (const [run] of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  return '`'.repeat(longest + 1)
}
