/**
 * Unpacks the archive of an npm package: plain files only, under a limit, and nothing that leads out of its folder.
 */
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { createGunzip } from 'node:zlib'

const blockBytes = 512
/** More than any package here has. */
const maxFiles = 5_000

export interface Unpacking {
  readonly file: string
  /** A new, empty folder. */
  readonly to: string
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** Thrown for an archive that is not unpacked. The message is a whole sentence. */
export class BadArchive extends Error {}

/** Throws a BadArchive or a file system error, and the signal's reason when it aborts. */
export async function unpack({ file, to, maxBytes, signal }: Unpacking): Promise<void> {
  const stream = createReadStream(file, { signal })
  const plain = stream.pipe(createGunzip())
  stream.on('error', (error) => plain.destroy(error))
  const reader = new ByteReader(plain)
  let files = 0
  let bytes = 0
  for (;;) {
    const header = await reader.take(blockBytes).catch(asBadArchive)
    if (header === undefined || header.every((byte) => byte === 0)) return
    const entry = readHeader(header)
    bytes += entry.bytes
    files += 1
    if (bytes > maxBytes || files > maxFiles) throw new BadArchive('The archive holds more than it should.')
    if (entry.kind === 'folder') continue
    await writeEntry(reader, entry, to)
  }
}

interface Entry {
  readonly kind: 'file' | 'folder'
  readonly names: readonly string[]
  readonly bytes: number
  readonly isExecutable: boolean
}

/** The header of a file in the format ustar. */
function readHeader(header: Buffer): Entry {
  const text = (from: number, length: number) => {
    const field = header.subarray(from, from + length)
    const end = field.indexOf(0)
    return field.subarray(0, end === -1 ? length : end).toString('utf8')
  }
  const prefix = text(257, 5) === 'ustar' ? text(345, 155) : ''
  const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`
  const type = text(156, 1)
  if (type !== '' && type !== '0' && type !== '5')
    throw new BadArchive(`The archive holds "${name.slice(0, 200)}", which is neither a file nor a folder.`)
  const bytes = Number.parseInt(text(124, 12).trim() || '0', 8)
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new BadArchive('The archive is damaged.')
  // The first name is that of the package.
  const names = name
    .split('/')
    .filter((each) => each !== '')
    .slice(1)
  if (name.startsWith('/') || names.some(leadsOut))
    throw new BadArchive(`The archive holds "${name.slice(0, 200)}", which leads out of its folder.`)
  const isExecutable = (Number.parseInt(text(100, 8).trim() || '0', 8) & 0o100) !== 0
  return { kind: type === '5' ? 'folder' : 'file', names, bytes, isExecutable }
}

function leadsOut(name: string): boolean {
  return name === '.' || name === '..' || /[\\:\0]/.test(name)
}

async function writeEntry(
  reader: ByteReader,
  { names, bytes, isExecutable }: Entry,
  to: string,
): Promise<void> {
  if (names.length === 0) throw new BadArchive('The archive holds a file without a name.')
  const file = path.join(to, ...names)
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const handle = await open(file, 'wx', isExecutable ? 0o700 : 0o600)
  try {
    await copyBytes(reader, handle, bytes)
  } finally {
    await handle.close()
  }
  await reader.take((blockBytes - (bytes % blockBytes)) % blockBytes).catch(asBadArchive)
}

async function copyBytes(reader: ByteReader, handle: FileHandle, bytes: number): Promise<void> {
  for (let left = bytes; left > 0; ) {
    const part = await reader.takeSome(left).catch(asBadArchive)
    if (part === undefined) throw new BadArchive('The archive ends in the middle of a file.')
    await handle.writeFile(part)
    left -= part.length
  }
}

/** A fault of the compression is one of the archive. */
function asBadArchive(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('Z_')) throw new BadArchive('The archive is damaged.')
  throw error
}

/** Reads a stream in portions of any length. */
class ByteReader {
  private rest: Buffer = Buffer.alloc(0)
  private readonly chunks: AsyncIterator<Buffer>

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Exactly so many bytes; undefined at the end of the stream. */
  async take(length: number): Promise<Buffer | undefined> {
    const parts: Buffer[] = []
    for (let left = length; left > 0; ) {
      const part = await this.takeSome(left)
      if (part === undefined) return undefined
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }

  /** At least one byte and at most so many. */
  async takeSome(most: number): Promise<Buffer | undefined> {
    if (this.rest.length === 0) {
      const { value, done } = await this.chunks.next()
      if (done) return undefined
      this.rest = value
    }
    const part = this.rest.subarray(0, most)
    this.rest = this.rest.subarray(part.length)
    return part
  }
}
