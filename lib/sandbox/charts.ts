/** Draws charts: reads the tables that a chart names, and has a child process behind a wall make the pictures. */
import path from 'node:path'
import type { ChartAnswer, ChartData, ChartFault, ChartPort, ChartRequest } from '#lib/spec/chart'
import { tryParseJson } from '#lib/spec/json'
import type { TableHead, TableRow } from '#lib/spec/tables'
import type { WaitInLine } from '#lib/spec/turns'
import { chartSaid } from './chart-said'
import { type ChartAsk, type ChartFolders, chartLimits, type GivenTable } from './chart-wire'
import { childProgram } from './children'
import { packageAbove } from './package-folder'
import { streamTables } from './tables'
import { type WalledFault, WalledProgram, walledCodes } from './walled-answer'
import { readWhole } from './whole-file'

const { milliseconds, heapMiB } = chartLimits
const program = new WalledProgram({
  program: 'chart-child',
  heapMiB,
  // WebAssembly and the pixels of the picture.
  outsideMiB: heapMiB,
  milliseconds,
  maxOutputBytes: 96 * 1024 * 1024,
})

export const charts: ChartPort = { draw: (request, signal) => drawChart(request, signal) }

type Refusal = Extract<ChartAnswer, { ok: false }>

interface Surroundings {
  readonly timeoutMs?: number
}

/** Never throws. */
export async function drawChart(
  request: ChartRequest,
  signal: AbortSignal,
  { timeoutMs }: Surroundings = {},
): Promise<ChartAnswer> {
  const folders = foldersOf()
  if (folders === undefined) return refusal('unavailable', 'The packages that draw charts are not installed.')
  let notes: readonly string[] = []
  const input = async () => {
    const read = await readTables(request, signal)
    if ('ok' in read) return read
    notes = read.notes
    const ask: ChartAsk = { spec: request.spec, tables: read.tables, scale: request.scale, folders }
    return JSON.stringify(ask)
  }
  const question = { input, readable: Object.values(folders).flat(), timeoutMs, inLine: request.inLine }
  const answer = await program.ask(question, signal)
  if (!answer.ok) return 'fault' in answer ? refusal(codes[answer.fault], sentences[answer.fault]) : answer
  const drawn = drawnIn(answer.output, notes)
  return drawn.ok ? { ok: true, value: { ...drawn.value, wall: answer.wall } } : drawn
}

/** Where the packages are whose files the child reads; undefined when one is missing. */
function foldersOf(): ChartFolders | undefined {
  const from = path.dirname(childProgram('chart-child'))
  const [resvg] = packageAbove(from, '@resvg/resvg-wasm')
  const [inter] = packageAbove(from, '@fontsource/inter')
  const noto = notoPackages.flatMap((name) => packageAbove(from, `@fontsource-variable/${name}`).slice(0, 1))
  return resvg && inter && noto.length === notoPackages.length ? { resvg, inter, noto } : undefined
}

const notoPackages = ['noto-sans-sc', 'noto-sans-arabic', 'noto-sans-hebrew', 'noto-sans-thai']

interface ReadTables {
  readonly tables: readonly GivenTable[]
  /** Whole sentences on what was read. */
  readonly notes: readonly string[]
}

/** The tables that a chart names, within the limits on all of them together. */
async function readTables(
  { data, files, inLine }: ChartRequest,
  signal: AbortSignal,
): Promise<ReadTables | Refusal> {
  const tables: GivenTable[] = []
  const notes: string[] = []
  let rows = 0
  let jsonBytes: number = chartLimits.jsonBytes
  for (const each of data) {
    if (/\.(geo)?json$/i.test(each.path)) {
      const file = await readWhole(files, each.path, jsonBytes)
      if (!file.ok) return file.code === 'too_large' ? tooMuchJson(each) : refusal('data', file.message)
      jsonBytes -= file.content.byteLength
      tables.push({ name: each.name, json: file.content.toString('utf8') })
      continue
    }
    const read = await readSheet(each, { files, ...(inLine && { inLine }) }, signal)
    if ('ok' in read) return read
    tables.push(read.table)
    if (read.note !== undefined) notes.push(read.note)
    rows += read.table.rows.length
    if (rows > chartLimits.rows) return tooManyRows(each, rows)
  }
  return { tables, notes }
}

interface ReadSheet {
  readonly table: Extract<GivenTable, { rows: unknown }>
  readonly note?: string
}

async function readSheet(
  data: ChartData,
  { files, inLine }: Pick<ChartRequest, 'files' | 'inLine'>,
  signal: AbortSignal,
): Promise<ReadSheet | Refusal> {
  const opened = await files.open?.(data.path)
  if (opened === undefined) return refusal('data', 'There are no files here.')
  if (!opened.ok) return refusal('data', opened.message)
  const { content } = opened.value
  try {
    return await readRows(data, { content, ...(inLine && { inLine }) }, signal)
  } finally {
    content.destroy()
  }
}

/** One sheet: that of the name, or the first one that is not hidden. */
async function readRows(
  data: ChartData,
  { content, inLine }: { content: AsyncIterable<Uint8Array>; inLine?: WaitInLine },
  signal: AbortSignal,
): Promise<ReadSheet | Refusal> {
  let head: TableHead | undefined
  let isIn = false
  let isTooMany = false
  const stop = new AbortController()
  const rows: TableRow[] = []
  const read = await streamTables(
    { content, ...(data.sheet !== undefined && { sheet: data.sheet }), ...(inLine && { inLine }) },
    {
      table(next) {
        isIn = head === undefined && (!next.hidden || data.sheet !== undefined) && next.columns.length > 0
        if (!isIn) return
        head = next
        isTooMany = next.rowCount > chartLimits.rows
        if (isTooMany) stop.abort()
      },
      rows(portion) {
        if (isIn) rows.push(...portion)
      },
    },
    AbortSignal.any([signal, stop.signal]),
  )
  if (head !== undefined && isTooMany) return tooManyRows(data, head.rowCount)
  if (!read.ok) {
    const code = read.code === 'aborted' || read.code === 'busy' ? read.code : 'data'
    return refusal(code, `The data "${data.name}": ${read.message}`)
  }
  if (head === undefined) return refusal('data', `"${data.path}" has no table.`)
  const others = read.heads.filter((each) => each.sheet !== head?.sheet).map((each) => `"${each.sheet}"`)
  const note =
    others.length > 0 && data.sheet === undefined
      ? `The data "${data.name}" are the sheet "${head.sheet}" of ${data.path}; it has ${others.join(', ')} as well.`
      : undefined
  const table = { name: data.name, columns: head.columns.map((each) => each.name), rows }
  return { table, ...(note !== undefined && { note }) }
}

function tooMuchJson({ path: file }: ChartData): Refusal {
  return refusal(
    'too_large',
    `With "${file}" the chart would have more than ${chartLimits.jsonBytes / 2 ** 20} MiB of JSON, the limit for all its files. Take out what it needs first, with json.query or Python.`,
  )
}

function tooManyRows({ name }: ChartData, rows: number): Refusal {
  return refusal(
    'too_large',
    `With the data "${name}" the chart would have ${rows.toLocaleString('en')} rows; at most ${chartLimits.rows.toLocaleString('en')} are drawn. Sum them up first, with SQL or Python.`,
  )
}

function refusal(code: ChartFault, message: string): Refusal {
  return { ok: false, code, message }
}

const codes: Readonly<Record<WalledFault, ChartFault>> = { ...walledCodes, broken: 'spec' }

const sentences: Readonly<Record<WalledFault, string>> = {
  timeout: `The chart took longer than ${milliseconds / 1_000} seconds to draw and was given up. Use fewer rows and simpler expressions.`,
  memory: `The chart needs more than ${heapMiB} MiB of memory and was given up. Use fewer rows.`,
  aborted: 'Drawing the chart was stopped.',
  busy: 'All processes that draw charts are busy. Try again.',
  unavailable: 'The process that draws charts could not be started.',
  output: 'The pictures of the chart are too large.',
  broken: 'The specification broke the process that draws charts.',
}

function drawnIn(output: Buffer, notes: readonly string[]): ChartAnswer {
  const end = output.indexOf(10)
  const said = chartSaid.safeParse(tryParseJson(output.toString('utf8', 0, end))).data
  if (said === undefined) return refusal('spec', sentences.broken)
  if (!said.ok) return said
  const { ok, svgBytes, pngBytes, warnings, ...chart } = said
  const svg = output.toString('utf8', end + 1, end + 1 + svgBytes)
  const png = output.subarray(end + 1 + svgBytes, end + 1 + svgBytes + pngBytes)
  return { ok, value: { ...chart, svg, png, warnings: [...notes, ...warnings] } }
}
