/**
 * Finds where a text stops being JSON and what is expected there, the same in every browser. Called only for
 * text that does not parse.
 */

export interface Fault {
  /** From 1. */
  readonly line: number
  /** What is missing or wrong, as the rest of a sentence. */
  readonly what: string
}

class ParseStop {
  constructor(
    readonly at: number,
    readonly what: string,
  ) {}
}

export function faultOf(text: string): Fault {
  const stop = stopOf(text)
  // Something missing at the end is reported at the last character that is not blank, not on an empty line
  // below it.
  const at = Math.min(stop.at, text.trimEnd().length)
  return { line: 1 + breaksBefore(text, at), what: stop.what }
}

function breaksBefore(text: string, end: number): number {
  let breaks = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) breaks += 1
  return breaks
}

function stopOf(text: string): ParseStop {
  try {
    const end = afterSpace(text, readValue(text, afterSpace(text, 0)))
    return new ParseStop(end, `nothing may follow the end${wordAt(text, end)}`)
  } catch (error) {
    if (error instanceof ParseStop) return error
    throw error
  }
}

const scalar = /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)(?![\w.+-])/y
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON does not allow them in strings
const letters = /[^"\\\u0000-\u001f]*/y
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const space = /[ \t\n\r]*/y

function readValue(text: string, at: number): number {
  switch (text[at]) {
    case '{':
      return readList({ text, at, close: '}', item: readMember, name: 'a key in double quotes' })
    case '[':
      return readList({ text, at, close: ']', item: readValue, name: 'a value' })
    case '"':
      return readText(text, at)
    default:
      // Any other letter can only begin a number or a word.
      return readScalar(text, at)
  }
}

interface List {
  readonly text: string
  readonly at: number
  readonly close: '}' | ']'
  readonly name: string
  item(text: string, at: number): number
}

function readList({ text, at, close, item, name }: List): number {
  let next = afterSpace(text, at + 1)
  if (text[next] === close) return next + 1
  for (;;) {
    if (text[next] === close)
      throw new ParseStop(next, 'no comma may stand before the end of a list or object')
    if (next >= text.length) throw new ParseStop(next, `${name} is missing`)
    next = afterSpace(text, item(text, next))
    if (text[next] === close) return next + 1
    if (text[next] !== ',')
      throw new ParseStop(next, `a comma or ${close} is missing${wordAt(text, next, 'before')}`)
    next = afterSpace(text, next + 1)
  }
}

function readMember(text: string, at: number): number {
  if (text[at] !== '"') throw new ParseStop(at, `a key stands in double quotes${wordAt(text, at)}`)
  const colon = afterSpace(text, readText(text, at))
  if (text[colon] !== ':') throw new ParseStop(colon, `a colon is missing${wordAt(text, colon, 'before')}`)
  return readValue(text, afterSpace(text, colon + 1))
}

function readText(text: string, at: number): number {
  // Part by part, because one pattern for the whole string would need a stack as deep as the text is long.
  for (let next = endOf(letters, text, at + 1); ; next = endOf(letters, text, next)) {
    if (text[next] === '"') return next + 1
    next = endOf(escaped, text, next)
    if (next < 0)
      throw new ParseStop(
        at,
        'a text is not closed, or holds a line break or a backslash that must be escaped',
      )
  }
}

function readScalar(text: string, at: number): number {
  const end = endOf(scalar, text, at)
  if (end < 0) throw new ParseStop(at, `a value is missing${wordAt(text, at)}`)
  return end
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

function afterSpace(text: string, at: number): number {
  return Math.max(at, endOf(space, text, at))
}

/** The word at this position, so that a person can find it. */
function wordAt(text: string, at: number, where: 'before' | 'at' = 'at'): string {
  const word = /^(?:[\w$.-]{1,24}|\S)/.exec(text.slice(at, at + 24))?.[0]
  if (word === undefined) return ''
  return where === 'before' ? ` before “${word}”` : ` (there is “${word}”)`
}
