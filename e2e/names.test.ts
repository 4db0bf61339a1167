/** Checks the names of the code: an exported type has one meaning everywhere. */
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript-6'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

function sourcesBelow(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`
    if (entry.isDirectory()) return sourcesBelow(file)
    return /\.tsx?$/.test(entry.name) && !/\.(test|fixture)\.tsx?$/.test(entry.name) ? [file] : []
  })
}

function exportedTypes(file: string): string[] {
  const text = fs.readFileSync(path.join(root, file), 'utf8')
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest).statements.flatMap((statement) => {
    const declares =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isClassDeclaration(statement)
    if (!declares || statement.name === undefined) return []
    const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    return isExported ? [statement.name.text] : []
  })
}

test('no exported type name is declared in two files', () => {
  const places = new Map<string, string[]>()
  for (const file of ['app', 'components', 'db', 'lib'].flatMap(sourcesBelow))
    for (const name of exportedTypes(file)) places.set(name, [...(places.get(name) ?? []), file])
  const twice = [...places].filter(([, files]) => files.length > 1)
  expect(twice.map(([name, files]) => `${name}: ${files.join(', ')}`)).toEqual([])
})
