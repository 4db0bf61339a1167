import { strToU8, zipSync } from 'fflate'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { isDeep } from '#e2e/test-depth'
import { documentLimits } from './document-wire'
import { tablesIn } from './table-file'
import { readTables, streamTables } from './tables'
import { textCell as text, workbook } from './workbook.fixture'

const free = () => new AbortController().signal

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

const read = (bytes: Uint8Array, options: { sheet?: string; timeoutMs?: number } = {}, signal = free()) =>
  readTables({ content: once(bytes), ...options }, signal)

/** What the child would say of these bytes, without a child. */
async function parse(bytes: Uint8Array) {
  const tables: { rows: unknown[] }[] = []
  let format: unknown
  for await (const said of tablesIn(bytes, undefined)) {
    if (said.type === 'table') tables.push({ ...said.head, rows: [] })
    else if (said.type === 'rows') tables.at(-1)?.rows.push(...said.rows)
    else if (said.type === 'done') format = said.format
  }
  return { ok: true, format, tables }
}

const csv = (text: string) => parse(Buffer.from(text))

describe('the tables of a workbook', () => {
  test('are its sheets, hidden ones too, with typed columns and shown values', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'Sales',
          rows: [
            ['Sales of 2024'],
            [],
            ['Region', 'When', 'Amount', 'Count', 'Paid', 'Code'],
            ['North', new Date('2024-03-01'), 12.5, 3, true, '007'],
            ['South', new Date('2024-03-02'), 3, 4, false, null],
          ],
        },
        { name: 'Secret', hidden: true, rows: [['a'], [1]] },
        { name: 'Empty', rows: [] },
      ],
    })
    const answer = await read(bytes)
    expect(answer).toEqual({
      ok: true,
      format: { kind: 'xlsx' },
      tables: [
        {
          sheet: 'Sales',
          hidden: false,
          headerRow: 3,
          rowCount: 2,
          errorCells: 0,
          columns: [
            { name: 'Region', type: 'text' },
            { name: 'When', type: 'date' },
            { name: 'Amount', type: 'number' },
            { name: 'Count', type: 'integer' },
            { name: 'Paid', type: 'boolean' },
            { name: 'Code', type: 'text' },
          ],
          rows: [
            ['North', '2024-03-01', 12.5, 3, true, '007'],
            ['South', '2024-03-02', 3, 4, false, null],
          ],
        },
        {
          sheet: 'Secret',
          hidden: true,
          headerRow: 1,
          rowCount: 1,
          errorCells: 0,
          columns: [{ name: 'a', type: 'integer' }],
          rows: [[1]],
        },
        { sheet: 'Empty', hidden: false, headerRow: null, rowCount: 0, errorCells: 0, columns: [], rows: [] },
      ],
    })
  })

  test('hold what formulas showed last, moments, times of the day, and null for an error', async () => {
    const bytes = workbook({
      Log: {
        xml: [
          `<row r="1">${text('A1', 'at')}${text('B1', 'clock')}${text('C1', 'sum')}${text('D1', 'rate')}</row>`,
          '<row r="2"><c r="A2" s="2"><v>45352.6041666667</v></c><c r="B2" s="3"><v>0.375</v></c><c r="C2"><f>1+2</f><v>3</v></c><c r="D2"><v>0.30000000000000004</v></c></row>',
          '<row r="3"><c r="A3" s="1"><v>45353</v></c><c r="B3" s="3"><v>0.5</v></c><c r="C3" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D3" t="str"><f>"x"</f><v>none</v></c></row>',
        ].join(''),
      },
    })
    const answer = await read(bytes)
    expect(answer).toMatchObject({
      tables: [
        {
          errorCells: 1,
          columns: [{ type: 'datetime' }, { type: 'time' }, { type: 'integer' }, { type: 'text' }],
          rows: [
            ['2024-03-01T14:30:00', '09:00:00', 3, '0.3'],
            ['2024-03-02T00:00:00', '12:00:00', null, 'none'],
          ],
        },
      ],
    })
  })

  test('count their days from 1904 where the workbook does', async () => {
    const xml = `<row r="1">${text('A1', 'day')}</row><row r="2"><c r="A2" s="1"><v>43890</v></c></row>`
    const answer = await read(workbook({ Days: { xml } }, { properties: '<workbookPr date1904="1"/>' }))
    expect(answer).toMatchObject({ tables: [{ rows: [['2024-03-01']] }] })
  })

  test('have unique names of columns: letters where there is none, numbers where one comes twice', async () => {
    const bytes = await writeXlsx({
      sheets: [
        {
          name: 'S',
          rows: [
            ['a', 'A', null, 'a (2)'],
            [1, 2, 3, 4],
          ],
        },
      ],
    })
    const answer = await read(bytes)
    expect(answer.ok && answer.tables[0]?.columns.map(({ name }) => name)).toEqual([
      'a',
      'A (2)',
      'C',
      'a (2) (2)',
    ])
  })

  test('may be read one by one, and a wrong name is answered with the right ones', async () => {
    const bytes = await writeXlsx({
      sheets: [
        { name: 'One', rows: [['a'], [1]] },
        { name: 'Two', rows: [['b'], [2]] },
      ],
    })
    const two = await read(bytes, { sheet: 'Two' })
    expect(two.ok && two.tables.map(({ sheet }) => sheet)).toEqual(['Two'])
    expect(await read(bytes, { sheet: 'Three' })).toEqual({
      ok: false,
      code: 'unknown_sheet',
      message: 'The file has no sheet "Three". Its sheets are: "One", "Two".',
    })
  })

  test('stay small when two cells are far apart, since empty columns and rows are left out', async () => {
    const xml = `<row r="1">${text('A1', 'near')}</row><row r="1048576">${text('XFD1048576', 'far')}</row>`
    const answer = await read(workbook({ Wide: { xml } }))
    expect(answer).toMatchObject({ tables: [{ rowCount: 1, rows: [[null, 'far']] }] })
  })

  test('come in portions, each table before its rows', async () => {
    const rows = Array.from({ length: 3_000 }, (_, n) => [n, `name ${n}`])
    const bytes = await writeXlsx({ sheets: [{ name: 'S', rows: [['n', 'name'], ...rows] }] })
    const seen: string[] = []
    let count = 0
    const answer = await streamTables(
      { content: once(bytes) },
      {
        table: ({ sheet }) => void seen.push(sheet),
        rows: (portion) => {
          seen.push('rows')
          count += portion.length
        },
      },
      free(),
    )
    expect(answer).toMatchObject({ ok: true, heads: [{ rowCount: 3_000 }] })
    expect(count).toBe(3_000)
    expect(seen.slice(0, 3)).toEqual(['S', 'rows', 'rows'])
  })
})

describe('the table of a CSV file', () => {
  test.each([
    ['commas', 'name,n\n"a, ""b""",1\n', ','],
    ['semicolons', 'name;n\n"a, ""b""";1\n', ';'],
    ['tabs', 'name\tn\n"a, ""b"""\t1\n', '\t'],
  ])('is read with %s and quotes', async (_, given, delimiter) => {
    expect(await csv(given)).toMatchObject({
      format: { kind: 'csv', encoding: 'utf-8', delimiter },
      tables: [
        { sheet: 'data', columns: [{ name: 'name' }, { name: 'n', type: 'integer' }], rows: [['a, "b"', 1]] },
      ],
    })
  })

  test.each([
    ['utf-16', Buffer.from('\ufeffStadt;n\nKöln;1\n', 'utf16le')],
    ['utf-16', Buffer.from('Stadt;n\nKöln;1\n', 'utf16le')],
    ['utf-16', Buffer.from('\ufeffStadt;n\nKöln;1\n', 'utf16le').swap16()],
    ['latin-1', Buffer.from('Stadt;n\nKöln;1\n', 'latin1')],
    ['utf-8', Buffer.from('\ufeffStadt;n\nKöln;1\n')],
  ])('is read in %s', async (encoding, bytes) => {
    expect(await parse(bytes)).toMatchObject({
      format: { encoding, delimiter: ';' },
      tables: [{ columns: [{ name: 'Stadt' }, { name: 'n' }], rows: [['Köln', 1]] }],
    })
  })

  test.each<[string, string, unknown[]]>([
    ['integer', '1\n-20\n0', [1, -20, 0]],
    ['number', '1\n2.5\n-1e3', [1, 2.5, -1000]],
    ['boolean', 'true\nFALSE', [true, false]],
    ['date', '2024-02-29\n1999-12-31', ['2024-02-29', '1999-12-31']],
    ['datetime', '2024-02-29 10:00\n2024-03-01', ['2024-02-29T10:00', '2024-03-01T00:00:00']],
    ['text', '01234\n5', ['01234', '5']],
    ['text', '12345678901234567890\n1', ['12345678901234567890', '1']],
    ['text', '31.12.2024\nx', ['31.12.2024', 'x']],
    ['text', '1\nn/a', ['1', 'n/a']],
  ])('has a column of the type %s: %j', async (type, cells, rows) => {
    expect(await csv(`column\n${cells}\n`)).toMatchObject({
      tables: [{ columns: [{ name: 'column', type }], rows: rows.map((value) => [value]) }],
    })
  })

  test('reads decimal commas where semicolons part the cells, and only there', async () => {
    expect(await csv('a;b\n1.234,50;x\n2,5;y\n')).toMatchObject({
      tables: [
        {
          columns: [{ type: 'number' }, {}],
          rows: [
            [1234.5, 'x'],
            [2.5, 'y'],
          ],
        },
      ],
    })
    expect(await csv('a;b\n1.234;x\n2.5;y\n')).toMatchObject({
      tables: [
        {
          rows: [
            [1.234, 'x'],
            [2.5, 'y'],
          ],
        },
      ],
    })
  })

  test('keeps its first row where that row is no header', async () => {
    expect(await csv('1,2\n3,4\n')).toMatchObject({
      tables: [
        {
          headerRow: null,
          columns: [{ name: 'A' }, { name: 'B' }],
          rows: [
            [1, 2],
            [3, 4],
          ],
        },
      ],
    })
    expect(await csv('Region,2023,2024\nNorth,1,2\n')).toMatchObject({
      tables: [{ headerRow: 1, columns: [{ name: 'Region' }, { name: '2023' }, { name: '2024' }] }],
    })
  })

  test('may be empty, or ragged', async () => {
    expect(await csv('')).toMatchObject({ ok: true, tables: [{ columns: [], rowCount: 0 }] })
    expect(await csv('a,b\n1\n1,2,3\n')).toMatchObject({
      tables: [
        {
          rows: [
            [1, null, null],
            [1, 2, 3],
          ],
        },
      ],
    })
  })
})

describe('a file that cannot be read gives one sentence', () => {
  const zip = (parts: Record<string, Uint8Array>) => zipSync(parts)

  function broken() {
    const bytes = workbook({ S: { xml: '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(200) } })
    const at = Buffer.from(bytes).indexOf('xl/worksheets/sheet1.xml', 0, 'latin1')
    return bytes.fill(0xff, at + 26, at + 60)
  }

  test.each<[string, () => Uint8Array, string, RegExp]>([
    ['a picture', () => Buffer.from('\x89PNG\r\n\x1a\n\0\0\0', 'latin1'), 'not_supported', /neither an XLSX/],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae100', 'hex'), 'not_supported', /old format/],
    ['an archive', () => zip({ 'a.txt': strToU8('x') }), 'damaged', /damaged/],
    ['half a workbook', () => workbook({ S: { xml: '' } }).subarray(0, 600), 'damaged', /damaged/],
    ['a workbook with broken bytes', broken, 'damaged', /damaged/],
  ])('T33 %s', async (_, bytes, code, message) => {
    expect(await read(bytes())).toMatchObject({ ok: false, code, message: expect.stringMatching(message) })
  })

  test('T33 an archive that says it unpacks to more than 200 MiB is not unpacked', async () => {
    const zeros = new Uint8Array(isDeep ? 210 * 1024 * 1024 : 1)
    const bytes = workbook({ S: { xml: '' } }, {})
    const bomb = isDeep ? zip({ 'xl/a.xml': zeros }) : bytes
    if (!isDeep) {
      // The size that the directory of the archive declares for its first part.
      const view = new DataView(bomb.buffer, bomb.byteOffset)
      const at = Buffer.from(bomb).indexOf('PK\x01\x02', 0, 'latin1')
      view.setUint32(at + 24, 210 * 1024 * 1024, true)
    }
    expect(await read(bomb)).toMatchObject({ code: 'too_large', message: expect.stringContaining('200 MiB') })
  })

  test('T33 a part that unpacks to more than it declares costs its own process and nothing else', async () => {
    const cells = '<row r="1"><c r="A1"><v>1</v></c></row>'
    const long = isDeep ? 300 : 20
    const bytes = workbook({ S: { xml: `${cells}${' '.repeat(long * 1024 * 1024)}` } })
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const raw = Buffer.from(bytes)
    for (
      let at = raw.indexOf('PK\x01\x02', 0, 'latin1');
      at !== -1;
      at = raw.indexOf('PK\x01\x02', at + 4, 'latin1')
    )
      view.setUint32(at + 24, 10, true)
    const answer = await read(bytes)
    expect(answer.ok ? 'ok' : answer.code).toMatch(/^(ok|damaged|memory|timeout)$/)
  })

  test('T33 more than a million cells', async () => {
    const row = `${'1,'.repeat(999)}1\n`
    expect(await read(Buffer.from(row.repeat(1_001)))).toMatchObject({
      code: 'too_large',
      message: 'The file has more than 1,000,000 cells, the limit for reading tables.',
    })
  })

  test('T33 more bytes than the limit', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'a,')
    async function* endless() {
      for (;;) yield chunk
    }
    expect(await readTables({ content: endless() }, free())).toMatchObject({
      code: 'too_large',
      message: `The file is larger than ${documentLimits.fileBytes / 1024 / 1024} MiB, the limit for reading its contents.`,
    })
  })

  test('a file that takes too long, one that is stopped, and one that the disk does not give', async () => {
    async function* silent() {
      await new Promise((resolve) => setTimeout(resolve, 5_000).unref())
      yield Buffer.from('a')
    }
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a')
      throw new Error('EIO')
    }
    expect(await readTables({ content: silent(), timeoutMs: 200 }, free())).toMatchObject({ code: 'timeout' })
    expect(await readTables({ content: silent() }, AbortSignal.timeout(200))).toMatchObject({
      code: 'aborted',
    })
    expect(await readTables({ content: failing() }, free())).toMatchObject({ code: 'unavailable' })
  })
})
