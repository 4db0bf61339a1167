/** Finds arithmetic in a question: "what is 12.5% of 840", "3*(4+5)", "the square root of 2 plus 7". */

/** The expressions in order, written as for a calculator; empty if the question has none. */
export function expressionsIn(question: string): string[] {
  const found: string[] = []
  let run: string[] = []
  const close = () => {
    const expression = whole(run)
    if (expression !== undefined) found.push(expression)
    run = []
  }
  for (const [token] of inSigns(question).matchAll(tokens)) {
    if (isPart(token)) run.push(token)
    else close()
  }
  close()
  return [...new Set(found)]
}

const tokens = /(?:sqrt|abs|round|floor|ceil)(?=\s*\()|\d+(?:\.\d+)?|\.\d+|[-+*/^()]|[^\s\d]+/gu

function isPart(token: string): boolean {
  return /^([\d.]+|[-+*/^()]|sqrt|abs|round|floor|ceil)$/.test(token) && token !== '.'
}

const number = String.raw`(\d+(?:\.\d+)?|\.\d+)`

/** Replaces words and signs with those of a calculator. Dates and spans of years are not subtractions. */
function inSigns(question: string): string {
  return question
    .toLowerCase()
    .replace(/\b\d{4}-\d{2}(-\d{2})?\b|\b(19|20)\d{2}\s*[-–]\s*(19|20)?\d{2}\b/g, ' ; ')
    .replace(/(\d),(?=\d{3}(\D|$))/g, '$1')
    .replace(/[×·]|(?<=\d)\s*x\s*(?=\d)/g, '*')
    .replace(/÷/g, '/')
    .replace(/[−–]/g, '-')
    .replace(/\*\*/g, '^')
    .replace(/\bper ?cent\b/g, '%')
    .replace(new RegExp(`${number}\\s*%\\s*(?:tip\\s+)?(?:of|on)\\b`, 'g'), '$1 / 100 *')
    .replace(new RegExp(`${number}\\s*%(?!\\s*[\\d(])`, 'g'), '( $1 / 100 )')
    .replace(new RegExp(`\\b(?:the )?square root of ${number}`, 'g'), ' sqrt ( $1 ) ')
    .replace(new RegExp(`\\b(?:the )?sum of ${number} and ${number}`, 'g'), ' $1 + $2 ')
    .replace(new RegExp(`\\b(?:the )?product of ${number} and ${number}`, 'g'), ' $1 * $2 ')
    .replace(new RegExp(`\\b(?:the )?difference (?:of|between) ${number} and ${number}`, 'g'), ' $1 - $2 ')
    .replace(/\bplus\b/g, '+')
    .replace(/\bminus\b/g, '-')
    .replace(/\b(times|multiplied by)\b/g, '*')
    .replace(/\b(divided by|over(?=\s*\d))\b/g, '/')
    .replace(/\b(?:raised )?to the power of\b/g, '^')
    .replace(/\bsquared\b/g, '^ 2')
    .replace(/\bcubed\b/g, '^ 3')
    .replace(/(\d)[?!.;:]+(\s|$)/g, '$1 ; $2')
}

/** The first and longest expression of the run that has something to calculate. */
function whole(run: readonly string[]): string | undefined {
  const read = new Reader(run)
  for (let start = 0; start < run.length; start++) {
    const end = read.expression(start)
    if (end === undefined) continue
    const piece = run.slice(start, end)
    if (piece.some((each, index) => index > 0 && /^[-+*/^]$/.test(each)) || piece[0] === 'sqrt')
      return joined(piece)
  }
  return undefined
}

function joined(piece: readonly string[]): string {
  return piece
    .join(' ')
    .replaceAll('( ', '(')
    .replaceAll(' )', ')')
    .replace(/(sqrt|abs|round|floor|ceil) \(/g, '$1(')
}

/** The deepest nesting of parentheses; a person's question does not go deeper. */
const deepest = 50

class Reader {
  constructor(private readonly run: readonly string[]) {}

  expression(at: number, depth = 0): number | undefined {
    let end = this.operand(at, depth)
    while (end !== undefined && /^[-+*/^]$/.test(this.run[end] ?? '')) {
      const next = this.operand(end + 1, depth)
      if (next === undefined) return end
      end = next
    }
    return end
  }

  private operand(at: number, depth: number): number | undefined {
    const token = this.run[at]
    if (token === undefined || depth > deepest) return undefined
    if (/^[\d.]/.test(token)) return at + 1
    if (token === '-') return this.operand(at + 1, depth + 1)
    if (/^[a-z]/.test(token)) return this.run[at + 1] === '(' ? this.operand(at + 1, depth) : undefined
    if (token !== '(') return undefined
    const end = this.expression(at + 1, depth + 1)
    return end !== undefined && this.run[end] === ')' ? end + 1 : undefined
  }
}
