/** Observations as text, where a format has no messages of their own for them. */
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

/** What follows results that stand in the assistant's own message, since it is the user's turn then. */
export function goOn(locale: Locale): string {
  return words[locale].goOn
}

/** Each result within a tag; nothing in it can end the tag, or read as a call. */
export function taggedResults(results: readonly ToolMessage[]): string {
  const items = results.map(({ name, text, isError }) => {
    const status = isError ? ' status="error"' : ''
    return `<result name=${quoteName(name)}${status}>\n${harmless(text)}\n</result>\n`
  })
  return `<function_results>\n${items.join('')}</function_results>`
}

/** Each result under a line that names it, within a fence that nothing in it ends. */
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
