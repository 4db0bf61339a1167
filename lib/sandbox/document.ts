/** Shows a file of a workspace: what a picture is, and the text of a document, which is read in a child process. */
import type { DocumentView, SeenDocument, Viewing } from '#lib/spec/document'
import { readDocument } from './document-process'
import { pictureSizeIn } from './picture-size'

/** So much of a file is looked at to tell whether it is a picture. */
const headBytes = 128 * 1024

const pictures: readonly (readonly [mediaType: string, mark: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/bmp', 'BM'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
]

/** A file that is open for one reader. */
interface Opened {
  readonly bytes: number
  readonly content: AsyncIterable<Uint8Array>
}

/** The caller closes the file. Never throws. */
export async function seeDocument(
  { content, bytes }: Opened,
  view: DocumentView,
  { signal, inLine }: Viewing,
): Promise<SeenDocument> {
  const chunks = content[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let read = 0
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      first.push(next.value)
      read += next.value.length
      if (read >= headBytes) break
    }
  } catch {
    return { ok: false, code: 'unavailable', message: 'The file cannot be read from the disk just now.' }
  }
  const head = Buffer.concat(first)
  const mediaType = pictureTypeOf(head)
  if (mediaType !== undefined)
    return { ok: true, value: { kind: 'picture', mediaType, bytes, size: pictureSizeIn(head) } }
  async function* whole() {
    yield head
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  const answer = await readDocument(
    { ask: { type: 'text', ...view }, content: whole(), ...(inLine && { inLine }) },
    () => {},
    signal,
  )
  if ('ok' in answer) return answer
  if (answer.type !== 'text') throw new Error('the child answered another question')
  return { ok: true, value: answer.document, wall: answer.wall }
}

/** The kind of picture that these first bytes begin; undefined for anything else. */
export function pictureTypeOf(head: Buffer): string | undefined {
  const beginning = head.toString('latin1', 0, 16)
  if (beginning.startsWith('RIFF') && beginning.slice(8, 12) === 'WEBP') return 'image/webp'
  return pictures.find(([, mark]) => beginning.startsWith(mark))?.[0]
}
