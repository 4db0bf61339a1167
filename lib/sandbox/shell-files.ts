/**
 * The files of a script in just-bash: in memory, read from a folder before the script and written back after it.
 * Links exist only in memory, so a script cannot reach another file through one.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { InMemoryFs } from 'just-bash'

/** The workspace as the script sees it. */
export const workspace = '/workspace'
interface Known {
  readonly kind: 'file' | 'folder'
  /** The content as it was read; a file with other bytes is written back. */
  readonly bytes?: Uint8Array
  readonly isProgram?: boolean
}
export type Loaded = ReadonlyMap<string, Known>

/**
 * Reads the folder, which holds only plain files and folders, into memory.
 * @param inside where the script sees it
 */
export function loadFolder(folder: string, files: InMemoryFs, inside = workspace): Loaded {
  const known = new Map<string, Known>()
  files.mkdirSync(inside, { recursive: true })
  const pending = ['']
  for (let above = pending.pop(); above !== undefined; above = pending.pop()) {
    for (const { name } of fs.readdirSync(path.join(folder, above), { withFileTypes: true })) {
      const at = above === '' ? name : `${above}/${name}`
      const stats = fs.lstatSync(path.join(folder, at))
      if (stats.isDirectory()) {
        files.mkdirSync(`${inside}/${at}`, { recursive: true })
        known.set(at, { kind: 'folder' })
        pending.push(at)
      } else if (stats.isFile()) {
        const bytes = fs.readFileSync(path.join(folder, at))
        const isProgram = (stats.mode & 0o100) !== 0
        const mode = isProgram ? 0o755 : 0o644
        files.writeFileSync(`${inside}/${at}`, new Uint8Array(bytes), undefined, {
          mode,
          mtime: stats.mtime,
        })
        known.set(at, { kind: 'file', bytes, isProgram })
      }
    }
  }
  return known
}

/** Writes what changed in memory back to the folder. Throws file system errors. */
export async function storeFolder(folder: string, files: InMemoryFs, loaded: Loaded): Promise<void> {
  const now = new Map<string, Known>()
  for (const each of files.getAllPaths().sort()) {
    if (!each.startsWith(`${workspace}/`)) continue
    const stats = await files.lstat(each)
    const at = each.slice(workspace.length + 1)
    if (stats.isDirectory) now.set(at, { kind: 'folder' })
    else if (stats.isFile && !stats.isSymbolicLink) {
      now.set(at, {
        kind: 'file',
        bytes: await files.readFileBuffer(each),
        isProgram: (stats.mode & 0o100) !== 0,
      })
    }
  }
  const gone = [...loaded.keys()].filter((at) => now.get(at)?.kind !== loaded.get(at)?.kind)
  for (const at of gone.sort().reverse()) fs.rmSync(path.join(folder, at), { recursive: true, force: true })
  for (const [at, entry] of now) store(path.join(folder, at), entry, loaded.get(at))
}

function store(target: string, entry: Known, before: Known | undefined): void {
  if (entry.kind === 'folder') {
    fs.mkdirSync(target, { recursive: true, mode: 0o700 })
    return
  }
  const { bytes = new Uint8Array(), isProgram = false } = entry
  const isSame = before?.bytes !== undefined && Buffer.compare(before.bytes, bytes) === 0
  if (isSame && before?.isProgram === isProgram) return
  fs.rmSync(target, { force: true })
  fs.writeFileSync(target, bytes, { mode: isProgram ? 0o700 : 0o600 })
}
