/** Reads WOFF files: unpacks them to the plain form of a font, and measures words with them. */
import { inflateSync } from 'node:zlib'

/** The plain form of the font, which drawing programs take. Throws for files that are no WOFF of version 1. */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('not a WOFF file')
  const count = woff.readUInt16BE(12)
  const head = Buffer.alloc(12 + count * 16)
  woff.copy(head, 0, 4, 8)
  head.writeUInt16BE(count, 4)
  const power = Math.floor(Math.log2(count))
  head.writeUInt16BE(16 * 2 ** power, 6)
  head.writeUInt16BE(power, 8)
  head.writeUInt16BE(16 * count - 16 * 2 ** power, 10)
  const tables: Buffer[] = [head]
  let offset = head.length
  for (let index = 0; index < count; index++) {
    const entry = 44 + index * 20
    const [from, packed, plain] = [4, 8, 12].map((at) => woff.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ] // cast: three numbers of three places
    const bytes = woff.subarray(from, from + packed)
    const table = packed < plain ? inflateSync(bytes, { maxOutputLength: plain }) : bytes
    const place = 12 + index * 16
    woff.copy(head, place, entry, entry + 4)
    woff.copy(head, place + 4, entry + 16, entry + 20)
    head.writeUInt32BE(offset, place + 8)
    head.writeUInt32BE(table.length, place + 12)
    const gap = (4 - (table.length % 4)) % 4
    tables.push(table, Buffer.alloc(gap))
    offset += table.length + gap
  }
  return Buffer.concat(tables)
}

/** The widths of a font's characters, in parts of its size; undefined for a character that it lacks. */
export function widthsOf(font: Buffer): (codePoint: number) => number | undefined {
  const table = tableFinder(font)
  const unitsPerEm = table('head').readUInt16BE(18)
  const widthCount = table('hhea').readUInt16BE(34)
  const widths = table('hmtx')
  const glyphOf = glyphFinder(table('cmap'))
  return (codePoint) => {
    const glyph = glyphOf(codePoint)
    if (glyph === 0) return undefined
    return widths.readUInt16BE(Math.min(glyph, widthCount - 1) * 4) / unitsPerEm
  }
}

function tableFinder(font: Buffer): (name: string) => Buffer {
  const count = font.readUInt16BE(4)
  return (name) => {
    for (let at = 12; at < 12 + count * 16; at += 16)
      if (font.toString('latin1', at, at + 4) === name) {
        const from = font.readUInt32BE(at + 8)
        return font.subarray(from, from + font.readUInt32BE(at + 12))
      }
    throw new Error(`the font has no table ${name}`)
  }
}

/** Reads the map from characters to glyphs in its usual form, 4: segments of the basic plane. 0 is no glyph. */
export function glyphFinder(cmap: Buffer): (codePoint: number) => number {
  const map = segmentsIn(cmap)
  const count = map.readUInt16BE(6) / 2
  const end = (index: number) => map.readUInt16BE(14 + index * 2)
  const after = 16 + count * 2
  return (codePoint) => {
    for (let index = 0; index < count; index++) {
      if (codePoint > end(index)) continue
      const start = map.readUInt16BE(after + index * 2)
      if (codePoint < start) return 0
      const delta = map.readUInt16BE(after + count * 2 + index * 2)
      const place = after + count * 4 + index * 2
      const range = map.readUInt16BE(place)
      if (range === 0) return (codePoint + delta) & 0xffff
      const glyph = map.readUInt16BE(place + range + (codePoint - start) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

function segmentsIn(cmap: Buffer): Buffer {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const map = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4))
    if (map.readUInt16BE(0) === 4) return map
  }
  throw new Error('the font has no map of segments')
}
