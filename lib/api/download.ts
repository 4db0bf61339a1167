/** Sends a file as a download, so that a browser never renders it as a page. */
import { Readable } from 'node:stream'
import type { FileToSave } from './row'

/**
 * Media types that are sent unchanged. All others, especially those that a browser could run, are sent as
 * plain data.
 */
const harmless =
  /^(text\/(plain|csv|markdown|tab-separated-values)|application\/(json|pdf|zip)|image\/(png|jpeg|gif|webp))$/

export function download({ name, mediaType, content }: FileToSave, request: Request): Response {
  const type = harmless.test(mediaType) ? mediaType : 'application/octet-stream'
  return new Response(bodyOf(content, request), {
    headers: {
      'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'content-disposition': attachment(name),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    },
  })
}

/** The body of the answer. The file must not stay open where nobody reads it: after HEAD, or once the client has left. */
function bodyOf(content: Readable, { method, signal }: Request): ReadableStream<Uint8Array> | null {
  if (method === 'HEAD' || signal.aborted) {
    content.destroy()
    return null
  }
  const close = () => content.destroy()
  signal.addEventListener('abort', close, { once: true })
  content.once('close', () => signal.removeEventListener('abort', close))
  return Readable.toWeb(content) as ReadableStream<Uint8Array> // cast: Node's own type of the same stream
}

/** The two forms of RFC 6266: an ASCII name that every client reads, and the full name in UTF-8. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
