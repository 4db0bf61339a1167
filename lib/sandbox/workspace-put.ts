/** Writes a file of the workspace under a temporary name first, so that its own name never shows a part of it. */
import { randomBytes } from 'node:crypto'
import { rename, unlink } from 'node:fs/promises'
import type { Folder } from './workspace-folder'

type Content = Uint8Array | AsyncIterable<Uint8Array>

/** A name that no path of the workspace can contain. */
export function unfinishedName(): string {
  return `.~${randomBytes(8).toString('hex')}.part`
}

/** Writes the whole content to the disk under a temporary name, and returns that name. */
export async function putAside(at: Folder, data: Content, isProgram = false): Promise<string> {
  const part = unfinishedName()
  const handle = await at.make(part, isProgram ? 0o700 : 0o600)
  try {
    try {
      for await (const chunk of data instanceof Uint8Array ? [data] : data) await handle.writeFile(chunk)
      await handle.datasync()
    } finally {
      await handle.close()
    }
    return part
  } catch (error) {
    await unlink(at.at(part)).catch(() => undefined)
    throw error
  }
}

/** Writes a file whole. */
export async function put(at: Folder, name: string, data: Content): Promise<void> {
  const part = await putAside(at, data)
  try {
    await rename(at.at(part), at.at(name))
  } catch (error) {
    await unlink(at.at(part)).catch(() => undefined)
    throw error
  }
}
