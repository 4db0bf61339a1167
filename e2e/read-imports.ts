/** Reads the imports of a source file with the compiler's own parser. */
import path from 'node:path'
import ts from 'typescript-6'

export interface Import {
  /**
   * The imported module: a path of the project without its extension (`lib/spec/tool`), or a package as
   * written.
   */
  readonly target: string
  readonly isOurs: boolean
  /** Whether compiling removes it. */
  readonly isType: boolean
}

function isTypeOnly(node: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  const clause = ts.isImportDeclaration(node) ? node.importClause : node
  if (!clause) return false
  if (clause.isTypeOnly) return true
  if (ts.isImportClause(clause) && clause.name) return false
  const named = ts.isImportClause(clause) ? clause.namedBindings : clause.exportClause
  if (!named || !(ts.isNamedImports(named) || ts.isNamedExports(named))) return false
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly)
}

function target(file: string, words: string): Pick<Import, 'target' | 'isOurs'> {
  const place = words.startsWith('#')
    ? words.slice(1)
    : words.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), words)
      : undefined
  if (place === undefined) return { target: words, isOurs: false }
  return { target: place.replace(/\.(tsx?|mjs|js|json)$/, ''), isOurs: true }
}

/**
 * Every import of a file: static, re-exported, dynamic, and types named by `import('…')`.
 * @param file its path relative to the project, with forward slashes
 * @param text its content
 */
export function readImports(file: string, text: string): Import[] {
  const found: Import[] = []
  const add = (words: ts.Node | undefined, isType: boolean) => {
    if (words && ts.isStringLiteralLike(words)) found.push({ ...target(file, words.text), isType })
  }
  const visit = (node: ts.Node): void => {
    if (isImport(node)) {
      add(node.moduleSpecifier, isTypeOnly(node))
    } else if (ts.isImportTypeNode(node)) {
      add(ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined, true)
    } else if (ts.isCallExpression(node) && isLoading(node.expression)) {
      add(node.arguments[0], false)
    }
    ts.forEachChild(node, visit)
  }
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false)
  // Imports within other statements are calls or types; most files have none, and only their top level is read.
  if (/\b(import|require)\s*\(/.test(text)) visit(source)
  else for (const statement of source.statements) if (isImport(statement)) visit(statement)
  return found
}

function isImport(node: ts.Node): node is ts.ImportDeclaration | ts.ExportDeclaration {
  return ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === 'require')
}
