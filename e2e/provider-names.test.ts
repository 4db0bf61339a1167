/** Checks that a provider's name occurs only in its own folder: adding one changes no other product file. */
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript-6'
import { expect, test } from 'vitest'
import { providers } from '#lib/models'
import { servicesOf } from '#lib/server/providers/homes'
import { addressVariable, keyVariable } from '#lib/spec/variables'

const root = path.resolve(import.meta.dirname, '..')

/** Files that may contain such a name, with the reason. */
const justified: ReadonlyMap<string, string> = new Map([
  ['components/models/model-names.ts', 'Families of models: any endpoint may list those of any maker.'],
  ['components/connect/ways.ts', 'Programs that connect to an agent are named after their makers.'],
  ['components/settings/price-draft.ts', 'The name of a model as an example, in a message.'],
  ['components/settings/prices.tsx', 'The name of a model as an example, in an empty field.'],
  ['components/dialogue/run-dialogue.tsx', 'The scripted model is the default, and is shown as no AI.'],
  ['lib/server/agents/template-analyst.ts', 'The template plays a script, so it names the scripted model.'],
  ['lib/server/agents/template-planner.ts', 'The template plays a script, so it names the scripted model.'],
  ['lib/server/agents/template-analyst.ts', 'The template plays a script, so it names the scripted model.'],
  ['lib/spec/config.ts', 'The default model stands in the format of configs.'],
])

const ids = new Set(providers.map(({ id }) => id))
const variables = servicesOf(providers).flatMap(({ id }) => [keyVariable(id), addressVariable(id)])
const hosts = servicesOf(providers).flatMap(({ service }) => new URL(service?.baseUrl ?? '').host)
const families = ['gpt-', 'claude-']

function namesAProvider(text: string): boolean {
  return ids.has(text) || [...variables, ...hosts, ...families].some((each) => text.includes(each))
}

/** The texts of a file that name a provider, without the paths of the provider's own modules. */
function namesIn(file: string, text: string): string[] {
  // Parsing is slow, and few files contain such a name.
  if (![...ids, ...variables, ...hosts, ...families].some((each) => text.includes(each))) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node)
    if ((isText || ts.isRegularExpressionLiteral(node)) && namesAProvider(node.text))
      found.push(`${file}: ${node.text}`)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false))
  return found
}

const files = ['app', 'components', 'db', 'lib'].flatMap((room) =>
  fs
    .readdirSync(path.join(root, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\.(test|fixture)\.tsx?$/.test(file))
    .map((file) => path.posix.join(room, file)),
)
const read = (file: string) => fs.readFileSync(path.join(root, file), 'utf8')

/** Whether a file is in the folder of a provider; shared files are in `wire` and next to the folders. */
function isOfProvider(file: string): boolean {
  const [, folder] = /^lib\/models\/(\w+)\//.exec(file) ?? []
  return folder !== undefined && folder !== 'wire'
}

test('no file outside the folders of providers names a provider, its variables, its host or its models', () => {
  const named = files
    .filter((file) => !isOfProvider(file) && !justified.has(file))
    .flatMap((file) => namesIn(file, read(file)))
  expect(named).toEqual([])
})

test('every exception is one', () => {
  expect([...justified.keys()].filter((file) => namesIn(file, read(file)).length === 0)).toEqual([])
})
