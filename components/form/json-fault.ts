/**
 * Finds where a text stops being JSON and what is expected there, the same in every browser. Called only for
 * text that does not parse.
 */
import { tryParseJson } from '#lib/spec/json'
import { type JsonToken, tokenAt } from '#lib/spec/json-text'

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
    const { from } = tokenAt(text, readValue(text, tokenAt(text, 0)))
    return new ParseStop(from, `nothing may follow the end${wordAt(text, from)}`)
  } catch (error) {
    if (error instanceof ParseStop) return error
    throw error
  }
}

/** The index after a value whose first token is given. */
function readValue(text: string, first: JsonToken): number {
  const { kind, from, to } = first
  if (kind === '{')
    return readList(text, to, { close: '}', readItem: readMember, name: 'a key in double quotes' })
  if (kind === '[') return readList(text, to, { close: ']', readItem: readValue, name: 'a value' })
  if (tryParseJson(text.slice(from, to)) !== undefined) return to
  const what =
    kind === '"'
      ? 'a text is not closed, or holds a line break or a backslash that must be escaped'
      : `a value is missing${wordAt(text, from)}`
  throw new ParseStop(from, what)
}

interface List {
  readonly close: '}' | ']'
  readonly name: string
  readItem(text: string, first: JsonToken): number
}

function readList(text: string, start: number, { close, readItem, name }: List): number {
  let next = tokenAt(text, start)
  while (next.kind !== close) {
    if (next.kind === '') throw new ParseStop(next.from, `${name} is missing`)
    next = tokenAt(text, readItem(text, next))
    if (next.kind === close) break
    if (next.kind !== ',')
      throw new ParseStop(next.from, `a comma or ${close} is missing${wordAt(text, next.from, 'before')}`)
    next = tokenAt(text, next.to)
    if (next.kind === close) throw new ParseStop(next.from, 'a list or object must not end with a comma')
  }
  return next.to
}

function readMember(text: string, first: JsonToken): number {
  const { kind, from } = first
  if (kind !== '"') throw new ParseStop(from, `a key must be in double quotes${wordAt(text, from)}`)
  const colon = tokenAt(text, readValue(text, first))
  if (colon.kind !== ':')
    throw new ParseStop(colon.from, `a colon is missing${wordAt(text, colon.from, 'before')}`)
  return readValue(text, tokenAt(text, colon.to))
}

/** The word at this position, so that a person can find it. */
function wordAt(text: string, at: number, where: 'before' | 'at' = 'at'): string {
  const word = /^(?:[\w$.-]{1,24}|\S)/.exec(text.slice(at, at + 24))?.[0]
  if (word === undefined) return ''
  return where === 'before' ? ` before “${word}”` : ` (there is “${word}”)`
}
