/** Files on their way in and out: plain bytes, of which a browser never makes a page. */
import { Readable } from 'node:stream'
import { AppError } from '#lib/spec/errors'
import { maxUploadBytes } from '#lib/wire/artifacts'
import { bytesInWords } from '#lib/wire/json'

interface Outgoing {
  readonly name: string
  readonly mediaType: string
  readonly content: Readable
}

/** Types that are named as they are; everything else, whatever a browser could run above all, is plain data. */
const harmless =
  /^(text\/(plain|csv|markdown|tab-separated-values)|application\/(json|pdf|zip)|image\/(png|jpeg|gif|webp))$/

/** The file as one to save. */
export function download({ name, mediaType, content }: Outgoing): Response {
  const type = harmless.test(mediaType) ? mediaType : 'application/octet-stream'
  const body = Readable.toWeb(content) as ReadableStream<Uint8Array> // cast: Node's own type of the same stream
  return new Response(body, {
    headers: {
      'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
      'content-disposition': attachment(name),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'no-store',
    },
  })
}

/** As RFC 6266 says it: a plain name for all, and the whole one for those who read UTF-8. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}

/** The body as it comes. Who stops reading leaves the rest unread: the sender is still to get its answer. */
export async function* incoming(request: Request): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxUploadBytes)
    throw new AppError('too_large', `The file is larger than ${bytesInWords(maxUploadBytes)}.`)
  const reader = request.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}
