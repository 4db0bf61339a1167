/**
 * Parses a regular expression (ECMAScript with the flag `u`) into a tree that can be matched in linear time.
 */

/** `size` is the number of states of a part with its repeats written out. */
export type PatternPart =
  | { readonly is: 'point'; readonly point: number; readonly size: number }
  /** `source` is a class, an escape such as `\d`, or the dot. It matches one code point. */
  | { readonly is: 'set'; readonly source: string; readonly size: number }
  | { readonly is: 'edge'; readonly edge: Edge; readonly size: number }
  | { readonly is: 'sequence'; readonly parts: readonly PatternPart[]; readonly size: number }
  | { readonly is: 'choice'; readonly parts: readonly PatternPart[]; readonly size: number }
  | {
      readonly is: 'repeat'
      readonly part: PatternPart
      readonly least: number
      readonly most: number
      readonly size: number
    }

export type Edge = 'start' | 'end' | 'word' | 'inWord'

export type ReadPattern = { readonly part: PatternPart } | { readonly problem: string }

const maxLength = 20_000
const maxDepth = 100
/** The most states of a whole pattern; `a{5000}` has five thousand. */
const maxStates = 10_000

/** `problem` is the end of a sentence about the pattern: “… cannot be used: it …”. */
export function readPattern(text: string): ReadPattern {
  if (text.length > maxLength) return { problem: `it has more than ${maxLength} characters` }
  try {
    // Finds every syntax error, so that the parser below can rely on the syntax.
    new RegExp(text, 'u')
  } catch {
    return { problem: 'it is not a valid regular expression' }
  }
  try {
    const part = new Reader(text).choice(0)
    if (part.size > maxStates) return { problem: `its repeats add up to more than ${maxStates} states` }
    return { part }
  } catch (error) {
    if (error instanceof Unsupported) return { problem: error.message }
    throw error
  }
}

class Unsupported extends Error {}

const edges: Readonly<Record<string, Edge>> = { '^': 'start', $: 'end' }
const quantifier = /[*+?]|\{(\d+)(,(\d*))?\}/y
const escapeSequence =
  /\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[pP]\{[^}]*\}|.)/sy

class Reader {
  #at = 0

  constructor(readonly text: string) {}

  choice(depth: number): PatternPart {
    if (depth > maxDepth) throw new Unsupported(`its groups are nested more than ${maxDepth} levels deep`)
    const parts = [this.#sequence(depth)]
    while (this.text[this.#at] === '|') {
      this.#at++
      parts.push(this.#sequence(depth))
    }
    const [only] = parts
    if (parts.length === 1 && only !== undefined) return only
    return { is: 'choice', parts, size: sizeOf(parts) + 2 * parts.length }
  }

  #sequence(depth: number): PatternPart {
    const parts: PatternPart[] = []
    while (this.#at < this.text.length && this.text[this.#at] !== '|' && this.text[this.#at] !== ')')
      parts.push(this.#repeated(this.#atom(depth)))
    return { is: 'sequence', parts, size: sizeOf(parts) }
  }

  #repeated(part: PatternPart): PatternPart {
    quantifier.lastIndex = this.#at
    const found = quantifier.exec(this.text)
    if (found === null) return part
    this.#at = quantifier.lastIndex
    // A lazy quantifier may change which match is found, but not whether there is one.
    if (this.text[this.#at] === '?') this.#at++
    const [sign, count, range, end] = found
    const least = count === undefined ? (sign === '+' ? 1 : 0) : Number(count)
    const most =
      count === undefined
        ? sign === '?'
          ? 1
          : Number.POSITIVE_INFINITY
        : range === undefined
          ? least
          : end === undefined || end === ''
            ? Number.POSITIVE_INFINITY
            : Number(end)
    const times = most === Number.POSITIVE_INFINITY ? least + 1 : most
    return { is: 'repeat', part, least, most, size: times * (part.size + 2) }
  }

  #atom(depth: number): PatternPart {
    const sign = this.text[this.#at] ?? ''
    const edge = edges[sign]
    if (edge !== undefined) {
      this.#at++
      return { is: 'edge', edge, size: 1 }
    }
    if (sign === '(') return this.#group(depth)
    if (sign === '[') return this.#set()
    if (sign === '\\') return this.#escaped()
    if (sign === '.') {
      this.#at++
      return { is: 'set', source: '.', size: 1 }
    }
    const point = this.text.codePointAt(this.#at) ?? 0
    this.#at += point > 0xffff ? 2 : 1
    return { is: 'point', point, size: 1 }
  }

  #group(depth: number): PatternPart {
    const opening = /\((?:\?:|\?<(?![=!])[^>]*>)?/y
    opening.lastIndex = this.#at
    opening.exec(this.text)
    this.#at = opening.lastIndex
    if (this.text[this.#at] === '?') {
      const isLook = /^\?<?[=!]/.test(this.text.slice(this.#at, this.#at + 3))
      throw new Unsupported(
        isLook
          ? 'it uses look-ahead or look-behind, which cannot be matched in bounded time'
          : 'it sets flags within the pattern, which is not supported',
      )
    }
    const part = this.choice(depth + 1)
    this.#at++
    return part
  }

  #set(): PatternPart {
    const start = this.#at++
    while (this.#at < this.text.length && this.text[this.#at] !== ']')
      this.#at += this.text[this.#at] === '\\' ? 2 : 1
    this.#at++
    return { is: 'set', source: this.text.slice(start, this.#at), size: 1 }
  }

  #escaped(): PatternPart {
    escapeSequence.lastIndex = this.#at
    const source = escapeSequence.exec(this.text)?.[0] ?? ''
    this.#at = escapeSequence.lastIndex
    if (source === '\\b') return { is: 'edge', edge: 'word', size: 1 }
    if (source === '\\B') return { is: 'edge', edge: 'inWord', size: 1 }
    if (/^\\[1-9k]/.test(source))
      throw new Unsupported('it uses a back-reference, which cannot be matched in bounded time')
    return { is: 'set', source, size: 1 }
  }
}

function sizeOf(parts: readonly PatternPart[]): number {
  return parts.reduce((sum, each) => sum + each.size, 0)
}
