/**
 * Installs the packages if they differ from what is required, and makes sure that the native module loads.
 */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { sqlitePackage } from '../sqlite/package.mjs'
import { npm, run } from './child.mjs'
import { withLock } from './lock.mjs'
import { at, readJson, readText, writeWhole } from './place.mjs'
import { SetupError, stage } from './stage.mjs'

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies']
/** Scripts of packages are left out: the only one that is needed builds the database module, see `buildNative`. */
const quiet = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
const stampFile = () => at('node_modules', '.loopwright-setup.json')

function wanted() {
  const manifest = readJson(at('package.json')) ?? {}
  const asked = JSON.stringify([...kinds, 'overrides'].map((kind) => manifest[kind] ?? null))
  const hash = createHash('sha256')
    .update(asked)
    .update(readText(at('package-lock.json')) ?? '')
  return {
    packages: hash.digest('hex'),
    target: `${process.platform}-${process.arch}`,
    abi: process.versions.modules,
  }
}

/**
 * Whether npm's own record of the installed packages fits the lock file: then someone has
 * already installed them by hand.
 * @param {any} manifest package.json
 * @param {any} lock package-lock.json
 * @param {any} installed node_modules/.package-lock.json
 */
export function isInstalledAsLocked(manifest, lock, installed) {
  if (!lock?.packages || !installed?.packages) return false
  const top = lock.packages[''] ?? {}
  const same = (a, b) =>
    JSON.stringify(Object.entries(a ?? {}).sort()) === JSON.stringify(Object.entries(b ?? {}).sort())
  if (!kinds.every((kind) => same(manifest[kind], top[kind]))) return false
  return Object.entries(lock.packages).every(
    ([place, entry]) =>
      place === '' ||
      entry.optional ||
      entry.devOptional ||
      installed.packages[place]?.version === entry.version,
  )
}

/**
 * One sentence on why an installation failed and how to fix it.
 * @param {string} output what npm wrote
 * @param {NodeJS.Platform} [platform]
 * @returns {string | undefined} undefined if it is not one of the usual reasons
 */
export function installAdvice(output, platform = process.platform) {
  // Checked first, because npm's summary of a failed compilation also contains the
  // download that it tried before.
  const compiling = /gyp ERR!|node-gyp|prebuild-install/.test(output)
  const lacks =
    /find Python|not found: make|(g\+\+|gcc|cc|c\+\+|clang|make): (command )?not found|find Visual Studio|No Xcode|xcrun: error|no developer tools/i
  if (compiling && lacks.test(output)) return compilerAdvice(platform)
  const network =
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b[^\n]*/.exec(
      output,
    )
  if (network) {
    return `The package registry could not be reached (${network[0].slice(0, 120).trim()}). Check the connection, or set a proxy with: npm config set proxy http://host:port`
  }
  if (/\b(EACCES|EPERM|EROFS)\b/.test(output)) {
    return 'npm has no permission to write here. Take ownership of the folders with: sudo chown -R "$(id -u)" . "$HOME/.npm"'
  }
  if (/\bENOSPC\b/.test(output))
    return 'The disk is full. Free about 1 GB; one way is: npm cache clean --force'
  if (compiling) return compilerAdvice(platform)
  return undefined
}

function compilerAdvice(platform) {
  const start = 'The database module could not be compiled because a compiler is missing'
  if (platform === 'darwin') return `${start}. Install one with: xcode-select --install`
  if (platform === 'win32')
    return `${start}. Install one with: winget install Microsoft.VisualStudio.2022.BuildTools`
  if (fs.existsSync('/usr/bin/apt-get')) {
    return `${start}. Install one with: ${sudo()}apt-get install -y build-essential python3`
  }
  if (fs.existsSync('/usr/bin/dnf'))
    return `${start}. Install one with: ${sudo()}dnf install -y gcc-c++ make python3`
  if (fs.existsSync('/sbin/apk')) return `${start}. Install one with: ${sudo()}apk add build-base python3`
  return `${start}. Install a C++ compiler, make and Python 3, then run: npm start`
}

const sudo = () => (process.getuid?.() === 0 ? '' : 'sudo ')

function failed(output) {
  const advice = installAdvice(output)
  if (advice) return new SetupError(advice)
  return new SetupError(
    `npm could not install the packages. See the errors with: npm ci --include=dev\n${output.slice(-3000)}`,
  )
}

async function install() {
  const lock = readText(at('package-lock.json'))
  if (lock !== undefined) {
    const { code, output } = await npm(['ci', ...quiet])
    if (code === 0) return
    // `npm ci` rejects a lock file that was written where the registry lacks packages of other platforms,
    // although the file is fine for this one.
    if (!/\bEUSAGE\b|Missing: .* from lock file/.test(output)) throw failed(output)
  }
  const { code, output } = await npm(['install', '--no-save', ...quiet])
  if (lock !== undefined && readText(at('package-lock.json')) !== lock)
    writeWhole(at('package-lock.json'), lock)
  if (code !== 0) throw failed(output)
}

async function isNativeLoading() {
  const program = `new (require('${sqlitePackage}'))(':memory:').close()`
  const { code } = await run(process.execPath, ['-e', program])
  return code === 0
}

/**
 * Builds the database module. Version 12 is downloaded as built, or else compiled; version 13 comes as built for the
 * usual platforms, and is compiled only for others.
 */
function buildNative() {
  return sqlitePackage === 'better-sqlite3-12'
    ? npm(['rebuild', sqlitePackage, '--loglevel=error'])
    : npm(['run', 'build-release', '--prefix', at('node_modules', sqlitePackage)])
}

async function ensureNative() {
  if (await isNativeLoading()) return
  const words = { name: 'build', about: 'the database module for this Node', usual: '1 to 2 min' }
  await stage(words, async () => {
    const { output } = await buildNative()
    if (await isNativeLoading()) return
    throw new SetupError(installAdvice(output) ?? compilerAdvice(process.platform))
  })
}

async function catchUp(want, isPlaced) {
  const isByHand = () =>
    isInstalledAsLocked(
      readJson(at('package.json')),
      readJson(at('package-lock.json')),
      readJson(at('node_modules', '.package-lock.json')),
    )
  if (!isPlaced && !isByHand()) {
    await stage({ name: 'install', about: 'packages', usual: '1 to 3 min' }, install)
  }
  await ensureNative()
  writeWhole(stampFile(), JSON.stringify(want))
}

/** Installs what package.json and the lock file require, unless it is already installed. */
export async function ensureInstalled() {
  const want = wanted()
  const isDone = () => JSON.stringify(readJson(stampFile())) === JSON.stringify(want)
  if (isDone()) return
  await withLock(async () => {
    if (isDone()) return
    const have = readJson(stampFile())
    await catchUp(want, have?.packages === want.packages && have.target === want.target)
  })
}
