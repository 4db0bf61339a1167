/** What kind of file a name and a beginning speak of; whatever is not sure is plain data. */
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

/** Formats that say by their first bytes what they are. */
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

/** The name and the beginning of the content must agree. */
export function mediaTypeOf(name: string, head: Uint8Array): string {
  const extension = path.extname(name).toLowerCase()
  const beginning = Buffer.from(head.subarray(0, 16)).toString('latin1')
  for (const [type, extensions, mark] of marks)
    if (extensions.includes(extension)) return beginning.startsWith(mark) ? type : data
  return isText(head) ? (texts[extension] ?? 'text/plain') : data
}

/** A character may be cut at the end of a beginning. */
function isText(head: Uint8Array): boolean {
  if (head.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
