/** Draws charts: reads the tables that a chart names, and has a child process behind a wall make the pictures. */
import path from 'node:path'
import type { ChartAnswer, ChartData, ChartFault, ChartPort, ChartRequest } from '#lib/spec/chart'
import { tryParseJson } from '#lib/spec/json'
import type { FilesPort } from '#lib/spec/sandbox'
import type { TableHead, TableRow } from '#lib/spec/tables'
import type { WaitInLine } from '#lib/spec/turns'
import { chartSaid } from './chart-said'
import { type ChartAsk, type ChartFolders, chartLimits, type GivenTable } from './chart-wire'
import { childProgram } from './children'
import type { OsSandbox } from './os-sandbox'
import { packageAbove } from './package-folder'
import { streamTables } from './tables'
import { TurnQueue } from './turns'
import { askWalled, type WalledFault } from './walled-answer'

const program = 'chart-child'
const { milliseconds, heapMiB } = chartLimits
/** WebAssembly and the pixels of the picture are outside of the heap. */
const bounds = {
  memoryMiB: 2 * heapMiB,
  heapMiB,
  cpuSeconds: milliseconds / 1_000 + 5,
  fileMiB: 1,
  // Nothing here needs code that is made while it runs, and a specification shall never become such code.
  v8Flags: ['--disallow-code-generation-from-strings'],
}
const maxOutputBytes = 96 * 1024 * 1024
/** At most this many children at the same time. */
const turns = new TurnQueue(2)

export const charts: ChartPort = { draw: (request, signal) => drawChart(request, signal) }

type Refusal = Extract<ChartAnswer, { ok: false }>

interface Surroundings {
  readonly timeoutMs?: number
  /** The wall of the operating system around the child, where there is one. */
  readonly sandbox?: () => Promise<OsSandbox | undefined>
}

/** Never throws. */
export async function drawChart(
  request: ChartRequest,
  signal: AbortSignal,
  { timeoutMs = milliseconds, sandbox }: Surroundings = {},
): Promise<ChartAnswer> {
  const tables: GivenTable[] = []
  const notes: string[] = []
  let rows = 0
  for (const data of request.data) {
    const read = await readTable(data, request, signal)
    if ('ok' in read) return read
    tables.push(read.table)
    if (read.note !== undefined) notes.push(read.note)
    rows += read.rows
    if (rows > chartLimits.rows) return tooManyRows(data, rows)
  }
  const folders = foldersOf()
  if (folders === undefined) return refusal('unavailable', 'The packages that draw charts are not installed.')
  const ask: ChartAsk = { spec: request.spec, tables, scale: request.scale, folders }
  const answer = await askWalled(
    {
      program,
      input: JSON.stringify(ask),
      readable: Object.values(folders),
      bounds,
      timeoutMs,
      maxOutputBytes,
      turns,
      ...(request.inLine && { inLine: request.inLine }),
    },
    signal,
    sandbox,
  )
  if (!answer.ok) return refusal(codes[answer.code], sentences[answer.code])
  return drawnIn(answer.output, notes)
}

/** Where the packages are whose files the child reads; undefined when one is missing. */
function foldersOf(): ChartFolders | undefined {
  const from = path.dirname(childProgram(program))
  const [resvg] = packageAbove(from, '@resvg/resvg-wasm')
  const [inter] = packageAbove(from, '@fontsource/inter')
  const [noto] = packageAbove(from, '@fontsource-variable/noto-sans-sc')
  return resvg && inter && noto ? { resvg, inter, noto } : undefined
}

interface Reading {
  readonly files: Pick<FilesPort, 'open'>
  readonly inLine?: WaitInLine
}

interface ReadTable {
  readonly table: GivenTable
  /** 0 for JSON, which only the child reads. */
  readonly rows: number
  readonly note?: string
}

async function readTable(
  data: ChartData,
  { files, inLine }: Reading,
  signal: AbortSignal,
): Promise<ReadTable | Refusal> {
  const opened = await files.open?.(data.path)
  if (opened === undefined) return refusal('data', 'There are no files here.')
  if (!opened.ok) return refusal('data', opened.message)
  const { content, bytes } = opened.value
  try {
    if (/\.(geo)?json$/i.test(data.path)) return await readJson(data, { content, bytes })
    return await readSheet(data, { content, ...(inLine && { inLine }) }, signal)
  } finally {
    content.destroy()
  }
}

async function readJson(
  { name, path: file }: ChartData,
  { content, bytes }: { content: AsyncIterable<Uint8Array>; bytes: number },
): Promise<ReadTable | Refusal> {
  if (bytes > chartLimits.jsonBytes)
    return refusal(
      'too_large',
      `"${file}" is larger than ${chartLimits.jsonBytes / 2 ** 20} MiB, the limit for JSON in a chart.`,
    )
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of content) chunks.push(chunk)
  } catch {
    return refusal('data', `"${file}" cannot be read from the disk just now.`)
  }
  return { table: { name, json: Buffer.concat(chunks).toString('utf8') }, rows: 0 }
}

/** One sheet: that of the name, or the first one that is not hidden. */
async function readSheet(
  data: ChartData,
  { content, inLine }: { content: AsyncIterable<Uint8Array>; inLine?: WaitInLine },
  signal: AbortSignal,
): Promise<ReadTable | Refusal> {
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
  return { table, rows: rows.length, ...(note !== undefined && { note }) }
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

const codes: Readonly<Record<WalledFault, ChartFault>> = {
  timeout: 'timeout',
  memory: 'memory',
  aborted: 'aborted',
  busy: 'busy',
  unavailable: 'unavailable',
  output: 'too_large',
  broken: 'spec',
}

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
