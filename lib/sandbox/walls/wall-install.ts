/**
 * Installs Deno and Pyodide for the sandbox: downloads a pinned archive or takes one from a file, checks it, unpacks
 * it, and puts it in its place at once.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { downloadPackage } from './npm-client'
import { BadArchive, unpack } from './tgz'
import { folderName, packageFor, type WallName, type WallPackage } from './wall-packages'

export interface InstallProgress {
  readonly phase: 'downloading' | 'checking' | 'unpacking'
  /** Bytes so far, of `total`; only known while downloading. */
  readonly bytes: number
  readonly total: number
}

export interface InstallRequest {
  /** The folder of all such packages, absolute. */
  readonly installed: string
  /** The archive as a file; downloaded from the registry of npm when absent. */
  readonly from?: string
  readonly signal: AbortSignal
  progress?(progress: InstallProgress): void
}

export type InstallAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Where a package is or will be, whether or not it is there. */
export function installedFolder(installed: string, name: WallName): string {
  const found = packageFor(name)
  return path.join(installed, found === undefined ? name : folderName(found))
}

export function isInstalled(installed: string, wanted: WallPackage): boolean {
  return existsSync(path.join(installed, folderName(wanted), wanted.program))
}

/** Versions of a package on disk, the pinned one and others. */
function foldersOf(installed: string, name: WallName): string[] {
  if (!existsSync(installed)) return []
  return readdirSync(installed).filter((each) => each.startsWith(`${name}-`))
}

/** Installs a package; other versions of it are removed. Never throws. */
export async function installPackage(wanted: WallPackage, request: InstallRequest): Promise<InstallAnswer> {
  const { installed, signal } = request
  const staging = path.join(installed, `incoming-${randomBytes(6).toString('hex')}`)
  try {
    await mkdir(staging, { recursive: true, mode: 0o700 })
    const archive = await archiveOf(wanted, staging, request)
    if (!archive.ok) return signal.aborted ? cancelled : archive
    request.progress?.({ phase: 'checking', bytes: 0, total: wanted.downloadBytes })
    const actual = await integrityOf(archive.file, signal)
    if (actual !== wanted.integrity) return refuse(wrongContent(wanted, request.from))
    request.progress?.({ phase: 'unpacking', bytes: 0, total: wanted.unpackedBytes })
    const unpacked = path.join(staging, 'unpacked')
    await mkdir(unpacked)
    await unpack({ file: archive.file, to: unpacked, maxBytes: wanted.unpackedBytes * 2, signal })
    if (!existsSync(path.join(unpacked, wanted.program)))
      return refuse(`The archive of ${wanted.name} has no file ${wanted.program}.`)
    for (const each of foldersOf(installed, wanted.name))
      await rm(path.join(installed, each), { recursive: true, force: true })
    await rename(unpacked, path.join(installed, folderName(wanted)))
    return { ok: true }
  } catch (error) {
    if (signal.aborted) return cancelled
    if (error instanceof BadArchive) return refuse(error.message)
    if (!(error instanceof Error && 'code' in error)) throw error
    return refuse(`${wanted.name} could not be written to ${installed} (${String(error.code)}).`)
  } finally {
    await rm(staging, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Removes every version of a package. Returns whether there was one. */
export async function removePackage(installed: string, name: WallName): Promise<boolean> {
  const folders = foldersOf(installed, name)
  for (const each of folders) await rm(path.join(installed, each), { recursive: true, force: true })
  return folders.length > 0
}

/** Deletes what an installation that was cut off has left behind. */
export async function sweepInstallations(installed: string): Promise<void> {
  const names = await readdir(installed).catch(() => [])
  for (const each of names.filter((name) => name.startsWith('incoming-'))) {
    const folder = path.join(installed, each)
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > staleMs) await rm(folder, { recursive: true, force: true })
  }
}

/** A younger one may belong to an installation at the command line. */
const staleMs = 60 * 60_000

const cancelled: InstallAnswer = {
  ok: false,
  message: 'The installation was cancelled. Nothing was changed.',
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}

function wrongContent({ name, version, npm }: WallPackage, from: string | undefined): string {
  const wanted = `${name} ${version} (the npm package ${npm}@${version})`
  return from === undefined
    ? `The registry sent other content than ${wanted} has. Nothing was installed.`
    : `The file is not the archive of ${wanted}: its checksum differs. Nothing was installed.`
}

type Archive = { readonly ok: true; readonly file: string } | { readonly ok: false; readonly message: string }

async function archiveOf(
  wanted: WallPackage,
  staging: string,
  { from, signal, progress }: InstallRequest,
): Promise<Archive> {
  if (from !== undefined) {
    const isFile = await stat(from).then(
      (found) => found.isFile(),
      () => false,
    )
    return isFile ? { ok: true, file: from } : refuse(`There is no file ${from}.`)
  }
  const total = wanted.downloadBytes
  const report = async () => {
    const bytes = await bytesBelow(path.join(staging, 'cache'))
    progress?.({ phase: 'downloading', bytes: Math.min(bytes, total), total })
  }
  progress?.({ phase: 'downloading', bytes: 0, total })
  const timer = setInterval(() => void report(), 300)
  try {
    const downloaded = await downloadPackage(wanted, staging, signal)
    if (!downloaded.ok) return downloaded
  } finally {
    clearInterval(timer)
  }
  const [name] = (await readdir(staging)).filter((each) => each.endsWith('.tgz'))
  return name === undefined
    ? refuse('npm downloaded no archive.')
    : { ok: true, file: path.join(staging, name) }
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    bytes += await stat(path.join(entry.parentPath, entry.name)).then(
      ({ size }) => size,
      () => 0,
    )
  }
  return bytes
}

async function integrityOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha512')
  for await (const chunk of createReadStream(file, { signal })) hash.update(chunk)
  return `sha512-${hash.digest('base64')}`
}
