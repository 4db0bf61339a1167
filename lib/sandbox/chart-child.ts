/**
 * The child process that draws charts: takes a specification with its tables, and says an SVG and a PNG. A hostile
 * specification can break only this process.
 */
import * as vega from 'vega'
import type { JsonValue } from '#lib/spec/json'
import { checkSpec, quoted } from './chart-check'
import { type ChartRow, draw, wordsOf } from './chart-draw'
import { Fonts } from './chart-fonts'
import { pictureOf } from './chart-png'
import { type ChartAsk, type ChartSaid, chartLimits, type GivenTable, Undrawable } from './chart-wire'
import { isPlainObject } from './plain-object'

// Days without a time are drawn as the days that they are, wherever the server stands.
process.env.TZ = 'UTC'

interface Opened {
  readonly columns: readonly string[]
  readonly rows: readonly ChartRow[]
}

function open(table: GivenTable): Opened {
  if ('json' in table) return rowsOfJson(table)
  const { columns } = table
  const rows = table.rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])),
  )
  return { columns, rows }
}

function rowsOfJson({ name, json }: { name: string; json: string }): Opened {
  let value: JsonValue
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new Undrawable('data', `The file of the data "${name}" is not valid JSON: ${wordsOf(error)}.`)
  }
  if (!Array.isArray(value))
    throw new Undrawable(
      'data',
      `The file of the data "${name}" holds no list. A chart needs a list of objects; take one out with json.query.`,
    )
  if (value.length > chartLimits.rows) throw tooManyRows(name, value.length)
  const columns = new Set<string>()
  // As Vega reads plain values: one column.
  const rows = value.map((each) => (isPlainObject(each) ? each : { data: each }))
  for (const row of rows) for (const key of Object.keys(row)) columns.add(key)
  return { columns: [...columns], rows }
}

function tooManyRows(name: string, rows: number): Undrawable {
  return new Undrawable(
    'too_large',
    `With the data "${name}" the chart would have ${rows.toLocaleString('en')} rows; at most ${chartLimits.rows.toLocaleString('en')} are drawn. Sum them up first, with SQL or Python.`,
  )
}

/** All tables by name, within the limit on their rows together. */
function openAll(tables: readonly GivenTable[]): Map<string, Opened> {
  const opened = new Map<string, Opened>()
  let rows = 0
  for (const table of tables) {
    const next = open(table)
    opened.set(table.name, next)
    rows += next.rows.length
    if (rows > chartLimits.rows) throw tooManyRows(table.name, rows)
  }
  return opened
}

interface Made {
  readonly said: ChartSaid
  readonly svg: Buffer
  readonly png: Uint8Array
}

async function make({ spec, tables, scale, folders }: ChartAsk): Promise<Made> {
  const opened = openAll(tables)
  const columns = new Map([...opened].map(([name, table]) => [name, table.columns]))
  const checked = checkSpec(spec, columns)
  const fonts = new Fonts(folders)
  measureWith(fonts)
  const rows = new Map([...opened].map(([name, table]) => [name, table.rows]))
  const drawing = await draw(checked, rows)
  const svg = Buffer.from(drawing.svg)
  if (svg.byteLength > chartLimits.svgBytes)
    throw new Undrawable(
      'too_large',
      `The SVG would have ${svg.byteLength.toLocaleString('en')} bytes; at most ${chartLimits.svgBytes.toLocaleString('en')} are kept. Draw fewer marks.`,
    )
  const picture = await pictureOf({ ...drawing, scale }, fonts, folders)
  if (picture.png.byteLength > chartLimits.pngBytes)
    throw new Undrawable(
      'too_large',
      `The PNG would have ${picture.png.byteLength.toLocaleString('en')} bytes; at most ${chartLimits.pngBytes.toLocaleString('en')} are kept. Give a smaller "scale", "width" or "height", or draw fewer marks.`,
    )
  const warnings = [...drawing.warnings]
  if (picture.missing.length > 0)
    warnings.push(
      `No font here has ${quoted(picture.missing, 10)}, so the PNG shows ? for them; the SVG has them.`,
    )
  if (picture.isMixed)
    warnings.push(
      'Arabic and Thai letters are drawn only in words of one line without other letters or digits: elsewhere the PNG shows ? for them; the SVG has them.',
    )
  return {
    said: {
      ok: true,
      width: picture.width,
      height: picture.height,
      marks: drawing.marks,
      tables: [...opened].map(([name, table]) => ({
        name,
        rows: table.rows.length,
        columns: [...table.columns],
      })),
      warnings,
      svgBytes: svg.byteLength,
      pngBytes: picture.png.byteLength,
    },
    svg,
    png: picture.png,
  }
}

/** Vega measures words to place them; without this it takes every letter for a wide one. */
function measureWith(fonts: Fonts): void {
  // Cast: the types of Vega lack this export.
  const { textMetrics } = vega as unknown as { textMetrics: object }
  Object.assign(textMetrics, {
    width(item: { fontSize?: number; fontWeight?: string | number }, text: unknown): number {
      const words = text === null || text === undefined ? '' : String(text)
      const weight = item.fontWeight
      const isBold = weight === 'bold' || (typeof weight === 'number' && weight >= 600)
      return fonts.measure(words, { size: item.fontSize ?? 11, isBold })
    },
  })
}

async function main(): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const { said, svg, png } = await make(JSON.parse(Buffer.concat(chunks).toString('utf8'))).catch(failed)
  process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(said)}\n`), svg, png]))
}

function failed(error: unknown): Made {
  const { code, message } =
    error instanceof Undrawable
      ? error
      : new Undrawable('spec', `The chart cannot be drawn: ${wordsOf(error)}`)
  return { said: { ok: false, code, message }, svg: Buffer.alloc(0), png: Buffer.alloc(0) }
}

await main()
