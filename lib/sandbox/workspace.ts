/**
 * The workspace: the files of one folder, limited in size and isolated. Any path that
 * leads outside is refused.
 */
import { lstat, mkdir, rmdir, unlink } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { Artifact } from '#lib/spec/artifact'
import type { FileAnswer, FileEntry, FilesPort, KeepOptions } from '#lib/spec/sandbox'
import { seeDocument } from './document'
import { codeOf } from './error-code'
import { chooseEntries, copyEntries, measureChange, takeChange } from './workspace-exchange'
import { absent, attempt, done, fault, tooLarge } from './workspace-faults'
import { Folder, NotPlain } from './workspace-folder'
import { isName, readPath, showPath } from './workspace-path'
import { put } from './workspace-put'
import { kindOf, QuotaUsage, quota, walk } from './workspace-walk'

const mebibyte = 1024 * 1024
export const maxReadBytes = mebibyte
export const maxWriteBytes = 5 * mebibyte

/** A file in its present state, for one reader, which must read `content` to the end or destroy it. */
export interface OpenFile {
  readonly path: string
  readonly bytes: number
  readonly content: Readable
}

export interface Workspace extends Omit<FilesPort, 'keep' | 'see' | 'describe' | 'descriptions'> {
  /** Opens a file of any size. */
  open(path: string): Promise<FileAnswer<OpenFile>>
  /** Puts a file into a folder of the workspace, under its name or, if that is taken, a similar one. */
  add(
    file: { readonly folder: string; readonly name: string; readonly bytes: number },
    content: AsyncIterable<Uint8Array>,
  ): Promise<FileAnswer<{ path: string }>>
}

/** Keeps a file permanently. */
export type Keeper = (file: OpenFile, options: KeepOptions) => Promise<FileAnswer<Artifact>>

/** The files port for one user of the workspace. */
export function filesPort(workspace: Workspace, keeper: Keeper): FilesPort {
  const { read, open, write, remove, makeFolder, list, copyTo, takeFrom } = workspace
  return {
    read,
    open,
    write,
    remove,
    makeFolder,
    list,
    copyTo,
    takeFrom,
    async see(path, view, viewing) {
      const opened = await workspace.open(path)
      if (!opened.ok) return opened
      try {
        return await seeDocument(opened.value, view, viewing)
      } finally {
        opened.value.content.destroy()
      }
    },
    async keep(path, options = {}) {
      const opened = await workspace.open(path)
      if (!opened.ok) return opened
      try {
        return await keeper(opened.value, options)
      } finally {
        opened.value.content.destroy()
      }
    },
  }
}

/**
 * Opens the workspace in `folder`, an absolute path; the first write creates the folder. Everyone
 * who uses one folder at the same time should share one workspace, because a workspace makes its
 * changes one after the other.
 */
export function createWorkspace(folder: string): Workspace {
  const usage = new QuotaUsage()
  const openRoot = () => Folder.open(folder).catch(absent)
  const inTurn = turns()

  /** Runs `work` in the folder that `names` lead to. */
  async function inFolder<T>(
    names: readonly string[],
    make: boolean,
    work: (at: Folder, made: number) => Promise<T>,
  ): Promise<T> {
    if (make) await mkdir(folder, { recursive: true, mode: 0o700 })
    let at = await Folder.open(folder)
    let made = 0
    try {
      for (const name of names) {
        if (make && (await makeIn(at, name))) made += 1
        const inner = await at.enter(name)
        await at.close()
        at = inner
      }
      return await work(at, made)
    } finally {
      await at.close()
    }
  }

  /** Makes a change within the quota: `more` is the most it may add. */
  function change<T>(
    given: string,
    more: { bytes: number; entries: number },
    work: () => Promise<FileAnswer<T>>,
  ): Promise<FileAnswer<T>> {
    return inTurn(() =>
      attempt(given, async () => {
        const grows = more.bytes > 0 || more.entries > 0
        if (grows && !(await usage.hasRoom(more, openRoot))) return full
        return work()
      }),
    )
  }

  return {
    async read(given) {
      const names = fileNames(given)
      if (!names.ok) return names
      const [name, above] = names.value
      return attempt(given, () => inFolder(above, false, (at) => readIn(at, name, given)))
    },

    async write(given, content, { replace = true } = {}) {
      const data = typeof content === 'string' ? Buffer.from(content) : content
      if (data.byteLength > maxWriteBytes) return tooLarge(given, 'written', maxWriteBytes)
      const names = fileNames(given)
      if (!names.ok) return names
      const [name, above] = names.value
      return change(given, { bytes: data.byteLength, entries: above.length + 1 }, () =>
        inFolder(above, true, async (at, made) => {
          const before = await replaceable(at, name)
          if (before !== undefined && !replace) return fault('exists', `"${showPath(given)}" exists already.`)
          await put(at, name, data)
          usage.changed(data.byteLength - (before ?? 0), made + (before === undefined ? 1 : 0))
          return done({ created: before === undefined, bytes: data.byteLength })
        }),
      )
    },

    async remove(given) {
      const names = fileNames(given)
      if (!names.ok) return names
      const [name, above] = names.value
      return change(given, { bytes: 0, entries: 0 }, () =>
        inFolder(above, false, async (at) => {
          const stats = await lstat(at.at(name))
          const kind = kindOf(stats)
          const bytes = kind === 'file' ? stats.size : 0
          await (kind === 'folder' ? rmdir(at.at(name)) : unlink(at.at(name)))
          usage.changed(-bytes, -1)
          const entry: FileEntry = {
            path: pathOf(above, name),
            kind: kind === 'folder' ? 'folder' : 'file',
            bytes,
          }
          return done(entry)
        }),
      )
    },

    async makeFolder(given) {
      const names = readPath(given)
      if (!names.ok) return names
      return change(given, { bytes: 0, entries: names.value.length }, () =>
        inFolder(names.value, true, async (_, made) => {
          usage.changed(0, made)
          return done({ created: made > 0 })
        }),
      )
    },

    async list(given, { deep }) {
      const names = readPath(given)
      if (!names.ok) return names
      const { value: above } = names
      const listed = await attempt(given, () =>
        inFolder(above, false, async (at) => done(await entriesOf(at, above, deep))),
      )
      const isNew = !listed.ok && listed.code === 'not_found' && above.length === 0
      return isNew ? done({ entries: [], truncated: false }) : listed
    },

    async copyTo(to, options) {
      return inTurn(() =>
        attempt('', async () => {
          const root = await openRoot()
          if (root === undefined) return options.only?.length ? noFiles : done({ files: 0, bytes: 0 })
          const { entries, truncated } = await entriesOf(root, [], true).finally(() => root.close())
          if (truncated) return full
          const chosen = chooseEntries(entries, options)
          return chosen.ok ? done(await copyEntries(inFolder, chosen.value, to)) : chosen
        }),
      )
    },

    async takeFrom(from, given) {
      let current = ''
      const at = (each: string) => {
        current = each
      }
      const more = await attempt(current, async () => done(await measureChange(from, given)))
      if (!more.ok) return more
      return change('', more.value, async () => {
        usage.forget()
        const failed = await takeChange(inFolder, { from, change: given, at }).catch((error: unknown) => ({
          error,
        }))
        return attempt(current, async () => {
          if (failed !== undefined) throw failed.error
          return done(null)
        })
      })
    },

    async open(given) {
      const names = fileNames(given)
      if (!names.ok) return names
      const [name, above] = names.value
      return attempt(given, () =>
        inFolder(above, false, async (at) => {
          const handle = await at.read(name)
          const { size: bytes } = await handle.stat()
          // Bytes added to the file later are not read, so the reported size stays true.
          if (bytes > 0)
            return done({
              path: pathOf(above, name),
              bytes,
              content: handle.createReadStream({ start: 0, end: bytes - 1 }),
            })
          await handle.close()
          return done({ path: pathOf(above, name), bytes, content: Readable.from([]) })
        }),
      )
    },

    async add({ folder: given, name, bytes }, content) {
      const names = readPath(given)
      if (!names.ok) return names
      const { value: above } = names
      return change(pathOf(above, name), { bytes, entries: above.length + 1 }, () =>
        inFolder(above, true, async (at, made) => {
          const free = await freeName(at, name)
          await put(at, free, content)
          usage.changed(bytes, made + 1)
          return done({ path: pathOf(above, free) })
        }),
      )
    },
  }
}

/** The name of the file and the names above it. */
function fileNames(given: string): FileAnswer<[name: string, above: string[]]> {
  const names = readPath(given)
  if (!names.ok) return names
  const name = names.value.at(-1)
  if (name === undefined) return fault('not_a_file', 'This path is the workspace itself. Name a file in it.')
  return done([name, names.value.slice(0, -1)])
}

function pathOf(above: readonly string[], name: string): string {
  return [...above, name].join('/')
}

/** Runs changes one after the other. */
function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Returns false if the name exists; its kind is checked when it is entered. */
async function makeIn(at: Folder, name: string): Promise<boolean> {
  try {
    await mkdir(at.at(name), { mode: 0o700 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function readIn(at: Folder, name: string, given: string): Promise<FileAnswer<Uint8Array>> {
  const handle = await at.read(name)
  try {
    const { size } = await handle.stat()
    if (size > maxReadBytes) return tooLarge(given, 'read', maxReadBytes)
    const buffer = Buffer.alloc(size)
    let filled = 0
    while (filled < size) {
      const { bytesRead } = await handle.read(buffer, filled, size - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return done(buffer.subarray(0, filled))
  } finally {
    await handle.close()
  }
}

/**
 * The size of the file that a write would replace; undefined if there is none. Throws if
 * the entry is not a file.
 */
async function replaceable(at: Folder, name: string): Promise<number | undefined> {
  const stats = await lstat(at.at(name)).catch(absent)
  if (stats === undefined) return undefined
  if (stats.isFile()) return stats.size
  throw new NotPlain(stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'other')
}

async function freeName(at: Folder, name: string): Promise<string> {
  const { name: stem, ext } = path.parse(name)
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${stem} (${number})${ext}`
    if ((await lstat(at.at(candidate)).catch(absent)) === undefined) return candidate
  }
}

async function entriesOf(
  at: Folder,
  above: readonly string[],
  deep: boolean,
): Promise<{ entries: FileEntry[]; truncated: boolean }> {
  const entries: FileEntry[] = []
  let truncated = false
  for await (const { path: inner, kind, bytes } of walk(at, deep)) {
    // Skips entries that no valid path can name, and entries that are neither file nor folder.
    if (kind === 'other' || !inner.split('/').every(isName)) continue
    truncated = entries.length >= quota.entries
    if (truncated) break
    entries.push({ path: pathOf(above, inner), kind, bytes })
  }
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated }
}

const noFiles: FileAnswer<never> = fault('not_found', 'The workspace has no files yet.')

const full: FileAnswer<never> = fault(
  'quota',
  `The workspace is full: it may contain at most ${quota.bytes / mebibyte} MiB and ${quota.entries} files and folders. Delete what is no longer needed.`,
)
