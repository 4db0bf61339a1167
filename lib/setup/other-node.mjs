/** Another version of Node, and a copy of the project that runs on it; all of it comes from the npm registry. */
import fs from 'node:fs'
import path from 'node:path'
import { npm, run } from './child.mjs'
import { at, root } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

/** Top-level entries that are not sources; `.next` is copied apart, and packages are linked. */
const made = new Set(['.git', '.next', 'data', 'node_modules', 'test-results'])
/** Below `node_modules`: what belongs to one folder of one Node. */
const ownParts = new Set(['.cache', '.vite', '.vite-temp'])
const addon = path.join('build', 'Release', 'better_sqlite3.node')

const cacheOf = (major) => at('node_modules', '.cache', 'loopwright', `node-${major}`)
const packageName = () => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/**
 * A Node of this major version: downloaded once, with the headers that native modules are compiled against.
 * @param {number} major
 * @returns {Promise<{ program: string, folder: string }>} the binary, and the package it came in
 */
export async function ensureOtherNode(major) {
  const cache = cacheOf(major)
  const folder = path.join(cache, 'node_modules', packageName())
  const program = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (await runs(program, major)) return { program, folder }
  fs.mkdirSync(cache, { recursive: true })
  const asked = `${packageName()}@${major}`
  const words = { name: `node ${major}`, about: 'from the npm registry', usual: '10 s' }
  await stage(words, async () => {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', cache]
    const { output } = await npm([...args, asked])
    if (await runs(program, major)) return
    throw new SetupError(
      `Node ${major} could not be had: the npm package ${asked} does not install.\n${output}`,
    )
  })
  return { program, folder }
}

/**
 * Variables under which `node` is this Node, and native modules are compiled against its headers.
 * @param {{ program: string, folder: string }} node
 */
export function environmentOf({ program, folder }) {
  return {
    PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}`,
    npm_config_nodedir: folder,
  }
}

async function runs(program, major) {
  if (!fs.existsSync(program)) return false
  const { code, output } = await run(program, ['--version'])
  return code === 0 && output.startsWith(`v${major}.`)
}

/**
 * Copies the project with its built pages, and links its packages but for the native module, which is compiled for
 * this Node once and kept.
 * @param {number} major
 * @param {{ program: string, folder: string }} node
 * @param {string} project the folder of the copy; it does not exist yet
 */
export async function copyProject(major, node, project) {
  fs.mkdirSync(project)
  for (const name of fs.readdirSync(root)) {
    if (!made.has(name) && !/^\.(env|loopwright-setup\.lock)/.test(name))
      fs.cpSync(at(name), path.join(project, name), { recursive: true })
  }
  fs.cpSync(at('.next'), path.join(project, '.next'), { recursive: true, verbatimSymlinks: true })
  linkTree(at('node_modules'), path.join(project, 'node_modules'), ownParts)
  await placeAddon(major, node, path.join(project, 'node_modules', 'better-sqlite3'))
}

/** The same files under another folder, linked where the disk allows it. */
function linkTree(from, to, leftOut) {
  fs.mkdirSync(to)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target)
    else if (!entry.isDirectory()) linkFile(source, target)
    else linkTree(source, target, entry.name === 'better-sqlite3' ? new Set(['build']) : new Set())
  }
}

function linkFile(source, target) {
  try {
    fs.linkSync(source, target)
  } catch {
    // The copy is on another disk.
    fs.copyFileSync(source, target)
  }
}

async function placeAddon(major, { program, folder }, module) {
  const { version } = JSON.parse(fs.readFileSync(path.join(module, 'package.json'), 'utf8'))
  const target = path.join(module, addon)
  const kept = path.join(cacheOf(major), `better-sqlite3-${version}.node`)
  if (fs.existsSync(kept)) {
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.copyFileSync(kept, target)
    if (await loads(program, module)) return
  }
  const words = { name: `node ${major}`, about: 'the database module compiled for it', usual: '1 to 2 min' }
  await stage(words, async () => {
    const { output } = await npm(['rebuild', 'better-sqlite3', '--loglevel=error', '--foreground-scripts'], {
      node: program,
      cwd: path.resolve(module, '../..'),
      env: environmentOf({ program, folder }),
    })
    if (!(await loads(program, module)))
      throw new SetupError(
        `The database module could not be compiled for Node ${major}.\n${output.slice(-3000)}`,
      )
    fs.copyFileSync(target, kept)
  })
}

async function loads(program, module) {
  const { code } = await run(program, ['-e', `new (require(${JSON.stringify(module)}))(':memory:').close()`])
  return code === 0
}
