/**
 * Copies files of a workspace into a folder for a sandbox, and takes the changes made there back: all of them or
 * none.
 */
import { lstat, mkdir, open, rename, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { FileAnswer, FileEntry, FolderChange } from '#lib/spec/sandbox'
import { absent, done, fault } from './workspace-faults'
import { Folder, NotPlain } from './workspace-folder'
import { readPath, showPath } from './workspace-path'
import { putAside, unfinishedName } from './workspace-put'

/** Runs `work` in the folder of the workspace that `names` lead to; with `make`, missing ones are made. */
export type InFolder = <T>(
  names: readonly string[],
  make: boolean,
  work: (at: Folder, made: number) => Promise<T>,
) => Promise<T>

const mebibyte = 1024 * 1024

/** The entries that go into a copy: those named with everything below them, or all. */
export function chooseEntries(
  entries: readonly FileEntry[],
  { only, maxBytes }: { only?: readonly string[]; maxBytes: number },
): FileAnswer<readonly FileEntry[]> {
  const chosen = only === undefined ? done(entries) : namedEntries(entries, only)
  if (!chosen.ok) return chosen
  const bytes = chosen.value.reduce((sum, each) => sum + each.bytes, 0)
  if (bytes <= maxBytes) return chosen
  const size = `${Math.ceil(bytes / mebibyte)} MiB, and at most ${Math.floor(maxBytes / mebibyte)} MiB can go into the sandbox`
  return only === undefined
    ? fault('too_large', `The workspace has ${size}. Name the files that are needed.`)
    : fault('too_large', `The named files have ${size}.`)
}

function namedEntries(
  entries: readonly FileEntry[],
  only: readonly string[],
): FileAnswer<readonly FileEntry[]> {
  const chosen = new Set<FileEntry>()
  for (const given of only) {
    const names = readPath(given)
    if (!names.ok) return names
    const at = names.value.join('/')
    const found = entries.filter(({ path: each }) => at === '' || each === at || each.startsWith(`${at}/`))
    if (found.length === 0 && at !== '')
      return fault('not_found', `There is no "${showPath(given)}" in the workspace.`)
    for (const each of found) chosen.add(each)
  }
  return done([...chosen])
}

/** Copies the entries as they are now. One that has gone since it was listed is left out. */
export async function copyEntries(inFolder: InFolder, entries: readonly FileEntry[], to: string) {
  let files = 0
  let bytes = 0
  for (const entry of entries) {
    const target = path.join(to, entry.path)
    if (entry.kind === 'folder') await mkdir(target, { recursive: true, mode: 0o700 })
    else {
      const copied = await copyFile(inFolder, entry.path, target).catch(ignoreGone)
      if (copied === undefined) continue
      files += 1
      bytes += copied
    }
  }
  return { files, bytes }
}

async function copyFile(inFolder: InFolder, from: string, target: string): Promise<number> {
  const [name, above] = splitPath(from)
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
  return inFolder(above, false, async (at) => {
    const { content, size, mode, mtimeMs } = await openContent(at, name)
    const copy = await open(target, 'wx', 0o600 | (mode & 0o100)).catch((error: unknown) => {
      content.destroy()
      throw error
    })
    try {
      for await (const chunk of content) await copy.writeFile(chunk)
      await copy.utimes(mtimeMs / 1_000, mtimeMs / 1_000)
    } finally {
      await copy.close()
    }
    return size
  })
}

/** A file in its present state; the reader of `content` closes it. Bytes added later are not read. */
async function openContent(at: Folder, name: string) {
  const source = await at.read(name)
  const { size, mode, mtimeMs } = await source.stat()
  if (size > 0) return { size, mode, mtimeMs, content: source.createReadStream({ start: 0, end: size - 1 }) }
  await source.close()
  return { size, mode, mtimeMs, content: Readable.from([]) }
}

function ignoreGone(error: unknown): undefined {
  if (error instanceof NotPlain) return undefined
  return absent(error)
}

/** How much room the changes need at most. */
export async function measureChange(from: string, change: FolderChange) {
  let bytes = 0
  for (const each of change.files) bytes += (await lstat(path.join(from, each))).size
  return { bytes, entries: change.files.length + change.folders.length }
}

/** One step that has been taken, and how to take it back. */
type Undo = () => Promise<unknown>

interface Taking {
  readonly from: string
  readonly change: FolderChange
  /** Receives each path before it is worked on, so that a failure can name it. */
  at(path: string): void
}

/**
 * Takes the changes. Everything that can fail for lack of room happens before the first file changes; when a later
 * step fails, the steps before it are undone and the error is thrown.
 */
export async function takeChange(inFolder: InFolder, { from, change, at }: Taking): Promise<undefined> {
  const undo: Undo[] = []
  const leftovers: Undo[] = []
  const makeFolders = folderMaker(inFolder, undo)
  try {
    // The first change of a thread makes its workspace.
    await inFolder([], true, async () => undefined)
    for (const each of [...change.folders].sort()) {
      at(each)
      await makeFolders(each.split('/'))
    }
    const parts: { path: string; part: string }[] = []
    for (const each of change.files) {
      at(each)
      const [name, above] = splitPath(each)
      await makeFolders(above)
      const part = await putCopy(inFolder, { from, above, name })
      undo.push(() => inFolder(above, false, (folder) => unlink(folder.at(part))))
      parts.push({ path: each, part })
    }
    const folders: string[] = []
    for (const each of change.removed) {
      at(each)
      if (await isFolder(inFolder, each)) folders.push(each)
      else await setAside(inFolder, each, { undo, leftovers })
    }
    for (const { path: each, part } of parts) {
      at(each)
      const [name, above] = splitPath(each)
      await setAside(inFolder, each, { undo, leftovers })
      await inFolder(above, false, (folder) => rename(folder.at(part), folder.at(name)))
      undo.push(() => inFolder(above, false, (folder) => rename(folder.at(name), folder.at(part))))
    }
    for (const each of folders.sort().reverse()) leftovers.push(() => removeFolder(inFolder, each))
  } catch (error) {
    for (const each of undo.reverse()) await each().catch(() => undefined)
    throw error
  }
  // The changes are complete. What cannot be deleted now is deleted when the workspace is measured.
  for (const each of leftovers) await each().catch(() => undefined)
  return undefined
}

/** Makes folders with all those above them, each once. */
function folderMaker(inFolder: InFolder, undo: Undo[]): (names: readonly string[]) => Promise<void> {
  const known = new Set<string>()
  return async (names) => {
    for (let depth = 1; depth <= names.length; depth += 1) {
      const here = names.slice(0, depth)
      const given = here.join('/')
      if (known.has(given)) continue
      known.add(given)
      const made = await inFolder(here, true, async (_, count) => count)
      if (made > 0) undo.push(() => removeFolder(inFolder, given))
    }
  }
}

async function removeFolder(inFolder: InFolder, given: string): Promise<void> {
  const [name, above] = splitPath(given)
  await inFolder(above, false, (at) => rmdir(at.at(name)))
}

/** Copies one file of the sandbox's folder next to its place, and returns the temporary name. */
async function putCopy(
  inFolder: InFolder,
  { from, above, name }: { from: string; above: readonly string[]; name: string },
): Promise<string> {
  let folder = await Folder.open(from)
  try {
    for (const each of above) {
      const inner = await folder.enter(each)
      await folder.close()
      folder = inner
    }
    const { content, mode } = await openContent(folder, name)
    try {
      return await inFolder(above, false, (at) => putAside(at, content, (mode & 0o100) !== 0))
    } finally {
      content.destroy()
    }
  } finally {
    await folder.close()
  }
}

/** Renames an existing file, so that it can be brought back; does nothing if there is none. */
async function setAside(
  inFolder: InFolder,
  given: string,
  { undo, leftovers }: { undo: Undo[]; leftovers: Undo[] },
): Promise<void> {
  const [name, above] = splitPath(given)
  const aside = unfinishedName()
  const wasThere = await inFolder(above, false, async (at) => {
    const stats = await lstat(at.at(name))
    if (stats.isDirectory()) throw new NotPlain('folder')
    await rename(at.at(name), at.at(aside))
    return true
  }).catch(absent)
  if (!wasThere) return
  undo.push(() => inFolder(above, false, (at) => rename(at.at(aside), at.at(name))))
  leftovers.push(() => inFolder(above, false, (at) => unlink(at.at(aside))))
}

async function isFolder(inFolder: InFolder, given: string): Promise<boolean> {
  const [name, above] = splitPath(given)
  const stats = await inFolder(above, false, (at) => lstat(at.at(name))).catch(absent)
  return stats?.isDirectory() ?? false
}

function splitPath(given: string): [name: string, above: string[]] {
  const names = given.split('/')
  return [names.at(-1) ?? '', names.slice(0, -1)]
}
