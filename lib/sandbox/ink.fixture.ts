/** For tests: how much of a picture is drawn. */
import { inflateSync } from 'node:zlib'

interface Ink {
  readonly width: number
  readonly height: number
  readonly dark: number
  readonly drawn: number
  readonly right: number
}

/** How many pixels of a PNG of 8-bit colours are drawn on at all, how many are dark, and where the last of them is. */
export function ink(png: Uint8Array): Ink {
  const bytes = Buffer.from(png)
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const packed: Buffer[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(bytes.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const raw = inflateSync(Buffer.concat(packed))
  const stride = width * 4
  let above = Buffer.alloc(stride)
  let dark = 0
  let drawn = 0
  let right = 0
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)]
    const row = Buffer.from(raw.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let x = 0; x < stride; x++) row[x] = (row[x] ?? 0) + predicted(filter, row, above, x)
    for (let x = 0; x < stride; x += 4) {
      if ((row[x + 3] ?? 0) < 128 || (row[x] ?? 255) > 200) continue
      drawn++
      if ((row[x] ?? 255) < 110) dark++
      right = Math.max(right, x / 4)
    }
    above = row
  }
  return { width, height, dark, drawn, right }
}

function predicted(filter: number | undefined, row: Buffer, above: Buffer, x: number): number {
  const [a, b, c] = [row[x - 4] ?? 0, above[x] ?? 0, above[x - 4] ?? 0]
  if (filter === 1) return a
  if (filter === 2) return b
  if (filter === 3) return Math.floor((a + b) / 2)
  if (filter !== 4) return 0
  const [pa, pb, pc] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)]
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
}
