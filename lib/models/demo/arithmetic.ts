/** Finds arithmetic in a question: "what is 12.5% of 840", "3*(4+5)", "the square root of 2 plus 7". */

/** The expressions in order, written as for a calculator; empty if the question has none. */
export function expressionsIn(question: string): string[] {
  const found: string[] = []
  let run: string[] = []
  // The last token closes the last run.
  for (const [token] of `${writeSigns(question)} ;`.matchAll(tokens)) {
    if (part.test(token)) run.push(token)
    else {
      const expression = findExpression(run)
      if (expression !== undefined) found.push(expression)
      run = []
    }
  }
  return [...new Set(found)]
}

const tokens = /(?:sqrt|abs|round|floor|ceil)(?=\s*\()|\d+(?:\.\d+)?|\.\d+|[-+*/^()]|[^\s\d]+/gu
const part = /^(\d+(\.\d+)?|\.\d+|[-+*/^()]|sqrt|abs|round|floor|ceil)$/

const number = String.raw`(\d+(?:\.\d+)?|\.\d+)`

/** Words and signs of a question, and those of a calculator that replace them, in this order. */
const signs: readonly (readonly [RegExp, string])[] = [
  // Dates and spans of years are not subtractions.
  [/\b\d{4}-\d{2}(-\d{2})?\b|\b(19|20)\d{2}\s*[-–]\s*(19|20)?\d{2}\b/g, ' ; '],
  [/(\d),(?=\d{3}(\D|$))/g, '$1'],
  [/[×·]|(?<=\d)\s*x\s*(?=\d)/g, '*'],
  [/÷/g, '/'],
  [/[−–]/g, '-'],
  [/\*\*/g, '^'],
  [/\bper ?cent\b/g, '%'],
  [new RegExp(`${number}\\s*%\\s*(?:tip\\s+)?(?:of|on)\\b`, 'g'), '$1 / 100 *'],
  [new RegExp(`${number}\\s*%(?!\\s*[\\d(])`, 'g'), '( $1 / 100 )'],
  [new RegExp(`\\b(?:the )?square root of ${number}`, 'g'), ' sqrt ( $1 ) '],
  [new RegExp(`\\b(?:the )?sum of ${number} and ${number}`, 'g'), ' $1 + $2 '],
  [new RegExp(`\\b(?:the )?product of ${number} and ${number}`, 'g'), ' $1 * $2 '],
  [new RegExp(`\\b(?:the )?difference (?:of|between) ${number} and ${number}`, 'g'), ' $1 - $2 '],
  [/\bplus\b/g, '+'],
  [/\bminus\b/g, '-'],
  [/\b(times|multiplied by)\b/g, '*'],
  [/\b(divided by|over(?=\s*\d))\b/g, '/'],
  [/\b(?:raised )?to the power of\b/g, '^'],
  [/\bsquared\b/g, '^ 2'],
  [/\bcubed\b/g, '^ 3'],
  [/(\d)[?!.;:]+(\s|$)/g, '$1 ; $2'],
]

function writeSigns(question: string): string {
  return signs.reduce((text, [from, to]) => text.replace(from, to), question.toLowerCase())
}

/** The first and longest expression of a run of tokens that has something to calculate. */
function findExpression(run: readonly string[]): string | undefined {
  for (let start = 0; start < run.length; start++) {
    const piece = run.slice(start, expressionEnd(run, start))
    if (piece[0] === 'sqrt' || piece.some((each, index) => index > 0 && /^[-+*/^]$/.test(each)))
      return piece
        .join(' ')
        .replaceAll('( ', '(')
        .replaceAll(' )', ')')
        .replace(/([a-z]) \(/g, '$1(')
  }
  return undefined
}

/** The deepest nesting of parentheses; a person's question does not go deeper. */
const deepest = 50

/** The end of the longest complete expression from `start`, or `start` if there is none. */
function expressionEnd(run: readonly string[], start: number): number {
  let end = start
  let open = 0
  let needsOperand = true
  for (let at = start; at < run.length; at++) {
    const token = run[at] ?? ''
    if (needsOperand) {
      if (/^[\d.]/.test(token)) needsOperand = false
      else if (token === '(' && open < deepest) open++
      // A sign, or a function, which always has a parenthesis after it.
      else if (!/^[-a-z]/.test(token)) break
    } else if (token === ')' && open > 0) open--
    else if (/^[-+*/^]$/.test(token)) needsOperand = true
    else break
    if (open === 0 && !needsOperand) end = at + 1
  }
  return end
}
