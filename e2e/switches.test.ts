/**
 * Checks that every `switch` of the product handles every kind, or says in a comment why the rest needs
 * nothing.
 */
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript-6'
import { describe, expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const rooms = ['app', 'components', 'db', 'lib']

const files = rooms.flatMap((room) =>
  fs
    .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.(test|fixture)\.tsx?$/.test(file))
    .map((file) => path.join(room, file)),
)

/** The places of switches that neither end in `satisfies never` nor have a default with a comment in it. */
function openSwitches(file: string, text: string): string[] {
  // Parsing is slow, and most files have no switch.
  if (!text.includes('switch (')) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isSwitchStatement(node) && !isClosed(node) && !saysWhy(node, text)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push(`${file}:${line + 1} switch (${node.expression.getText()})`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/**
 * `satisfies never` is in the default, or in the statement after the switch, where every kind has been
 * handled.
 */
function isClosed(node: ts.SwitchStatement): boolean {
  const inDefault = node.caseBlock.clauses.find(ts.isDefaultClause)?.statements ?? []
  const block = node.parent
  const isList = ts.isBlock(block) || ts.isCaseOrDefaultClause(block) || ts.isSourceFile(block)
  const statements: readonly ts.Node[] = isList ? block.statements : []
  const after = statements[statements.indexOf(node) + 1]
  return [...inDefault, ...(after === undefined ? [] : [after])].some(hasSatisfiesNever)
}

function hasSatisfiesNever(node: ts.Node): boolean {
  if (ts.isSwitchStatement(node)) return false
  if (ts.isSatisfiesExpression(node) && node.type.kind === ts.SyntaxKind.NeverKeyword) return true
  return ts.forEachChild(node, (child) => hasSatisfiesNever(child) || undefined) ?? false
}

function saysWhy(node: ts.SwitchStatement, text: string): boolean {
  const clause = node.caseBlock.clauses.find(ts.isDefaultClause)
  if (clause === undefined) return false
  const [first] = clause.statements
  const at = [clause.pos, first?.getFullStart(), blockStart(first)]
  return at.some((each) => each !== undefined && hasComment(text, each))
}

/** Where the first statement of a default in braces begins. */
function blockStart(first: ts.Statement | undefined): number | undefined {
  return first !== undefined && ts.isBlock(first) ? first.statements[0]?.getFullStart() : undefined
}

function hasComment(text: string, at: number): boolean {
  return (ts.getLeadingCommentRanges(text, at) ?? []).length > 0
}

describe('every switch', () => {
  test('of the product ends in `satisfies never`, or has a default that says why the rest needs nothing', () => {
    expect(
      files.flatMap((file) => openSwitches(file, fs.readFileSync(path.join(root, file), 'utf8'))),
    ).toEqual([])
  })

  test.each([
    ['has no default', 'switch (a) { case 1: break }'],
    ['has a default without a word', 'switch (a) { case 1: break; default: break }'],
    ['has a comment elsewhere', 'switch (a) { // one\n case 1: break; default: break }\n// after'],
    ['has the check of another switch', 'switch (a) { default: switch (b) { default: b satisfies never } }'],
    ['is followed by something else', 'switch (a) { case 1: break }\nrun()\na satisfies never'],
  ])('is found that %s', (_, text) => {
    expect(openSwitches('x.ts', text)).toEqual([expect.stringContaining('x.ts:1 switch (a)')])
  })

  test.each([
    'switch (a) { case 1: break }\na satisfies never',
    'function f() { switch (a) { case 1: return 2 }\n return a satisfies never }',
    'switch (a) { case 1: break; default: a satisfies never }',
    'switch (a) { case 1: break; default:\n // The rest needs nothing.\n break }',
    'switch (a) { case 1: break; default: {\n // The rest needs nothing.\n run() } }',
  ])('is taken: %s', (text) => {
    expect(openSwitches('x.ts', text)).toEqual([])
  })
})
