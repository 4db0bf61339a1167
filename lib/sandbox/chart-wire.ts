/** What the process that draws charts is asked and what it says, and the limits on both. It has no zod: the child has none. */
import type { ChartFault, ChartTable, DrawnChart } from '#lib/spec/chart'
import type { JsonObject } from '#lib/spec/json'
import type { TableRow } from '#lib/spec/tables'

const mebibyte = 1024 * 1024

/** The limits on one chart. */
export const chartLimits = {
  /** Of all its tables: Vega needs about a kilobyte for a row. More should be summed up before. */
  rows: 100_000,
  /** Bytes of all its JSON files. */
  jsonBytes: 20 * mebibyte,
  /** Everything drawn, with axes and legends. A mark is about 150 bytes of SVG. */
  marks: 20_000,
  /** Of the drawing, before it is scaled. */
  side: 4_000,
  /** Of the PNG: four bytes each in memory, twice. */
  pixels: 16_000_000,
  svgBytes: 4 * mebibyte,
  /** What a workspace takes as one file. */
  pngBytes: 5 * mebibyte,
  milliseconds: 20_000,
  heapMiB: 512,
} as const

/** Thrown for a chart that is not drawn. The message is a whole sentence. */
export class Undrawable extends Error {
  constructor(
    readonly code: ChartFault,
    message: string,
  ) {
    super(message)
  }
}

/** A table that the chart names: columns and rows, or the text of a JSON file. */
export type GivenTable =
  | { readonly name: string; readonly columns: readonly string[]; readonly rows: readonly TableRow[] }
  | { readonly name: string; readonly json: string }

/** The whole input of the child, as JSON. */
export interface ChartAsk {
  readonly spec: JsonObject
  readonly tables: readonly GivenTable[]
  readonly scale: number
  readonly folders: ChartFolders
}

/** The packages that the child reads files from, absolute. */
export interface ChartFolders {
  readonly resvg: string
  readonly inter: string
  /** Packages of Noto Sans, for scripts that Inter lacks: the first that has a letter draws it. */
  readonly noto: readonly string[]
}

/** The first line of the child's output, as JSON; the bytes of the SVG and of the PNG follow. */
export type ChartSaid =
  | (Omit<DrawnChart, 'svg' | 'png' | 'tables'> & {
      readonly ok: true
      readonly tables: ChartTable[]
      readonly svgBytes: number
      readonly pngBytes: number
    })
  | { readonly ok: false; readonly code: ChartFault; readonly message: string }
