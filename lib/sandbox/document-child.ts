/**
 * The child process that reads documents: takes a request and the bytes of one file, and says what is in it. A
 * hostile file can break only this process.
 */
import type { DocumentText } from '#lib/spec/document'
import { documentText } from './document-text'
import { type DocumentAsk, type DocumentSaid, Unreadable } from './document-wire'
import { tablesIn } from './table-file'

function say(said: DocumentSaid): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

/** More than any reader of the answer takes. */
const mostChars = 1_000_000

function cut(document: DocumentText): DocumentText {
  if (document.text.length <= mostChars) return document
  const summary = `${document.summary} Only the first ${mostChars.toLocaleString('en')} characters are here.`
  return { ...document, summary, text: document.text.slice(0, mostChars) }
}

async function input(): Promise<{ ask: DocumentAsk; bytes: Uint8Array }> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const all = Buffer.concat(chunks)
  const end = all.indexOf(10)
  return { ask: JSON.parse(all.subarray(0, end).toString('utf8')), bytes: all.subarray(end + 1) }
}

async function main(): Promise<void> {
  const { ask, bytes } = await input()
  try {
    if (ask.type === 'text') say({ type: 'text', document: cut(await documentText(bytes, ask)) })
    else for await (const said of tablesIn(bytes, ask.sheet)) say(said)
  } catch (error) {
    // What a library says about a broken file is no help to its reader, and can hold parts of the file.
    const { code, message } =
      error instanceof Unreadable
        ? error
        : new Unreadable(
            'damaged',
            'The file is damaged: it cannot be read as the kind of file that it claims to be.',
          )
    say({ type: 'failed', code, message })
  }
}

await main()
