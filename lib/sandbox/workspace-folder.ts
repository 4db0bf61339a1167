/**
 * A folder held open: whatever is reached through it is really inside it, even if names are
 * swapped for links meanwhile.
 */
import { constants, existsSync } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises'
import path from 'node:path'

/**
 * On Linux, a path that starts with an open folder's descriptor is resolved from that folder, so only the
 * last name is looked up again. On other systems every step is checked before and after.
 */
const anchors = process.platform === 'linux' && existsSync('/proc/self/fd')
// Absent on Windows, where links are found by checking first.
const noFollow = constants.O_NOFOLLOW ?? 0
const onlyFolder = constants.O_DIRECTORY ?? 0
const noWait = constants.O_NONBLOCK ?? 0

/** The entry is not of the required kind: a link, a folder instead of a file, or neither of these. */
export class NotPlain extends Error {
  constructor(readonly met: 'link' | 'folder' | 'file' | 'other') {
    super(`a ${met} is in the way`)
  }
}

export class Folder {
  private constructor(
    private readonly handle: FileHandle,
    /** The path that names in this folder are resolved from. */
    readonly place: string,
    private readonly real: string,
  ) {}

  /** The folder itself must not be a link. Throws file system errors or `NotPlain`. */
  static async open(folder: string): Promise<Folder> {
    const handle = await openPlain(folder, constants.O_RDONLY | onlyFolder, 'folder')
    return Folder.over(handle, folder)
  }

  private static async over(handle: FileHandle, folder: string): Promise<Folder> {
    if (anchors) return new Folder(handle, `/proc/self/fd/${handle.fd}`, '')
    return new Folder(handle, folder, await realpath(folder))
  }

  /** The path of a name in this folder, for calls that do not follow a link in the last name. */
  at(name: string): string {
    return path.join(this.place, name)
  }

  /** Opens a folder inside this one. */
  async enter(name: string): Promise<Folder> {
    const inner = await this.through(() =>
      openPlain(this.at(name), constants.O_RDONLY | onlyFolder, 'folder'),
    )
    return Folder.over(inner, this.at(name))
  }

  /**
   * Opens a file in this folder for reading. Rejects files that could make the reader wait, and files
   * with a second hard link.
   */
  read(name: string): Promise<FileHandle> {
    return this.through(async () => {
      const handle = await openPlain(this.at(name), constants.O_RDONLY, 'file')
      if ((await handle.stat()).nlink <= 1) return handle
      await handle.close()
      throw new NotPlain('link')
    })
  }

  /** Creates a file in this folder for writing. */
  make(name: string, mode = 0o600): Promise<FileHandle> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow
    return this.through(() => open(this.at(name), flags, mode))
  }

  /** The names in this folder, in no particular order. */
  async *names(): AsyncGenerator<string> {
    for await (const each of await opendir(this.place)) yield each.name
  }

  /** Opens with `work`. Where names are looked up again, checks that the folder is still in its place. */
  private async through(work: () => Promise<FileHandle>): Promise<FileHandle> {
    const handle = await work()
    if (anchors) return handle
    if ((await realpath(this.place).catch(() => '')) === this.real) return handle
    await handle.close()
    throw new NotPlain('link')
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

async function openPlain(at: string, flags: number, wanted: 'file' | 'folder'): Promise<FileHandle> {
  const before = anchors ? undefined : await lstat(at)
  if (before?.isSymbolicLink()) throw new NotPlain('link')
  const handle = await open(at, flags | noFollow | noWait).catch(async (error: unknown) => {
    throw (await met(at, error)) ?? error
  })
  const after = await handle.stat()
  const isWanted = wanted === 'file' ? after.isFile() : after.isDirectory()
  const isSame = before === undefined || (before.ino === after.ino && before.dev === after.dev)
  if (isWanted && isSame) return handle
  await handle.close()
  throw new NotPlain(!isSame ? 'link' : after.isFile() ? 'file' : after.isDirectory() ? 'folder' : 'other')
}

/** What kind of entry made the opening fail. */
async function met(at: string, error: unknown): Promise<NotPlain | undefined> {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  // ENXIO: a socket, or a pipe without a reader.
  if (code !== 'ELOOP' && code !== 'ENOTDIR' && code !== 'ENXIO') return undefined
  const found = await lstat(at).catch(() => undefined)
  if (found === undefined) return undefined
  if (found.isSymbolicLink()) return new NotPlain('link')
  return new NotPlain(found.isFile() ? 'file' : 'other')
}
