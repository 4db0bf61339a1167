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

const cacheOf = (major) => at('node_modules', '.cache', 'loopwright', `node-${major}`)
const packageName = () => `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/**
 * A Node of this major version, downloaded once.
 * @param {number} major
 * @returns {Promise<string>} the path of its program
 */
export async function ensureOtherNode(major) {
  const cache = cacheOf(major)
  const folder = path.join(cache, 'node_modules', packageName())
  const program = path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (await runs(program, major)) return program
  fs.mkdirSync(cache, { recursive: true })
  const asked = `${packageName()}@${major}`
  const words = { name: `node ${major}`, about: 'from the npm registry', usual: '10 s' }
  await stage(words, async () => {
    const args = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', cache]
    const { output } = await npm([...args, asked])
    if (await runs(program, major)) return
    throw new SetupError(
      `Node ${major} could not be installed: npm failed to install the package ${asked}.\n${output}`,
    )
  })
  return program
}

/**
 * Variables under which `node` is this program.
 * @param {string} program
 */
export function environmentOf(program) {
  return { PATH: `${path.dirname(program)}${path.delimiter}${process.env.PATH}` }
}

async function runs(program, major) {
  if (!fs.existsSync(program)) return false
  const { code, output } = await run(program, ['--version'])
  return code === 0 && output.startsWith(`v${major}.`)
}

/**
 * Copies the project with its built pages, and links its packages.
 * @param {string} project the folder of the copy; it does not exist yet
 */
export function copyProject(project) {
  fs.mkdirSync(project)
  for (const name of fs.readdirSync(root)) {
    if (!made.has(name) && !/^\.(env|loopwright-setup\.lock)/.test(name))
      fs.cpSync(at(name), path.join(project, name), { recursive: true })
  }
  fs.cpSync(at('.next'), path.join(project, '.next'), { recursive: true, verbatimSymlinks: true })
  linkTree(at('node_modules'), path.join(project, 'node_modules'), ownParts)
}

/** The same files under another folder, linked where the disk allows it. */
function linkTree(from, to, leftOut = new Set()) {
  fs.mkdirSync(to)
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    if (leftOut.has(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(source), target)
    else if (!entry.isDirectory()) linkFile(source, target)
    else linkTree(source, target)
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
