import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countFor } from '#e2e/test-depth'
import { readRows } from './observation'
import { ask, databaseTools, statements } from './stand-in.fixture'
import { nameStems } from './words'

const word = fc.constantFrom(
  'customer',
  'order',
  'line',
  'unit',
  'price',
  'quantity',
  'total',
  'country',
  'ward',
  'name',
  'is_open',
  'date',
  'year',
  'we"ird',
  "o'clock",
  'größe',
  'Select',
  'a b',
)
const columnName = fc
  .tuple(word, word, fc.constantFrom('', '_id', '_on', 's', ' '))
  .map(([one, other, end]) => `${one}_${other}${end}`)
const table = fc.record({
  name: fc.tuple(word, fc.nat(99)).map(([name, number]) => `${name}${number}`),
  columns: fc.uniqueArray(
    fc.tuple(fc.oneof(columnName, word), fc.constantFrom('integer', 'real', 'text', 'date', '')),
    {
      selector: ([name]) => name.toLowerCase(),
      minLength: 1,
      maxLength: 6,
    },
  ),
})
const schema = fc.uniqueArray(table, {
  selector: (each) => each.name.toLowerCase(),
  minLength: 1,
  maxLength: 5,
})
const phrase = fc.constantFrom(
  'how many',
  'which',
  'total',
  'average',
  'the most',
  'per',
  'by',
  'in 2024',
  'revenue',
  'top 3',
  'who',
  'how much',
  '"x"',
  'in Berlin',
  'not',
  'list',
  'highest',
  'between 2020 and 2022',
  'by month',
  'rate',
)

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

test('the demo never sends a name it has not read, and every statement is SQLite @deep', () => {
  fc.assert(
    fc.property(
      schema,
      fc.array(
        fc.oneof(
          phrase,
          word,
          fc.nat(20).map((at) => `#${at}`),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      (tables, pieces) => {
        const names = tables.flatMap((each) => [each.name, ...each.columns.map(([name]) => name)])
        const question = pieces
          .map((each) =>
            each.startsWith('#')
              ? nameStems(names[Number(each.slice(1)) % names.length] ?? '').join(' ')
              : each,
          )
          .join(' ')
        const ddl = tables.map(
          (each) =>
            `create table ${quoted(each.name)} (${each.columns.map(([name, type]) => `${quoted(name)} ${type}`).join(', ')});`,
        )
        const played = ask(question, databaseTools(ddl.join('\n'), 'json'))
        expect(played.turns.length).toBeLessThan(10)
        const read = new Set(names)
        for (const sql of statements(played)) {
          const quotedPieces = sql.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"/g) ?? []
          const identifiers = quotedPieces.filter((each) => each.startsWith('"'))
          for (const each of identifiers) expect(read).toContain(each.slice(1, -1).replaceAll('""', '"'))
        }
        expect(played.answer).not.toContain('it did not run')
      },
    ),
    { numRuns: countFor({ quick: 40, deep: 150 }) },
  )
}, 30_000)

test('the demo never throws, whatever is asked and whatever tools give back @deep', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.array(fc.oneof(fc.string(), fc.json()), { minLength: 1, maxLength: 5 }),
      (question, texts) => {
        let turn = 0
        const { tools } = databaseTools('')
        const played = ask(`how many ${question}`, {
          tools,
          call: () => ({ text: texts[turn++ % texts.length] ?? '', isError: false }),
        })
        expect(played.answer).not.toBe('')
      },
    ),
    { numRuns: countFor({ quick: 40, deep: 150 }) },
  )
}, 30_000)

test('rows are read back from any Markdown table whose cells hold no edge of their own', () => {
  const cell = fc
    .string({ minLength: 1, maxLength: 12 })
    .map((each) => each.trim())
    .filter(
      (each) => each !== '' && !/[\\\n\r]|^[-|:+]+$|^null$|^NULL$/.test(each) && Number.isNaN(Number(each)),
    )
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
      const line = (cells: readonly string[]) =>
        `| ${cells.map((each) => each.replaceAll('|', '\\|')).join(' | ')} |`
      const text = [line(['one', 'two']), line(['---', '---']), ...rows.map(line)].join('\n')
      expect(readRows(text)).toEqual({ columns: ['one', 'two'], rows })
    }),
  )
})

test.each<[string, unknown]>([
  ['[{"name":"a"},{"name":"b"}]', { columns: ['name'], rows: [['a'], ['b']] }],
  ['{"now":"12:00"}', { columns: ['now'], rows: [['12:00']] }],
  ['["a","b"]', undefined],
  [
    '| a | b |\n| --- | --- |\n| 007 |  |\nOnly the first row is shown.',
    { columns: ['a', 'b'], rows: [['007', '']] },
  ],
  [
    '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 |\n... (9 more characters truncated)',
    { columns: ['a', 'b'], rows: [[1, 2]] },
  ],
  ['The database has no tables.', undefined],
  ['', undefined],
])('rows of %s', (text, expected) => {
  expect(readRows(text)).toEqual(expected)
})
