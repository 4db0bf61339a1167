/** Reads the size of a picture in pixels from the beginning of its file, without decoding it. */
import type { PictureSize } from '#lib/spec/picture'

/**
 * The size of a PNG, JPEG, GIF or WebP file; undefined for another file, or when the size comes after these bytes.
 */
export function pictureSizeIn(head: Uint8Array): PictureSize | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  try {
    const size = pngSize(bytes) ?? gifSize(bytes) ?? webpSize(bytes) ?? jpegSize(bytes)
    return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
  } catch (error) {
    // The file ends before its size.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function has(bytes: Buffer, at: number, mark: string): boolean {
  return bytes.toString('latin1', at, at + mark.length) === mark
}

function pngSize(bytes: Buffer): PictureSize | undefined {
  if (!has(bytes, 0, '\x89PNG\r\n\x1a\n') || !has(bytes, 12, 'IHDR')) return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function gifSize(bytes: Buffer): PictureSize | undefined {
  if (!has(bytes, 0, 'GIF8')) return undefined
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

function webpSize(bytes: Buffer): PictureSize | undefined {
  if (!has(bytes, 0, 'RIFF') || !has(bytes, 8, 'WEBP')) return undefined
  if (has(bytes, 12, 'VP8X'))
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (has(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!has(bytes, 12, 'VP8 ')) return undefined
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

/** The segments before the picture itself are passed over; each has its length in its head. */
function jpegSize(bytes: Buffer): PictureSize | undefined {
  if (bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const kind = bytes[at + 1] ?? 0
    // Any number of these bytes may stand before the kind.
    if (kind === 0xff) {
      at += 1
      continue
    }
    if (isFrame(kind)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2))
  }
  return undefined
}

/** The segments that begin a picture; the three left out hold tables. */
function isFrame(kind: number): boolean {
  return kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc
}
