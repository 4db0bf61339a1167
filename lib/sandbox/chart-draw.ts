/**
 * Makes an SVG of a Vega-Lite specification and its tables. Expressions are interpreted: no code is generated from
 * them. Runs in the child process.
 */

import { type Loader, type LoggerInterface, parse, type Spec, View } from 'vega'
import { expressionInterpreter } from 'vega-interpreter'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { JsonObject } from '#lib/spec/json'
import { chartLimits, Undrawable } from './chart-wire'
import { isPlainObject } from './plain-object'

export interface ChartRow {
  readonly [column: string]: unknown
}

export interface DrawnSvg {
  readonly svg: string
  readonly width: number
  readonly height: number
  readonly marks: number
  readonly warnings: readonly string[]
}

/** Light grey lines under dark words; no frame. What the specification says comes first. */
const look = {
  background: '#ffffff',
  font: 'Inter, sans-serif',
  padding: 12,
  view: { stroke: null, continuousWidth: 480, continuousHeight: 280, step: 26 },
  axis: {
    domainColor: '#c4c9d2',
    gridColor: '#e7e9ee',
    tickColor: '#c4c9d2',
    labelColor: '#4a5160',
    labelLimit: 260,
    titleColor: '#22262f',
    titlePadding: 8,
  },
  legend: { labelColor: '#4a5160', labelLimit: 260, titleColor: '#22262f' },
  header: { labelColor: '#4a5160', titleColor: '#22262f' },
  title: { anchor: 'start', color: '#22262f', fontSize: 15, offset: 14, subtitleColor: '#4a5160' },
  range: {
    // Told apart without seeing red or green.
    category: ['#3565c9', '#e08a1e', '#2a9d8f', '#c8456b', '#7a5fc0', '#6b7280', '#9a7b3f', '#57a7d6'],
  },
  mark: { color: '#3565c9' },
} as const

/** Throws `Undrawable`. */
export async function draw(
  spec: JsonObject,
  tables: ReadonlyMap<string, readonly ChartRow[]>,
): Promise<DrawnSvg> {
  const log = new Log()
  const made = compiled(spec, log)
  for (const data of made.data ?? []) {
    const rows = tables.get(data.name)
    // Cast: Vega's types ask for a mutable list, which it does not change.
    if (rows !== undefined) Object.assign(data, { values: rows as ChartRow[] })
  }
  const view = new View(parse(made, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'none',
    loader: noLoader,
    logger: log,
  })
  try {
    await view.runAsync()
  } catch (error) {
    throw new Undrawable('spec', `The chart cannot be drawn: ${wordsOf(error)}`)
  }
  if (log.fault !== undefined) throw new Undrawable('spec', `The chart cannot be drawn: ${log.fault}`)
  const { all, own } = countMarks(view)
  if (all > chartLimits.marks)
    throw new Undrawable(
      'too_large',
      `The chart would have ${all.toLocaleString('en')} marks; at most ${chartLimits.marks.toLocaleString('en')} are drawn. Sum the data up first, with "aggregate" or "bin".`,
    )
  if (own === 0)
    throw new Undrawable(
      'empty',
      ['The chart would be empty: no row of the data gives a mark.', ...log.warnings].join(' '),
    )
  const svg = await view.toSVG()
  view.finalize()
  return { svg, ...sizeOf(svg), marks: own, warnings: log.warnings }
}

function compiled(spec: JsonObject, logger: LoggerInterface): Spec {
  const own = isPlainObject(spec.config) ? spec.config : {}
  try {
    // Cast: the specification is of the model, and compiling it tells what is wrong with it.
    return compile(spec as unknown as TopLevelSpec, {
      logger,
      config: merged(look as unknown as JsonObject, own),
    }).spec
  } catch (error) {
    throw new Undrawable('spec', `Vega-Lite cannot read the specification: ${wordsOf(error)}`)
  }
}

/** Keys of `over` win; objects are merged. */
function merged(under: JsonObject, over: JsonObject): JsonObject {
  const made = { ...under }
  for (const [key, value] of Object.entries(over)) {
    const below = made[key]
    made[key] = isPlainObject(below) && isPlainObject(value) ? merged(below, value) : value
  }
  return made
}

const longest = 500

/** The message of an error without the specification, which Vega-Lite repeats in it. */
export function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const words = message.replace(/\s+/g, ' ').trim()
  return words.length > longest ? `${words.slice(0, longest)} …` : words
}

const refuseToLoad = () => Promise.reject(new Error('charts load nothing from an address.'))

const noLoader = {
  options: {},
  load: refuseToLoad,
  sanitize: refuseToLoad,
  http: refuseToLoad,
  file: refuseToLoad,
} as unknown as Loader // cast: the type describes more options than a loader that refuses everything has

const mostWarnings = 20

/** Keeps warnings once each, and the first error. */
class Log implements LoggerInterface {
  readonly warnings: string[] = []
  fault: string | undefined

  level(): number
  level(_: number): this
  level(value?: number): number | this {
    return value === undefined ? 0 : this
  }
  warn(...said: readonly unknown[]): this {
    const words = said.map(wordsOf).join(' ')
    if (this.warnings.length < mostWarnings && !this.warnings.includes(words)) this.warnings.push(words)
    return this
  }
  error(...said: readonly unknown[]): this {
    this.fault ??= said.map(wordsOf).join(' ')
    return this
  }
  info(): this {
    return this
  }
  debug(): this {
    return this
  }
}

/** A group, a mark or an item of Vega's tree of what is drawn. */
interface Drawn {
  readonly marktype?: string
  readonly role?: string
  readonly items?: readonly Drawn[]
}

/** How many marks are drawn, and how many of them are not axes, legends and titles. */
function countMarks(view: View): { all: number; own: number } {
  const counted = { all: 0, own: 0 }
  const visit = ({ marktype, role, items = [] }: Drawn, isOwn: boolean): void => {
    const isMark = marktype !== undefined && marktype !== 'group'
    const isChart = isOwn && (role === undefined || !/^(axis|legend|title|row|column)/.test(role))
    if (isMark) {
      counted.all += items.length
      if (isChart) counted.own += items.length
    } else for (const item of items) visit(item, isChart)
  }
  // Cast: the types of Vega say nothing of the tree but its name.
  visit((view.scenegraph() as unknown as { root: Drawn }).root, true)
  return counted
}

function sizeOf(svg: string): { width: number; height: number } {
  const size = /<svg[^>]*? width="([\d.]+)" height="([\d.]+)"/.exec(svg)
  const [width, height] = [Number(size?.[1]), Number(size?.[2])]
  if (!(width > 0 && height > 0)) throw new Undrawable('empty', 'The chart would have no size.')
  const most = chartLimits.side
  if (width > most || height > most)
    throw new Undrawable(
      'too_large',
      `The chart would be ${Math.round(width)} × ${Math.round(height)} pixels; at most ${most} a side are drawn. Give a smaller "width", "height" or "step".`,
    )
  return { width, height }
}
