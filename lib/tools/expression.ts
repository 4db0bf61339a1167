/** Parses and evaluates an arithmetic expression by recursive descent; no part of it is ever run as code. */
import type { Result } from '#lib/spec/errors'
import { constants, functions } from './arithmetic'

const token =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%^(),×÷−·]))/y
const spelling = new Map([
  ['**', '^'],
  ['×', '*'],
  ['·', '*'],
  ['÷', '/'],
  ['−', '-'],
])

interface Token {
  readonly kind: 'number' | 'name' | 'sign' | 'end'
  readonly text: string
  /** The 1-based position, for messages. */
  readonly at: number
}

/** A syntax error; `evaluate` turns it into its result. */
class Misread extends Error {}

/** The value of an expression, or one sentence on what is wrong and where. */
export function evaluate(expression: string): Result<number, string> {
  try {
    return { ok: true, value: new Reader(readTokens(expression)).whole() }
  } catch (error) {
    if (error instanceof Misread) return { ok: false, error: error.message }
    throw error
  }
}

function readTokens(expression: string): Token[] {
  const found: Token[] = []
  const end = expression.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const from = token.lastIndex
    const match = token.exec(expression)
    if (match === null) {
      const at = from + (expression.slice(from).match(/^\s*/)?.[0].length ?? 0)
      throw new Misread(
        `Unexpected "${String.fromCodePoint(expression.codePointAt(at) ?? 63)}" at character ${at + 1}.`,
      )
    }
    const [, number, name, sign] = match
    const text = number ?? name?.toLowerCase() ?? sign ?? ''
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign'
    found.push({ kind, text: spelling.get(text) ?? text, at: token.lastIndex - text.length + 1 })
  }
  found.push({ kind: 'end', text: 'the end', at: end + 1 })
  return found
}

/** Precedence, lowest first: sum, product, sign, power, percent, primary. `-2^2` is -4 and `2^3^2` is 512. */
class Reader {
  private index = 0
  constructor(private readonly tokens: readonly Token[]) {}

  whole(): number {
    const value = this.sum()
    if (this.next.kind !== 'end') this.fail(`Unexpected "${this.next.text}"`)
    return value
  }

  private get next(): Token {
    return this.peek(0)
  }

  private peek(ahead: number): Token {
    return (
      this.tokens[Math.min(this.index + ahead, this.tokens.length - 1)] ?? { kind: 'end', text: '', at: 1 }
    )
  }

  private take(...texts: string[]): Token | undefined {
    const token = this.next
    if (token.kind === 'number' || !texts.includes(token.text)) return undefined
    this.index += 1
    return token
  }

  private fail(what: string, at: Token = this.next): never {
    throw new Misread(
      at.kind === 'end' ? `${what} at the end of the expression.` : `${what} at character ${at.at}.`,
    )
  }

  private finite(value: number, at: Token, what: string): number {
    if (Number.isNaN(value)) this.fail(`${what} has no real value`, at)
    if (!Number.isFinite(value)) this.fail(`${what} is too large`, at)
    return value
  }

  private sum(): number {
    let value = this.product()
    for (let sign = this.take('+', '-'); sign !== undefined; sign = this.take('+', '-')) {
      const right = this.product()
      value = this.finite(sign.text === '+' ? value + right : value - right, sign, 'The sum')
    }
    return value
  }

  private product(): number {
    let value = this.signed()
    for (
      let sign = this.take('*', '/', '%', 'of');
      sign !== undefined;
      sign = this.take('*', '/', '%', 'of')
    ) {
      const right = this.signed()
      if (right === 0 && (sign.text === '/' || sign.text === '%')) this.fail('Division by zero', sign)
      const result = sign.text === '/' ? value / right : sign.text === '%' ? value % right : value * right
      value = this.finite(result, sign, 'The product')
    }
    return value
  }

  private signed(): number {
    let minus = false
    for (let sign = this.take('+', '-'); sign !== undefined; sign = this.take('+', '-')) {
      if (sign.text === '-') minus = !minus
    }
    const value = this.power()
    return minus ? -value : value
  }

  private power(): number {
    const base = this.percent()
    const sign = this.take('^')
    return sign === undefined ? base : this.finite(base ** this.signed(), sign, 'The power')
  }

  /** A `%` before a value is the remainder; anywhere else it means percent. */
  private percent(): number {
    let value = this.primary()
    while (this.next.text === '%' && !startsValue(this.peek(1))) {
      this.index += 1
      value /= 100
    }
    return value
  }

  private primary(): number {
    const token = this.next
    this.index += 1
    if (token.kind === 'number') return this.finite(Number(token.text), token, 'The number')
    if (token.kind === 'name') return this.named(token)
    if (token.text !== '(')
      this.fail(token.kind === 'end' ? 'A value is missing' : `Unexpected "${token.text}"`, token)
    const value = this.sum()
    if (this.take(')') === undefined) this.fail('A closing parenthesis is missing')
    return value
  }

  private named(token: Token): number {
    const constant = constants.get(token.text)
    if (constant !== undefined) return constant
    const known = functions.get(token.text)
    if (known === undefined) this.fail(`Unknown name "${token.text}"`, token)
    if (this.take('(') === undefined) this.fail(`"${token.text}" needs parentheses`, token)
    const values = [this.sum()]
    while (this.take(',') !== undefined) values.push(this.sum())
    if (this.take(')') === undefined) this.fail('A closing parenthesis is missing')
    if (values.length < known.least || values.length > known.most) {
      const wanted = known.least === known.most ? `${known.least}` : `${known.least} to ${known.most}`
      this.fail(`"${token.text}" takes ${wanted} value${known.most === 1 ? '' : 's'}`, token)
    }
    return this.finite(known.of(...values), token, `"${token.text}"`)
  }
}

function startsValue(token: Token): boolean {
  return token.kind === 'number' || (token.kind === 'name' && token.text !== 'of') || token.text === '('
}
