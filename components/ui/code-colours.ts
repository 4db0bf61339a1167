/**
 * Splits code into pieces with the class of their colour, by the parsers of the code editor. Loaded when a text
 * first contains code in a language that it knows. Pure.
 */
import { javascriptLanguage, jsxLanguage, tsxLanguage, typescriptLanguage } from '@codemirror/lang-javascript'
import { jsonLanguage } from '@codemirror/lang-json'
import { StandardSQL } from '@codemirror/lang-sql'
import type { Language } from '@codemirror/language'
import { classHighlighter, highlightCode } from '@lezer/highlight'
import type { ColouredLanguage, ColouredPiece } from './coloured-languages'
import { pythonLanguage } from './python-language'

const languages: Readonly<Record<ColouredLanguage, Language>> = {
  javascript: javascriptLanguage,
  jsx: jsxLanguage,
  typescript: typescriptLanguage,
  tsx: tsxLanguage,
  json: jsonLanguage,
  python: pythonLanguage,
  sql: StandardSQL.language,
}

export function colourCode(code: string, language: ColouredLanguage): ColouredPiece[] {
  const pieces: ColouredPiece[] = []
  highlightCode(
    code,
    languages[language].parser.parse(code),
    classHighlighter,
    (text, classes) => pieces.push({ text, classes }),
    () => pieces.push({ text: '\n', classes: '' }),
  )
  return pieces
}
