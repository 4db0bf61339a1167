/** Reads the text of a PDF, some pages at a time; runs in the child process. */
import { getDocumentProxy } from 'unpdf'
import type { DocumentSpan, DocumentText } from '#lib/spec/document'
import { documentLimits, Unreadable } from './document-wire'

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

/** The pages that are read when no range is given. */
const pagesAtOnce = 20

/** Throws `Unreadable`, or errors of the library when the file is broken. */
export async function readPdf(bytes: Uint8Array, pages: DocumentSpan | undefined): Promise<DocumentText> {
  const pdf = await open(bytes)
  const { numPages } = pdf
  if (numPages > documentLimits.pages)
    throw new Unreadable(
      'too_large',
      `The PDF has ${numPages.toLocaleString('en')} pages; at most ${documentLimits.pages.toLocaleString('en')} can be read.`,
    )
  const from = pages?.from ?? 1
  if (from > numPages)
    throw new Unreadable('bad_range', `The PDF has ${pageCount(numPages)}: page ${from} is past its end.`)
  const to = Math.min(pages?.to ?? from + pagesAtOnce - 1, numPages)
  const texts: string[] = []
  for (let number = from; number <= to; number++) texts.push(await textOf(pdf, number))
  return { kind: 'pdf', summary: summaryOf(numPages, from, texts), text: shown(texts, from), pages: numPages }
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), {
      // No code is made of fonts, no font is loaded, and nothing is fetched.
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      stopAtErrors: false,
      verbosity: 0,
    })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException')
      throw new Unreadable('encrypted', 'The PDF is protected by a password.')
    throw error
  }
}

async function textOf(pdf: Pdf, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  let text = ''
  for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
  return text.trim()
}

function summaryOf(pages: number, from: number, texts: readonly string[]): string {
  const has = `The PDF has ${pageCount(pages)}`
  const blank = texts.flatMap((text, at) => (text === '' ? [from + at] : []))
  const isWhole = texts.length === pages
  if (blank.length === texts.length) {
    const which = isWhole ? '' : ` on the pages ${from} to ${from + texts.length - 1}`
    return `The PDF has no text${which}: ${texts.length === 1 ? '1 page' : `${texts.length} pages`} of pictures${isWhole ? '' : `, of ${pages} in all`}.`
  }
  const part = isWhole ? '' : `; these are ${from} to ${from + texts.length - 1}`
  const pictures = blank.length === 0 ? '' : ` No text, only pictures, on: ${blank.join(', ')}.`
  return `${has}${part}.${pictures}`
}

function pageCount(count: number): string {
  return count === 1 ? '1 page' : `${count.toLocaleString('en')} pages`
}

function shown(texts: readonly string[], from: number): string {
  return texts.flatMap((text, at) => (text === '' ? [] : [`--- Page ${from + at} ---\n${text}`])).join('\n\n')
}
