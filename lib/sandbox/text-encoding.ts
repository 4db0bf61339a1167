/** Reads bytes as text, in the encoding that they seem to have. */
import type { TextEncodingName } from '#lib/spec/tables'

/** The text of the bytes and their encoding; undefined for what is no text. */
export function decodeText(bytes: Uint8Array): { text: string; encoding: TextEncodingName } | undefined {
  const wide = wideEncoding(bytes)
  if (wide !== undefined) return { text: new TextDecoder(wide).decode(bytes), encoding: 'utf-16' }
  if (bytes.includes(0)) return undefined
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'latin-1' }
  }
}

const sampleBytes = 4_096

/** UTF-16 by its mark, or by a zero in every second byte, which mostly Latin letters have. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, sampleBytes)
  const zeros = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const most = sample.length * 0.3
  const [even = 0, odd = 0] = zeros
  if (odd > most && even === 0) return 'utf-16le'
  return even > most && odd === 0 ? 'utf-16be' : undefined
}
