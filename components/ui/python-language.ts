/** Colours for Python in the code editor and in answers: a reader of tokens, line by line. */
import { StreamLanguage, type StringStream } from '@codemirror/language'

const keywords = new Set(
  'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)
const atoms = new Set(['True', 'False', 'None'])

interface State {
  /** The quotes that end the text which goes on from the line before. */
  readonly open: { quotes: string | null }
  indent: number
}

export const pythonLanguage = StreamLanguage.define<State>({
  name: 'python',
  startState: () => ({ open: { quotes: null }, indent: 0 }),
  copyState: ({ open, indent }) => ({ open: { ...open }, indent }),
  token: readToken,
  indent(state, textAfter, { unit }) {
    return /^\s*(elif|else|except|finally)\b/.test(textAfter)
      ? Math.max(0, state.indent - unit)
      : state.indent
  },
  languageData: {
    commentTokens: { line: '#' },
    indentOnInput: /^\s*(elif|else|except|finally)\b.*:$/,
    closeBrackets: { brackets: ['(', '[', '{', "'", '"'] },
  },
})

function readToken(stream: StringStream, state: State): string | null {
  if (state.open.quotes !== null) return readText(stream, state, state.open.quotes)
  if (stream.sol()) noteIndent(stream, state)
  if (stream.eatSpace()) return null
  if (stream.match(/^#.*/)) return 'comment'
  const text = stream.match(/^[a-zA-Z]{0,2}('''|"""|'|")/)
  if (Array.isArray(text)) return readText(stream, state, text[1] ?? "'")
  if (stream.match(/^(0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(\d[\d_]*)?\.?\d[\d_]*([eE][+-]?\d+)?j?)/))
    return 'number'
  if (stream.match(/^@[\w.]+/)) return 'meta'
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u)
  if (Array.isArray(word)) return wordToken(word[0])
  stream.next()
  return null
}

/** A new line is indented like the one before, and one step further after a colon. */
function noteIndent(stream: StringStream, state: State): void {
  const line = stream.string
  if (line.trim() !== '')
    state.indent = stream.indentation() + (/:\s*(#.*)?$/.test(line) ? stream.indentUnit : 0)
}

function wordToken(word: string): string | null {
  if (atoms.has(word)) return 'atom'
  return keywords.has(word) ? 'keyword' : 'variableName'
}

/** Reads a text to its end or to the end of the line; only one in triple quotes goes on after that. */
function readText(stream: StringStream, state: State, quotes: string): string {
  state.open.quotes = quotes.length === 3 ? quotes : null
  while (!stream.eol()) {
    if (stream.match(quotes)) {
      state.open.quotes = null
      break
    }
    if (stream.next() === '\\') stream.next()
  }
  return 'string'
}
