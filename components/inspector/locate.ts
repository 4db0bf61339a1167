/**
 * Finds an entry in the text of a config so that it can be marked there. Scans the text once without parsing
 * values.
 */

export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * The spans of an entry path; for the agent, those of its own keys. Empty when the text does not contain it.
 */
export function spansOf(text: string, path: string, agentKeys: readonly string[]): Span[] {
  const root = afterSpace(text, 0)
  if (path === 'agent') {
    const own = new Set(agentKeys)
    return membersOf(text, root).flatMap(({ key, from, to }) => (own.has(key) ? [{ from, to }] : []))
  }
  let at: Span = { from: root, to: text.length }
  for (const step of path.startsWith('parked/') ? ['canvas', ...path.split('/')] : path.split('/')) {
    const found = stepInto(text, at.from, step)
    if (found === undefined) return []
    at = found
  }
  return [at]
}

function stepInto(text: string, at: number, step: string): Span | undefined {
  if (text[at] === '{') {
    const member = membersOf(text, at).find(({ key }) => key === step)
    return member === undefined ? undefined : { from: member.value, to: member.to }
  }
  return text[at] === '[' ? itemsOf(text, at)[Number(step)] : undefined
}

interface Member extends Span {
  readonly key: string
  /** Where its value begins. */
  readonly value: number
}

function membersOf(text: string, open: number): Member[] {
  const members: Member[] = []
  let at = afterSpace(text, open + 1)
  while (text[at] === '"') {
    const end = endOfText(text, at)
    const value = afterSpace(text, afterSpace(text, end) + 1)
    const to = endOfValue(text, value)
    members.push({ key: text.slice(at + 1, end - 1), from: at, value, to })
    at = afterComma(text, to)
  }
  return members
}

function itemsOf(text: string, open: number): Span[] {
  const items: Span[] = []
  let at = afterSpace(text, open + 1)
  while (at < text.length && text[at] !== ']') {
    const to = endOfValue(text, at)
    items.push({ from: at, to })
    at = afterComma(text, to)
  }
  return items
}

function afterComma(text: string, at: number): number {
  const next = afterSpace(text, at)
  return text[next] === ',' ? afterSpace(text, next + 1) : next
}

function afterSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) <= 32) at++
  return at
}

function endOfText(text: string, open: number): number {
  let at = open + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfValue(text: string, from: number): number {
  let at = from
  let depth = 0
  do {
    const sign = text[at]
    if (sign === '"') at = endOfText(text, at)
    else {
      if (sign === '{' || sign === '[') depth++
      if (sign === '}' || sign === ']') depth--
      at++
    }
    if (depth === 0 && (sign === '"' || sign === '}' || sign === ']')) return at
    if (depth === 0 && /[,\]}\s]/.test(text[at] ?? ',')) return at
  } while (at < text.length)
  return text.length
}
