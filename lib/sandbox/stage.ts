/** A temporary folder with a copy of a thread's files for one script, and what the script changed in it. */
import { lstatSync } from 'node:fs'
import { chmod, lstat, mkdir, mkdtemp, opendir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { FileAnswer, FolderChange } from '#lib/spec/sandbox'
import { maxStagedBytes, type ScriptRequest } from '#lib/spec/walls'
import { absent, done, fault } from './workspace-faults'
import { isName } from './workspace-path'
import { quota } from './workspace-walk'

export interface ScriptStage {
  /** The copies of the files. */
  readonly folder: string
  /** An empty folder for everything else. */
  readonly scratch: string
  /** Folders that the script can only read, each with where it sees it. */
  readonly readable: readonly (readonly [outside: string, inside: string])[]
  readonly before: Snapshot
  remove(): Promise<void>
}

/** Enough of each file to see whether it changed; `folder` for a folder. */
type Snapshot = ReadonlyMap<string, string>

export interface StageChange extends FolderChange {
  /** Links, special files and files with names that a workspace cannot have. */
  readonly ignored: number
}

/** Copies the files of a request. Throws file system errors of the temporary folder. */
export async function openStage(
  { files, only, readOnly = [] }: Pick<ScriptRequest, 'files' | 'only' | 'readOnly'>,
  temporary: string,
): Promise<FileAnswer<ScriptStage>> {
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  const top = await mkdtemp(path.join(temporary, 'script-'))
  const folder = path.join(top, 'files')
  const scratch = path.join(top, 'scratch')
  await mkdir(folder, { mode: 0o700 })
  await mkdir(scratch, { mode: 0o700 })
  const remove = () => removeTree(top)
  const copied = await files.copyTo(folder, { maxBytes: maxStagedBytes, ...(only && { only }) })
  if (!copied.ok) {
    await remove()
    return copied
  }
  const readable = await Promise.all(
    readOnly.map(async ({ at, files }, index) => {
      const outside = path.join(top, 'readable', String(index))
      await writeFiles(outside, files)
      return [outside, at] as const
    }),
  )
  const { seen: before } = await look(folder)
  return done({ folder, scratch, readable, before, remove })
}

async function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [at, content] of files) {
    const place = path.join(folder, at)
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    await writeFile(place, content, { mode: 0o600 })
  }
}

/** Compares the folder with its state before. */
export async function changeOf({ folder, before }: ScriptStage): Promise<FileAnswer<StageChange>> {
  const { seen: after, ignored, isFull } = await look(folder)
  if (isFull) {
    return fault(
      'quota',
      `The script left more than ${quota.entries} files and folders, so none of its changes were kept.`,
    )
  }
  const files: string[] = []
  const folders: string[] = []
  for (const [at, state] of after) {
    if (before.get(at) === state) continue
    if (state === 'folder') folders.push(at)
    else files.push(at)
  }
  const removed = [...before.keys()].filter((at) => !after.has(at))
  return done({ files: files.sort(), folders: folders.sort(), removed: removed.sort(), ignored })
}

async function look(
  folder: string,
): Promise<{ seen: Map<string, string>; ignored: number; isFull: boolean }> {
  const seen = new Map<string, string>()
  let ignored = 0
  const pending = ['']
  for (let above = pending.pop(); above !== undefined; above = pending.pop()) {
    const depth = above === '' ? 0 : above.split('/').length
    for await (const { name } of await opendir(path.join(folder, above))) {
      const at = above === '' ? name : `${above}/${name}`
      const stats = await lstat(path.join(folder, at), { bigint: true })
      if (stats.isDirectory() && isName(name) && depth + 1 < quota.depth) {
        // A script may have taken every right to its own files away.
        if ((stats.mode & 0o700n) !== 0o700n) await chmod(path.join(folder, at), 0o700)
        seen.set(at, 'folder')
        pending.push(at)
      } else if (stats.isFile() && isName(name) && stats.nlink === 1n) {
        if ((stats.mode & 0o400n) === 0n) await chmod(path.join(folder, at), 0o600)
        seen.set(at, [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs, stats.mode & 0o100n].join(' '))
      } else ignored += 1
      if (seen.size > quota.entries) return { seen, ignored, isFull: true }
    }
  }
  return { seen, ignored, isFull: false }
}

/** Removes a folder whose owner may have taken the rights to parts of it away. */
async function removeTree(top: string): Promise<void> {
  const isGone = await rm(top, { recursive: true, force: true }).then(
    () => true,
    () => false,
  )
  if (isGone) return
  const pending = [top]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    await chmod(folder, 0o700).catch(absent)
    for await (const { name } of await opendir(folder)) {
      const inner = path.join(folder, name)
      if (lstatSync(inner).isDirectory()) pending.push(inner)
    }
  }
  // What is left now is deleted at the next start.
  await rm(top, { recursive: true, force: true }).catch(() => undefined)
}
