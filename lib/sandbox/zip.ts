/**
 * Reads a ZIP archive that a stranger may have made: its list is taken from its end, every entry must agree with it,
 * and nothing is unpacked beyond the size that its entry declares.
 */
import { Inflate } from 'fflate'

export interface ZipEntry {
  /** As it is in the archive; a folder ends in `/`. */
  readonly name: string
  readonly bytes: number
  /** A link, a device or another file that is not plain. */
  readonly isSpecial: boolean
  readonly isEncrypted: boolean
}

/** Thrown for an archive that cannot be read. The message is a whole sentence. */
export class BadZip extends Error {}

interface Place {
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly start: number
}

const endMark = 0x06054b50
const listMark = 0x02014b50
const entryMark = 0x04034b50
/** The mark of a size or a place that stands in a ZIP64 record. */
const elsewhere = 0xffffffff

const damaged = () => new BadZip('The file is not a ZIP archive that can be read: it is damaged or cut off.')

export class ZipArchive {
  readonly entries: readonly ZipEntry[]
  private readonly places = new Map<ZipEntry, Place>()
  private readonly view: DataView

  /** @param mostEntries more entries than this are refused before they are read */
  constructor(
    private readonly bytes: Uint8Array,
    mostEntries: number,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const end = this.findEnd()
    const count = this.view.getUint16(end + 10, true)
    if (count === 0xffff || count > mostEntries)
      throw new BadZip(`The archive has more than ${mostEntries} entries.`)
    this.entries = this.readList(this.view.getUint32(end + 16, true), count)
  }

  /** The bytes of an entry. Throws when they are not what the archive says they are. */
  content(entry: ZipEntry): Uint8Array {
    const place = this.places.get(entry)
    if (place === undefined) throw new Error('The entry is of another archive.')
    const { method, start, packed, crc } = place
    const given = this.bytes.subarray(start, start + packed)
    if (given.length !== packed) throw damaged()
    if (method !== 0 && method !== 8)
      throw new BadZip(
        `“${entry.name}” is packed in a way that cannot be read. Pack the archive with “deflate”.`,
      )
    const content = method === 0 ? given.slice() : inflate(given, entry)
    if (content.length !== entry.bytes) throw lies(entry)
    if (crcOf(content) !== crc) throw new BadZip(`“${entry.name}” is damaged in the archive.`)
    return content
  }

  private findEnd(): number {
    const { view } = this
    const first = Math.max(0, view.byteLength - 22 - 0xffff)
    for (let at = view.byteLength - 22; at >= first; at -= 1)
      if (view.getUint32(at, true) === endMark && at + 22 + view.getUint16(at + 20, true) <= view.byteLength)
        return at
    throw damaged()
  }

  private readList(from: number, count: number): ZipEntry[] {
    const { view } = this
    const entries: ZipEntry[] = []
    let at = from
    for (let index = 0; index < count; index += 1) {
      if (at + 46 > view.byteLength || view.getUint32(at, true) !== listMark) throw damaged()
      const flags = view.getUint16(at + 8, true)
      const packed = view.getUint32(at + 20, true)
      const bytes = view.getUint32(at + 24, true)
      const start = view.getUint32(at + 42, true)
      if ([packed, bytes, start].includes(elsewhere))
        throw new BadZip('Archives of the form ZIP64 cannot be read.')
      const nameEnd = at + 46 + view.getUint16(at + 28, true)
      const rawName = this.bytes.subarray(at + 46, nameEnd)
      const mode = view.getUint32(at + 38, true) >>> 16
      const entry: ZipEntry = {
        name: nameIn(rawName),
        bytes,
        isSpecial: isSpecial(mode),
        isEncrypted: (flags & 1) !== 0,
      }
      this.places.set(entry, {
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        packed,
        start: this.startOf(start, rawName),
      })
      entries.push(entry)
      at = nameEnd + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    }
    return entries
  }

  /** Where the bytes of an entry begin. An entry whose own name is another is refused. */
  private startOf(at: number, name: Uint8Array): number {
    const { view, bytes } = this
    if (at + 30 > view.byteLength || view.getUint32(at, true) !== entryMark) throw damaged()
    const length = view.getUint16(at + 26, true)
    const own = bytes.subarray(at + 30, at + 30 + length)
    if (own.length !== name.length || own.some((each, index) => each !== name[index]))
      throw new BadZip('The archive contradicts itself: an entry has two names.')
    return at + 30 + length + view.getUint16(at + 28, true)
  }
}

function nameIn(raw: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw)
  } catch {
    throw new BadZip('A file name in the archive is not UTF-8 text.')
  }
}

const kindBits = 0o170000
const plainBits = 0o100000
const folderBits = 0o040000

/** The kind of a file as Unix has it; archives made elsewhere have none. */
function isSpecial(mode: number): boolean {
  const kind = mode & kindBits
  return kind !== 0 && kind !== plainBits && kind !== folderBits
}

function lies({ name }: ZipEntry): BadZip {
  return new BadZip(`“${name}” unpacks to another size than the archive says. It is not unpacked.`)
}

/** So many packed bytes at a time: a stream that unpacks to far more than it says is noticed soon. */
const slice = 4_096

function inflate(packed: Uint8Array, entry: ZipEntry): Uint8Array {
  const content = new Uint8Array(entry.bytes)
  let length = 0
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > content.length) throw lies(entry)
    content.set(chunk, length)
    length += chunk.length
  })
  try {
    for (let at = 0; at < packed.length; at += slice)
      stream.push(packed.subarray(at, at + slice), at + slice >= packed.length)
  } catch (error) {
    if (error instanceof BadZip) throw error
    throw new BadZip(`“${entry.name}” is damaged in the archive.`)
  }
  return content.subarray(0, length)
}

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** The checksum of ZIP archives. */
export function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (crc >>> 8) ^ (crcTable[(crc ^ byte) & 0xff] ?? 0)
  return (crc ^ 0xffffffff) >>> 0
}
