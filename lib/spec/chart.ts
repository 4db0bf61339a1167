/** The port through which tools draw charts: a Vega-Lite specification and tables of the workspace become a picture. */
import type { JsonObject } from './json'
import type { FilesPort } from './sandbox'
import type { WaitInLine } from './turns'
import type { WallFacts } from './walls'

/** A table of the workspace that a chart uses under a name. */
export interface ChartData {
  readonly name: string
  /** A CSV, XLSX or JSON file of the workspace. */
  readonly path: string
  /** A sheet of an XLSX file; the first one that is not hidden when absent. */
  readonly sheet?: string | undefined
}

export interface ChartRequest {
  /** Vega-Lite. */
  readonly spec: JsonObject
  readonly data: readonly ChartData[]
  /** Pixels of the PNG for each pixel of the specification. */
  readonly scale: number
  readonly files: Pick<FilesPort, 'open'>
  readonly inLine?: WaitInLine
}

/** A table as the chart has read it. */
export interface ChartTable {
  readonly name: string
  readonly rows: number
  readonly columns: readonly string[]
}

export interface DrawnChart {
  readonly svg: string
  readonly png: Uint8Array
  /** Of the PNG, in pixels. */
  readonly width: number
  readonly height: number
  /** Bars, points, lines and the like, without axes and legends. */
  readonly marks: number
  readonly tables: readonly ChartTable[]
  /** Whole sentences, of Vega-Lite and our own. */
  readonly warnings: readonly string[]
  /** Around the process that read and made it. */
  readonly wall?: WallFacts
}

export type ChartFault =
  /** A file could not be read as a table. */
  | 'data'
  /** The specification asks for what charts may not do, such as an address. */
  | 'refused'
  /** The specification is wrong. */
  | 'spec'
  /** Nothing would be drawn. */
  | 'empty'
  | 'too_large'
  | 'memory'
  | 'timeout'
  | 'aborted'
  | 'busy'
  | 'unavailable'

export type ChartAnswer =
  | { readonly ok: true; readonly value: DrawnChart }
  | { readonly ok: false; readonly code: ChartFault; readonly message: string }

/** Draws in a process of its own; never throws. */
export interface ChartPort {
  draw(request: ChartRequest, signal: AbortSignal): Promise<ChartAnswer>
}
