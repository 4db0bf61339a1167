/** The text of a file, whatever kind it is of; runs in the child process. */
import type { DocumentText, DocumentView } from '#lib/spec/document'
import { isDocx, readDocx } from './document-docx'
import { readSheet } from './document-sheet'
import { Unreadable } from './document-wire'
import { isOldOffice, isZip } from './table-file'
import { checkUnpacked } from './table-xlsx'
import { decodeText } from './text-encoding'

/** Throws `Unreadable`, or errors of the libraries when the file is broken. */
export async function documentText(bytes: Uint8Array, view: DocumentView): Promise<DocumentText> {
  if (isPdf(bytes)) {
    // The library for PDF is by far the largest.
    const { readPdf } = await import('./document-pdf')
    return readPdf(bytes, view.pages)
  }
  if (isZip(bytes)) {
    const names = checkUnpacked(bytes)
    if (isDocx(names)) return readDocx(bytes)
    if (names.includes('xl/workbook.xml')) return readSheet(bytes, view)
    throw new Unreadable(
      'not_supported',
      `The file is an archive with ${names.length === 1 ? '1 part' : `${names.length} parts`}, not a document.`,
    )
  }
  if (isOldOffice(bytes))
    throw new Unreadable(
      'not_supported',
      'The file is in an old format of Office or is protected by a password. Save it as DOCX or XLSX without a password.',
    )
  const decoded = decodeText(bytes)
  if (decoded === undefined)
    throw new Unreadable(
      'not_text',
      'The file is not text, PDF, DOCX, XLSX or CSV, and no picture that is known here.',
    )
  const { text, encoding } = decoded
  const lines = text.split(/\r\n|\r|\n/)
  if (lines.at(-1) === '') lines.pop()
  const shown = lines.slice((view.lines?.from ?? 1) - 1, view.lines?.to)
  return { kind: 'text', summary: `Text in ${names[encoding]}.`, text: shown.join('\n'), lines: lines.length }
}

const names = { 'utf-8': 'UTF-8', 'utf-16': 'UTF-16', 'latin-1': 'Latin-1' }

/** Some programs write blanks or a byte order mark before the mark of a PDF. */
function isPdf(bytes: Uint8Array): boolean {
  return /^(\xef\xbb\xbf)?\s*%PDF-/.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))
}
