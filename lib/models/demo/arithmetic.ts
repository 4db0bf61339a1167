/** Finds arithmetic in a question: "what is 12.5% of 840", "3*(4+5)". */

/** Words and signs of a question, and those of a calculator that replace them, in this order. */
const signs: readonly (readonly [RegExp, string])[] = [
  // Dates and spans of years are not subtractions.
  [/\b\d{4}-\d{2}(-\d{2})?\b|\b(19|20)\d{2}\s*[-–]\s*(19|20)?\d{2}\b/g, ' ; '],
  [/(\d),(?=\d{3}(\D|$))/g, '$1'],
  [/[×·]|(?<=\d)\s*x\s*(?=\d)|\b(times|multiplied by)\b/g, ' * '],
  [/÷|\bdivided by\b/g, ' / '],
  [/[−–]|\bminus\b/g, ' - '],
  [/\bplus\b/g, ' + '],
  [/\*\*/g, ' ^ '],
  [/\bper ?cent\b/g, '%'],
  [/(\d+(?:\.\d+)?|\.\d+)\s*%\s*of\b/g, ' $1 / 100 * '],
  [/(\d+(?:\.\d+)?|\.\d+)\s*%(?!\s*[\d(])/g, ' ( $1 / 100 ) '],
  [/(\d)[?!.;:]+(\s|$)/g, '$1 ; $2'],
]
const run = /[\d(.-][\d\s().+*/^-]*[\d)]/g
const token = /\d+(?:\.\d+)?|\.\d+|[-+*/^()]/g
const expression = /^(- )?[\d.]+( [-+*/^]( -)? [\d.]+)+$/

/** The expressions in order, written as for a calculator; empty if the question has none. */
export function expressionsIn(question: string): string[] {
  const text = signs.reduce((sofar, [from, to]) => sofar.replace(from, to), question.toLowerCase())
  const runs = (text.match(run) ?? []).map((each) => each.match(token) ?? [])
  return [...new Set(runs.filter(isExpression).map(write))]
}

function isExpression(tokens: readonly string[]): boolean {
  const isParenthesis = (each: string) => each === '(' || each === ')'
  let open = 0
  for (const each of tokens.filter(isParenthesis)) {
    open += each === '(' ? 1 : -1
    if (open < 0) return false
  }
  return open === 0 && expression.test(tokens.filter((each) => !isParenthesis(each)).join(' '))
}

function write(tokens: readonly string[]): string {
  return tokens.join(' ').replaceAll('( ', '(').replaceAll(' )', ')')
}
