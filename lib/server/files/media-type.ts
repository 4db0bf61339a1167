/**
 * Detects the media type of a file from its name and its first bytes; an uncertain file is plain binary data.
 */
import path from 'node:path'

const data = 'application/octet-stream'

const texts: Readonly<Record<string, string>> = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.json': 'application/json',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.xml': 'application/xml',
  '.svg': 'image/svg+xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}

/** Formats that can be recognized by their first bytes. */
const marks: readonly (readonly [type: string, extensions: readonly string[], mark: string])[] = [
  ['image/png', ['.png'], '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', ['.jpg', '.jpeg'], '\xff\xd8\xff'],
  ['image/gif', ['.gif'], 'GIF8'],
  ['image/webp', ['.webp'], 'RIFF'],
  ['application/pdf', ['.pdf'], '%PDF-'],
  ['application/zip', ['.zip'], 'PK\x03\x04'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', ['.xlsx'], 'PK\x03\x04'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ['.docx'], 'PK\x03\x04'],
]

/** More is not looked at to tell a text from other data. */
const looked = 4_096

/** The name must agree with the first bytes of the content. */
export function mediaTypeOf(name: string, content: Uint8Array): string {
  const head = content.subarray(0, looked)
  const extension = path.extname(name).toLowerCase()
  const beginning = Buffer.from(head.subarray(0, 16)).toString('latin1')
  for (const [type, extensions, mark] of marks)
    if (extensions.includes(extension)) return beginning.startsWith(mark) ? type : data
  return isText(head) ? (texts[extension] ?? 'text/plain') : data
}

/** The head may end in the middle of a character. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
