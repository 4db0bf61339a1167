/**
 * Stores the contents of kept files, each once under its hash. A new content is complete on disk
 * before it gets that name.
 * Next to each content is a folder with one empty file for each artifact that holds it, whichever database
 * knows the artifact. A content is deleted with its last holder, never because a database does not know it.
 */
import { createHash, randomBytes } from 'node:crypto'
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
} from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/**
 * A complete content that was received and is to be kept or dropped. Both are synchronous, so that
 * nothing happens in between.
 */
export interface ReceivedContent {
  readonly sha256: string
  readonly bytes: number
  /** The first bytes, for detecting the type of the file and the size of a picture. */
  readonly head: Uint8Array
  /** Reads the content; only possible before it is kept or dropped. */
  read(): Readable
  /**
   * Stores the content, held by the artifact `holder`. `known` says whether this database
   * already has the content.
   */
  keep(holder: string, known: boolean): void
  drop(): void
}

export interface ArtifactFiles {
  /**
   * Reads `content` to its end, or until it exceeds `maxBytes`. Throws file system errors
   * and errors of `content`.
   */
  take(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<ReceivedContent | 'too_large'>
  /** Undefined if there is no such content. */
  open(sha256: string): Promise<Readable | undefined>
  /** Records that the artifact holds the content; does nothing if the content does not exist. */
  hold(sha256: string, holder: string): void
  /**
   * Removes the artifact as a holder. Deletes the content if it has no other holder and is not `needed`.
   * Throws file system errors.
   */
  release(sha256: string, holder: string, needed: boolean): void
}

/** So many that the size of most photographs is in them. */
const headBytes = 128 * 1024
/**
 * Added as a holder of a content that was here before this database kept the same one, because its
 * other users are unknown.
 */
const unknownHolder = 'unknown'

/**
 * Uses one absolute folder that no other program writes to. Unfinished files of an
 * earlier process are deleted.
 */
export function createArtifactFiles(folder: string): ArtifactFiles {
  const incoming = path.join(folder, 'incoming')
  const placeOf = (sha256: string) => path.join(folder, sha256.slice(0, 2), sha256)
  const holdersOf = (sha256: string) => `${placeOf(sha256)}.held`

  function hold(sha256: string, holder: string): void {
    mkdirSync(holdersOf(sha256), { recursive: true, mode: 0o700 })
    closeSync(openSync(path.join(holdersOf(sha256), holder), 'a', 0o600))
  }

  rmSync(incoming, { recursive: true, force: true })

  return {
    async take(content, maxBytes) {
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const part = path.join(incoming, randomBytes(8).toString('hex'))
      const drop = () => rmSync(part, { force: true })
      try {
        const read = await copy(content, part, maxBytes)
        if (read === undefined) {
          drop()
          return 'too_large'
        }
        const keep = (holder: string, known: boolean) => {
          const { sha256 } = read
          if (!known && existsSync(placeOf(sha256)) && !existsSync(holdersOf(sha256)))
            hold(sha256, unknownHolder)
          hold(sha256, holder)
          renameSync(part, placeOf(sha256))
        }
        return { ...read, read: () => createReadStream(part), keep, drop }
      } catch (error) {
        drop()
        throw error
      }
    },

    async open(sha256) {
      const handle = await open(placeOf(sha256), 'r').catch(() => undefined)
      return handle?.createReadStream()
    },

    hold(sha256, holder) {
      if (existsSync(placeOf(sha256))) hold(sha256, holder)
    },

    release(sha256, holder, needed) {
      rmSync(path.join(holdersOf(sha256), holder), { force: true })
      if (isEmptied(holdersOf(sha256)) && !needed) rmSync(placeOf(sha256), { force: true })
    },
  }
}

/** Deletes the folder if it is empty. Returns whether it is gone. */
function isEmptied(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return true
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    throw error
  }
}

async function copy(
  content: AsyncIterable<Uint8Array>,
  file: string,
  maxBytes: number,
): Promise<Pick<ReceivedContent, 'sha256' | 'bytes' | 'head'> | undefined> {
  const handle = await open(file, 'wx', 0o600)
  try {
    const hash = createHash('sha256')
    let head = Buffer.alloc(0)
    let bytes = 0
    for await (const chunk of content) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) return undefined
      if (head.length < headBytes) head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)])
      hash.update(chunk)
      await handle.writeFile(chunk)
    }
    await handle.datasync()
    return { sha256: hash.digest('hex'), bytes, head }
  } finally {
    await handle.close()
  }
}
