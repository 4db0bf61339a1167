/**
 * Bundles our own code for plain Node: the server, the command line, and the child processes of the sandbox.
 */
import fs from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { withLock } from './lock.mjs'
import { at, digest, filesBelow, readJson, root, writeWhole } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

/**
 * The flat folder of production bundles: `serve.mjs`, `cli.mjs` and one `<name>.mjs` for each sandbox child.
 */
export const bundles = at('.next', 'loopwright')

const recipe = ['lib/setup/bundle.mjs', 'tsconfig.json']
const childEnd = '-child.ts'
const programs = { serve: 'lib/server/serve.ts', cli: 'lib/cli/main.ts' }

/**
 * The sandbox's child programs by bundle name: every `lib/sandbox/*-child.ts`.
 * @returns {Record<string, string>}
 */
export function children() {
  const sources = filesBelow('lib/sandbox', (file) => file.endsWith(childEnd))
  return Object.fromEntries(sources.map((source) => [path.basename(source, '.ts'), source]))
}

/** Every bundle: its name and its source. */
export function sources() {
  return { ...programs, ...children() }
}

/**
 * Packages that become part of a bundle of a child: those that read what others have made. The child's process may open
 * no file but its own program.
 */
const inside = [
  '@aws-lambda-powertools/jmespath',
  '@mozilla/readability',
  '@resvg/resvg-wasm',
  'fflate',
  'hast-util-to-html',
  'htmlparser2',
  'hucre',
  'just-bash',
  'linkedom',
  'mdast-util-from-markdown',
  'mdast-util-gfm',
  'mdast-util-to-hast',
  'micromark-extension-gfm',
  'papaparse',
  'turndown',
  'unpdf',
  'vega',
  'vega-interpreter',
  'vega-lite',
  'yaml',
  'zod',
]

/** Parts of those packages that nothing here uses: engines of commands of just-bash, and the canvas of linkedom. */
const absent = ['canvas', 'node-liblzma', '@mongodb-js/zstd', 'quickjs-emscripten', 'sql.js']
const inPackages = `${path.sep}node_modules${path.sep}`

/** @param {readonly string[]} inside the packages that become part of the bundle */
const packages = (inside) => ({
  name: 'packages',
  setup(build) {
    build.onResolve({ filter: /^[^.#/]/ }, ({ path: name, importer, kind }) => {
      // Only Node knows its own modules without their prefix.
      if (isBuiltin(name)) return { path: name.startsWith('node:') ? name : `node:${name}`, external: true }
      if (absent.includes(name)) return { path: name, namespace: 'absent' }
      const isInside = inside.some((each) => name === each || name.startsWith(`${each}/`))
      // Its build for Node is of a form that cannot be part of such a bundle; the other one is the same code.
      if (name === 'yaml') return { path: at('node_modules', 'yaml', 'browser', 'index.js') }
      if (kind === 'entry-point' || isInside || importer.includes(inPackages)) return undefined
      return { path: name, external: true }
    })
    build.onLoad({ filter: /./, namespace: 'absent' }, () => ({ contents: 'export default undefined' }))
  },
})

/**
 * The esbuild options. Other packages stay in node_modules, where a bundle finds them because its
 * folder is below the project.
 * @param {Record<string, string>} entries bundle names and their sources
 * @param {string} folder where the bundles go, absolute
 * @param {boolean} [isChild] whether they are child programs of the sandbox
 * @returns {import('esbuild').BuildOptions & { metafile: true }}
 */
export function recipeOf(entries, folder, isChild = false) {
  return {
    absWorkingDir: root,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ out, in: source })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    plugins: [packages(isChild ? inside : [])],
    // Would be needed only to draw the pages of a PDF.
    external: ['@napi-rs/canvas'],
    platform: 'node',
    format: 'esm',
    target: 'node20',
    tsconfig: at('tsconfig.json'),
    metafile: true,
    logLevel: 'silent',
  }
}

/**
 * The same for programs and children together: a program shares its packages with others that it loads, while a child
 * has everything that it may read in one file.
 * @param {Record<string, string>} entries
 * @param {string} folder
 */
export function recipesOf(entries, folder) {
  const ofKind = (isChild) =>
    Object.fromEntries(Object.entries(entries).filter(([, source]) => source.endsWith(childEnd) === isChild))
  return [false, true]
    .filter((isChild) => Object.keys(ofKind(isChild)).length > 0)
    .map((isChild) => recipeOf(ofKind(isChild), folder, isChild))
}

const stampOf = (name) => path.join(bundles, `${name}.json`)

function isFresh(name, source) {
  const stamp = readJson(stampOf(name))
  if (stamp?.source !== source || !fs.existsSync(path.join(bundles, `${name}.mjs`))) return false
  return stamp.hash === digest([...recipe, ...stamp.inputs])
}

function stale(entries) {
  return Object.fromEntries(Object.entries(entries).filter(([name, source]) => !isFresh(name, source)))
}

async function build(entries) {
  const { build: bundle, formatMessages } = await import('esbuild')
  let results
  try {
    results = await Promise.all(
      recipesOf(entries, bundles).map((recipe) => bundle({ ...recipe, write: false })),
    )
  } catch (error) {
    if (!error.errors) throw error
    const told = await formatMessages(error.errors, { kind: 'error' })
    throw new SetupError(
      `The sources cannot be bundled. See the errors with: npm run check\n${told.join('')}`,
    )
  }
  const outputs = results.flatMap(({ metafile }) => Object.values(metafile.outputs))
  for (const { path: file, contents } of results.flatMap(({ outputFiles }) => outputFiles)) {
    writeWhole(file, contents)
  }
  for (const [name, source] of Object.entries(entries)) {
    const inputs = Object.keys(outputs.find((output) => output.entryPoint === source)?.inputs ?? {}).sort()
    writeWhole(stampOf(name), JSON.stringify({ source, hash: digest([...recipe, ...inputs]), inputs }))
  }
}

/**
 * Builds the bundles that are missing or older than their sources, without `next build`.
 * @param {Record<string, string>} [entries] the bundles to build, all by default
 */
export async function ensureBundled(entries = sources()) {
  const missing = Object.values(entries).find((source) => !fs.existsSync(at(source)))
  if (missing) throw new SetupError(`${missing} is missing. Restore it with: git checkout -- ${missing}`)
  const isDone = () => Object.keys(stale(entries)).length === 0
  if (isDone()) return
  await withLock(async () => {
    if (isDone()) return
    const words = { name: 'bundle', about: 'server, command line and sandbox', usual: '1 s' }
    await stage(words, () => build(stale(entries)))
  })
}
