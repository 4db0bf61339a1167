/** Finds out which characters a WOFF2 file has, without unpacking its letters. */
import { brotliDecompressSync } from 'node:zlib'
import { glyphFinder } from './chart-woff'

const headerBytes = 48
/** Tables of these two numbers are stored in another form unless their version is 3; all others if it is not 0. */
const [glyf, loca] = [10, 11]
const cmapNumber = 0
/** A table whose name is written out. */
const named = 63

/** Whether the font has a letter for the character. Throws for files that are no WOFF2. */
export function charactersOf(woff2: Buffer): (codePoint: number) => boolean {
  if (woff2.toString('latin1', 0, 4) !== 'wOF2') throw new Error('not a WOFF2 file')
  const cursor = { at: headerBytes }
  let place = 0
  let cmap: { from: number; length: number } | undefined
  for (let count = woff2.readUInt16BE(12); count > 0; count--) {
    const flags = woff2.readUInt8(cursor.at++)
    const table = flags & 63
    if (table === named) cursor.at += 4
    const plain = readNumber(woff2, cursor)
    const version = flags >> 6
    const isOther = table === glyf || table === loca ? version !== 3 : version !== 0
    const length = isOther ? readNumber(woff2, cursor) : plain
    if (table === cmapNumber) cmap = { from: place, length }
    place += length
  }
  if (cmap === undefined) throw new Error('the font has no map of characters')
  const packed = woff2.subarray(cursor.at, cursor.at + woff2.readUInt32BE(20))
  const tables = brotliDecompressSync(packed, { maxOutputLength: place })
  const glyphOf = glyphFinder(tables.subarray(cmap.from, cmap.from + cmap.length))
  return (codePoint) => glyphOf(codePoint) !== 0
}

/** Seven bits a byte; the highest bit says that more follow. */
function readNumber(bytes: Buffer, cursor: { at: number }): number {
  let value = 0
  for (;;) {
    const byte = bytes.readUInt8(cursor.at++)
    value = value * 128 + (byte & 127)
    if (byte < 128) return value
  }
}
