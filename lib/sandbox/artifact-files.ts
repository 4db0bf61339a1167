/** The contents of kept files, each once under its hash; what comes in is whole on the disk before it gets that name. */
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream, mkdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'

/** A content that has come in whole, to be kept or dropped; both at once, so that nothing happens in between. */
export interface Taken {
  readonly sha256: string
  readonly bytes: number
  /** Its first bytes, to tell what it is. */
  readonly head: Uint8Array
  /** Reads it, as long as it is neither kept nor dropped. */
  read(): Readable
  keep(): void
  drop(): void
}

export interface ArtifactFiles {
  /** Reads `content` to its end, or until it is known to be larger than `maxBytes`. Throws as the file system or `content` does. */
  take(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Taken | 'too_large'>
  /** Undefined when there is no such content. */
  open(sha256: string): Promise<Readable | undefined>
  remove(sha256: string): void
  /** Every content that stands, in no order. */
  all(): AsyncIterable<string>
}

const headBytes = 4_096

/** Over one folder, absolute, that no other program writes to; what an earlier one left half is thrown away. */
export function createArtifactFiles(folder: string): ArtifactFiles {
  const incoming = path.join(folder, 'incoming')
  const placeOf = (sha256: string) => path.join(folder, sha256.slice(0, 2), sha256)
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
        const keep = () => {
          const place = placeOf(read.sha256)
          mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
          renameSync(part, place)
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

    remove: (sha256) => rmSync(placeOf(sha256), { force: true }),

    async *all() {
      for (const first of await namesIn(folder))
        for (const name of /^[0-9a-f]{2}$/.test(first) ? await namesIn(path.join(folder, first)) : [])
          if (/^[0-9a-f]{64}$/.test(name)) yield name
    },
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}

async function copy(
  content: AsyncIterable<Uint8Array>,
  file: string,
  maxBytes: number,
): Promise<Pick<Taken, 'sha256' | 'bytes' | 'head'> | undefined> {
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
