/** Reads a file of a collection into passages: text, Markdown, HTML, PDF and DOCX. */
import path from 'node:path'
import { seeDocument } from '#lib/sandbox/document'
import { readPage } from '#lib/sandbox/page'
import { decodeText } from '#lib/sandbox/text-encoding'
import type { DocumentView } from '#lib/spec/document'
import type { Result } from '#lib/spec/errors'
import type { CollectionFileKind } from '#lib/spec/recall-store'
import { chunksOfPages, chunksOfText, type PassageText } from './chunks'

export interface FileToRead {
  readonly name: string
  readonly bytes: Buffer
}

export interface FileRead {
  readonly kind: CollectionFileKind
  readonly chars: number
  readonly chunks: readonly PassageText[]
}

/** The error is one sentence about the file. Never throws. */
export type ReadFile = (file: FileToRead, signal: AbortSignal) => Promise<Result<FileRead, string>>

/** Pages of a PDF that are read at once. */
const pagesAtOnce = 100

export const readFile: ReadFile = async ({ name, bytes }, signal) => {
  if (bytes.length === 0) return failed(`“${name}” is empty.`)
  const head = bytes.toString('latin1', 0, 64)
  if (/^(\xef\xbb\xbf)?\s*%PDF-/.test(head)) return readPdf({ name, bytes }, signal)
  if (head.startsWith('PK\x03\x04') || head.startsWith('\xd0\xcf\x11\xe0'))
    return readDocx({ name, bytes }, signal)
  const decoded = decodeText(bytes)
  if (decoded === undefined)
    return failed(`“${name}” is not text, Markdown, HTML, PDF or DOCX, so it cannot be part of a collection.`)
  const { text } = decoded
  const ending = path.extname(name).toLowerCase()
  const isHtml = ['.html', '.htm', '.xhtml'].includes(ending) || /^\s*<(!doctype html|html)\b/i.test(text)
  if (isHtml) return readHtml({ name, text }, signal)
  const isMarkdown = ['.md', '.markdown', '.mdx'].includes(ending)
  return done(name, isMarkdown ? 'markdown' : 'text', text, chunksOfText(text, { hasHeadings: isMarkdown }))
}

async function readPdf({ name, bytes }: FileToRead, signal: AbortSignal): Promise<Result<FileRead, string>> {
  const texts: string[] = []
  for (let from = 1; ; from += pagesAtOnce) {
    const seen = await see(bytes, { pages: { from, to: from + pagesAtOnce - 1 } }, signal)
    if (!seen.ok) return failed(`“${name}” cannot be read. ${seen.error}`)
    texts.push(seen.value.text)
    if (from + pagesAtOnce > (seen.value.pages ?? 0)) break
  }
  const text = texts.join('\n\n')
  if (text.trim() === '')
    return failed(
      `“${name}” has no text, only pictures of pages. Recognise its text first, then add it again.`,
    )
  return done(name, 'pdf', text, chunksOfPages(text))
}

async function readDocx({ name, bytes }: FileToRead, signal: AbortSignal): Promise<Result<FileRead, string>> {
  const seen = await see(bytes, {}, signal)
  if (!seen.ok) return failed(`“${name}” cannot be read. ${seen.error}`)
  const { kind, text } = seen.value
  if (kind === 'docx') return done(name, kind, text, chunksOfText(text, { hasHeadings: true }))
  return failed(
    `“${name}” is a spreadsheet. Tables are asked with SQL tools; save it as text to add it here.`,
  )
}

async function readHtml(
  { name, text }: { readonly name: string; readonly text: string },
  signal: AbortSignal,
): Promise<Result<FileRead, string>> {
  const page = await readPage({ html: text, url: 'https://localhost/', isWhole: true }, signal)
  if (page === undefined) return failed(`“${name}” cannot be read as HTML: it is broken or too large.`)
  const { title, markdown } = page
  // The title of a page stands over its headings.
  const whole = title.trim() === '' || /^#\s/m.test(markdown) ? markdown : `# ${title.trim()}\n\n${markdown}`
  return done(name, 'html', whole, chunksOfText(whole, { hasHeadings: true }))
}

async function see(
  bytes: Buffer,
  view: DocumentView,
  signal: AbortSignal,
): Promise<Result<{ kind: string; text: string; pages?: number | undefined }, string>> {
  async function* content() {
    yield bytes
  }
  const seen = await seeDocument({ bytes: bytes.length, content: content() }, view, { signal })
  if (!seen.ok) return { ok: false, error: seen.message }
  if (seen.value.kind === 'picture') return { ok: false, error: 'It is a picture.' }
  return { ok: true, value: seen.value }
}

function done(
  name: string,
  kind: CollectionFileKind,
  text: string,
  chunks: readonly PassageText[],
): Result<FileRead, string> {
  if (chunks.length === 0) return failed(`“${name}” has no text.`)
  return { ok: true, value: { kind, chars: text.length, chunks } }
}

function failed(error: string): Result<FileRead, string> {
  return { ok: false, error }
}
