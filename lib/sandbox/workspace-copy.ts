/**
 * Copies a workspace in its present state: plain files and folders only; links and
 * special files are left out.
 */
import { lstat, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { codeOf } from './error-code'
import { absent } from './workspace-faults'
import { Folder, NotPlain } from './workspace-folder'
import { isUnfinished } from './workspace-path'
import { kindOf, quota } from './workspace-walk'

/** Does nothing if there is no workspace yet. `to` must not exist. Throws file system errors. */
export async function copyWorkspace(from: string, to: string): Promise<void> {
  const folder = await Folder.open(from).catch(absent)
  if (folder === undefined) return
  await copyFolder(folder, to, 1)
}

/** Also closes `folder`. */
async function copyFolder(folder: Folder, to: string, depth: number): Promise<void> {
  try {
    await mkdir(to, { recursive: depth === 1, mode: 0o700 })
    for await (const name of folder.names()) {
      if (!isUnfinished(name))
        await copyEntry(folder, name, { to: path.join(to, name), depth }).catch(ignoreGone)
    }
  } finally {
    await folder.close()
  }
}

async function copyEntry(
  folder: Folder,
  name: string,
  { to, depth }: { to: string; depth: number },
): Promise<void> {
  const stats = await lstat(folder.at(name))
  const kind = kindOf(stats)
  if (kind === 'folder' && depth < quota.depth) return copyFolder(await folder.enter(name), to, depth + 1)
  if (kind !== 'file') return
  const source = await folder.read(name)
  const target = await open(to, 'wx', 0o600 | (stats.mode & 0o100)).catch(async (error: unknown) => {
    await source.close()
    throw error
  })
  await pipeline(source.createReadStream(), target.createWriteStream())
}

/**
 * The entry has disappeared or changed its kind since its name was read: a run may be working in the folder.
 */
function ignoreGone(error: unknown): void {
  if (!(error instanceof NotPlain) && codeOf(error) !== 'ENOENT') throw error
}
