/** What services refuse about a picture in a request: its kind, its base64 and its size. */
import { type Refusals, refusal } from './refusal'

/** The first bytes of each kind that the services take. */
const marks: Readonly<Record<string, string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff',
  'image/gif': 'GIF8',
  'image/webp': 'RIFF',
}
const mostChars = 5 * 1024 * 1024

export function* wrongPicture(mediaType: unknown, data: unknown, at: string): Refusals {
  const mark = marks[String(mediaType)]
  if (mark === undefined)
    return yield refusal(at, `media type should be one of ${Object.keys(marks).join(', ')}`)
  if (
    typeof data !== 'string' ||
    data === '' ||
    !/^[A-Za-z0-9+/]+={0,2}$/.test(data) ||
    data.length % 4 !== 0
  )
    return yield refusal(at, 'invalid base64 data')
  if (data.length > mostChars)
    return yield refusal(at, `image exceeds 5 MB maximum: ${data.length} bytes > ${mostChars} bytes`)
  if (!Buffer.from(data.slice(0, 64), 'base64').toString('latin1').startsWith(mark))
    yield refusal(at, `the data is not ${String(mediaType)}`)
}

/** A picture inside the request itself, or at an address. */
export function* wrongPictureUrl(url: unknown, at: string): Refusals {
  if (typeof url !== 'string') return yield refusal(at, 'Input should be a valid string')
  if (/^https?:\/\//.test(url)) return
  const [, mediaType, data] = /^data:([^;,]*);base64,(.*)$/s.exec(url) ?? []
  yield* wrongPicture(mediaType, data, at)
}
