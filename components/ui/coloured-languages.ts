/** The languages whose code is coloured, by the names that answers give them. */

export type ColouredLanguage = 'javascript' | 'jsx' | 'typescript' | 'tsx' | 'json' | 'python' | 'sql'

export interface ColouredPiece {
  readonly text: string
  /** Class names, as `tok-keyword`; empty for plain text. */
  readonly classes: string
}

const names: Readonly<Record<string, ColouredLanguage>> = {
  js: 'javascript',
  mjs: 'javascript',
  javascript: 'javascript',
  jsx: 'jsx',
  ts: 'typescript',
  typescript: 'typescript',
  tsx: 'tsx',
  json: 'json',
  json5: 'json',
  py: 'python',
  python: 'python',
  sql: 'sql',
  sqlite: 'sql',
  postgres: 'sql',
  postgresql: 'sql',
  mysql: 'sql',
}

/** Characters. A parser may take long for more, and few people read more. */
const longest = 20_000

/** Undefined if the code stays without colours. */
export function colouredLanguage(language: string, code: string): ColouredLanguage | undefined {
  return code.length > longest ? undefined : names[language.trim().toLowerCase()]
}
