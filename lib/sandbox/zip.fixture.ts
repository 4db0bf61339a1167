/** For tests: archives with any names, kinds and lies. */
import { deflateRawSync } from 'node:zlib'
import { crcOf } from './zip'

export interface GivenEntry {
  readonly name: string
  readonly content?: string | Uint8Array
  /** The kind and rights of a file as Unix has them. */
  readonly mode?: number
  /** The size that the archive declares, where it is not the true one. */
  readonly bytes?: number
  /** The name that the entry itself has, where it is not that of the list. */
  readonly ownName?: string
  readonly crc?: number
  readonly isPacked?: boolean
  readonly flags?: number
}

/** An archive of these entries, in this order. */
export function zipOf(entries: readonly GivenEntry[]): Uint8Array {
  const bodies: Buffer[] = []
  const list: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { name, mode = 0o100644, flags = 0x800, isPacked = true } = entry
    const content = Buffer.from(entry.content ?? '')
    const packed = isPacked ? deflateRawSync(content) : content
    const crc = entry.crc ?? crcOf(content)
    const bytes = entry.bytes ?? content.length
    const rest = (head: Buffer, from: number) => {
      head.writeUInt16LE(flags, from)
      head.writeUInt16LE(isPacked ? 8 : 0, from + 2)
      head.writeUInt32LE(crc, from + 8)
      head.writeUInt32LE(packed.length, from + 12)
      head.writeUInt32LE(bytes, from + 16)
    }
    const own = Buffer.from(entry.ownName ?? name)
    const head = Buffer.alloc(30)
    head.writeUInt32LE(0x04034b50, 0)
    rest(head, 6)
    head.writeUInt16LE(own.length, 26)
    bodies.push(head, own, packed)
    const listed = Buffer.from(name)
    const line = Buffer.alloc(46)
    line.writeUInt32LE(0x02014b50, 0)
    line.writeUInt16LE(0x0314, 4)
    rest(line, 8)
    line.writeUInt16LE(listed.length, 28)
    line.writeUInt32LE((mode << 16) >>> 0, 38)
    line.writeUInt32LE(at, 42)
    list.push(line, listed)
    at += head.length + own.length + packed.length
  }
  const lines = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(lines.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...bodies, lines, end]))
}
