/** Makes file names from people and models safe for any disk. */
import path from 'node:path'

const maxBytes = 180

/**
 * The last name of a path without special characters, at most 180 bytes long; `file` when nothing is left.
 * Letters and digits of any script stay, and `. _ - ( )`, spaces and `+ , = @ #` with them.
 */
export function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? ''
  const kept = last
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._()+,=@#-]/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  const { name: stem, ext } = path.parse(kept)
  const end = Buffer.byteLength(ext) <= 20 ? ext : ''
  return cut(end === ext ? stem : kept, maxBytes - Buffer.byteLength(end)) + end || 'file'
}

function cut(text: string, bytes: number): string {
  let kept = ''
  let size = 0
  for (const sign of text) {
    size += Buffer.byteLength(sign)
    if (size > bytes) return kept.trimEnd()
    kept += sign
  }
  return kept
}
