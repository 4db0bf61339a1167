import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentView } from '#lib/spec/document'
import { seeDocument } from './document'
import { readDocument } from './document-process'
import { readingPermissions } from './node-permissions'
import { readersBehind } from './reader-tier.fixture'
import { readerWall } from './reader-wall'
import { createWorkspace } from './workspace'

const free = () => new AbortController().signal
let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'loopwright-documents-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

async function see(bytes: Uint8Array, view: DocumentView = {}) {
  fs.writeFileSync(path.join(folder, 'file'), bytes)
  const opened = await createWorkspace(folder).open('file')
  if (!opened.ok) throw new Error(opened.message)
  try {
    return await seeDocument(opened.value, view, { signal: free() })
  } finally {
    opened.value.content.destroy()
  }
}

/** A PDF with one page for each text; an empty text gives a page without words. */
function pdf(...pages: string[]): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((words, at) => {
      const drawn = words === '' ? '0 0 10 10 re f' : `BT /F1 12 Tf 72 720 Td (${words}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
        `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
      ]
    }),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const start = text.length
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

function docx(body: string): Uint8Array {
  const xml = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`
  return zipSync({ '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8(xml) })
}
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (text: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${run(text)}</w:p>`

describe('a PDF', () => {
  test('gives the text of its pages, or of those asked for', async () => {
    const file = pdf('First page.', 'Second page.', 'Third page.')
    expect(await see(file)).toEqual({
      ok: true,
      wall: (await readerWall())?.facts,
      value: {
        kind: 'pdf',
        pages: 3,
        summary: 'The PDF has 3 pages.',
        text: '--- Page 1 ---\nFirst page.\n\n--- Page 2 ---\nSecond page.\n\n--- Page 3 ---\nThird page.',
      },
    })
    expect(await see(file, { pages: { from: 2, to: 2 } })).toMatchObject({
      value: { summary: 'The PDF has 3 pages; these are 2 to 2.', text: '--- Page 2 ---\nSecond page.' },
    })
    expect(await see(file, { pages: { from: 4 } })).toMatchObject({
      code: 'bad_range',
      message: 'The PDF has 3 pages: page 4 is past its end.',
    })
  })

  test('that was scanned says that it has no text', async () => {
    expect(await see(pdf('', ''))).toMatchObject({
      value: { summary: 'The PDF has no text: 2 pages of pictures.', text: '' },
    })
    expect(await see(pdf('Words.', ''))).toMatchObject({
      value: { summary: 'The PDF has 2 pages. No text, only pictures, on: 2.' },
    })
  })

  test('T33 that is broken, or has too many pages, gives one sentence', async () => {
    expect(await see(Buffer.from('%PDF-1.7\nnothing'))).toMatchObject({ ok: false, code: 'damaged' })
    expect(await see(pdf(...Array.from({ length: 2_001 }, () => '')))).toMatchObject({
      code: 'too_large',
      message: 'The PDF has 2,001 pages; at most 2,000 can be read.',
    })
  })
})

describe('a DOCX file', () => {
  test('gives its headings, lists and tables as Markdown, without what was deleted', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
    const file = docx(
      [
        paragraph('Report', '<w:pStyle w:val="Heading1"/>'),
        `<w:p>${run('Sales ')}${run('rose &amp; fell.')}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`,
        paragraph('one', '<w:numPr/>'),
        paragraph('two', '<w:numPr/>'),
        `<w:tbl><w:tr>${cell('Year')}${cell('Sum')}</w:tr><w:tr>${cell('2024')}${cell('1|2')}</w:tr></w:tbl>`,
        '<w:p><w:r><w:drawing/></w:r></w:p>',
      ].join(''),
    )
    expect(await see(file)).toMatchObject({
      ok: true,
      value: {
        kind: 'docx',
        summary: 'A DOCX document with a picture that cannot be shown here.',
        text: '# Report\n\nSales rose & fell.\n\n- one\n- two\n\n| Year | Sum |\n| --- | --- |\n| 2024 | 1\\|2 |',
      },
    })
  })

  test('T33 reads no entities of its own making', async () => {
    const xml =
      '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><w:document xmlns:w="w"><w:body><w:p><w:r><w:t>&b;&f;</w:t></w:r></w:p></w:body></w:document>'
    const answer = await see(zipSync({ 'word/document.xml': strToU8(xml) }))
    expect(JSON.stringify(answer)).not.toMatch(/aaaa|root:/)
  })
})

describe('a workbook', () => {
  const book = () =>
    writeXlsx({
      sheets: [
        {
          name: 'Sales',
          rows: [
            ['Region', 'When', 'Sum'],
            ['North', new Date('2024-03-01'), 1.5],
            ['South', null, 2],
          ],
        },
        { name: 'Notes', hidden: true, rows: [['hidden text']] },
      ],
    })

  test('shows the cells of its first sheet with their letters and numbers, and names all sheets', async () => {
    expect(await see(await book())).toMatchObject({
      ok: true,
      value: {
        kind: 'xlsx',
        summary: 'Sheets: "Sales", "Notes" (hidden). "Sales" reaches to C3; this is A1:C3.',
        text: '|  | A | B | C |\n| --- | --- | --- | --- |\n| 1 | Region | When | Sum |\n| 2 | North | 2024-03-01 | 1.5 |\n| 3 | South |  | 2 |',
      },
    })
  })

  test('shows another sheet, or a range of cells', async () => {
    expect(await see(await book(), { sheet: 'Notes' })).toMatchObject({
      value: { text: expect.stringContaining('hidden text') },
    })
    expect(await see(await book(), { range: 'b2:C3' })).toMatchObject({
      value: {
        summary: expect.stringContaining('this is B2:C3'),
        text: '|  | B | C |\n| --- | --- | --- |\n| 2 | 2024-03-01 | 1.5 |\n| 3 |  | 2 |',
      },
    })
    expect(await see(await book(), { range: 'A9:B12' })).toMatchObject({
      value: { summary: expect.stringContaining('this part of it is empty') },
    })
    expect(await see(await book(), { range: 'nonsense!' })).toMatchObject({ code: 'bad_range' })
    expect(await see(await book(), { sheet: 'Sums' })).toMatchObject({ code: 'unknown_sheet' })
  })
})

describe('another file', () => {
  test('is text in its encoding, a picture with its size, or refused in one sentence', async () => {
    expect(await see(Buffer.from('Köln\n', 'latin1'))).toMatchObject({
      value: { kind: 'text', summary: 'Text in Latin-1.', text: 'Köln', lines: 1 },
    })
    const png = Buffer.from('89504e470d0a1a0a0000000d4948445200000280000001e0', 'hex')
    expect(await see(png)).toEqual({
      ok: true,
      value: { kind: 'picture', mediaType: 'image/png', bytes: 24, size: { width: 640, height: 480 } },
    })
    expect(await see(zipSync({ 'a.txt': strToU8('x') }))).toMatchObject({
      code: 'not_supported',
      message: 'The file is an archive with 1 part, not a document.',
    })
    expect(await see(Buffer.from([0, 1, 2, 3]))).toMatchObject({ code: 'not_text' })
  })
})

describe('the process that reads documents', () => {
  const ask = { type: 'text' } as const
  async function* words() {
    yield Buffer.from('words')
  }

  test('T30 is kept from files by Node where no wall of the system holds', async () => {
    const undo = readersBehind('node')
    const answer = await readDocument({ ask, content: words() }, () => {}, free())
    undo()
    expect(answer).toMatchObject({ type: 'text', document: { text: 'words' } })
    const secret = path.join(folder, 'secret')
    fs.writeFileSync(secret, 'canary')
    const script = path.join(folder, 'reads.mjs')
    fs.writeFileSync(script, `import fs from 'node:fs'\nfs.readFileSync(${JSON.stringify(secret)})`)
    const { status, stderr } = spawnSync(process.execPath, [...readingPermissions(script), script], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([1, expect.stringContaining('ERR_ACCESS_DENIED')])
  })
})
