/**
 * Looks through a Vega-Lite specification before anything is made of it: refuses what charts may not do, connects
 * the names of tables, and finds names of columns that no table has. Runs in the child process.
 */
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { likelyNames } from '#lib/spec/nearest'
import { chartLimits, Undrawable } from './chart-wire'
import { isPlainObject } from './plain-object'

/** The columns of the tables that the call gives, by name. */
export type Columns = ReadonlyMap<string, readonly string[]>

/** Deeper specifications are nobody's chart. */
const maxDepth = 60

/** The specification as it is to be compiled. Throws `Undrawable`. */
export function checkSpec(spec: JsonObject, tables: Columns): JsonObject {
  const schema = typeof spec.$schema === 'string' ? spec.$schema : ''
  if (schema.includes('/vega/') || Array.isArray(spec.marks))
    throw wrong('spec', 'This is a Vega specification. Write Vega-Lite: "mark" and "encoding".')
  const only = tables.size === 1 ? [...tables.keys()][0] : undefined
  // One table and no data of its own: there is only one thing that it can mean.
  const given = only !== undefined && spec.data === undefined ? { ...spec, data: { name: only } } : spec
  const walk = new Walk(tables, namedIn(given))
  const checked = walk.object(given, 'spec', 0)
  walk.checkFields()
  return checked
}

function wrong(code: 'refused' | 'spec' | 'too_large', message: string): Undrawable {
  return new Undrawable(code, message)
}

/** The names that the specification itself gives to data. */
function namedIn(spec: JsonObject): Set<string> {
  const names = new Set(isPlainObject(spec.datasets) ? Object.keys(spec.datasets) : [])
  const look = (value: JsonValue, depth: number): void => {
    if (depth > maxDepth) throw tooDeep()
    if (Array.isArray(value)) for (const each of value) look(each, depth + 1)
    else if (isPlainObject(value))
      for (const [key, each] of Object.entries(value)) {
        if (key === 'values' || key === 'datasets') continue
        if (key === 'data' && isPlainObject(each) && typeof each.name === 'string' && brings(each))
          names.add(each.name)
        look(each, depth + 1)
      }
  }
  look(spec, 0)
  return names
}

/** Whether the data come with it, so that its name is a new one. */
function brings(data: JsonObject): boolean {
  return ['values', 'sequence', 'graticule', 'sphere', 'url'].some((key) => data[key] !== undefined)
}

function tooDeep(): Undrawable {
  return wrong('spec', `The specification is nested deeper than ${maxDepth} levels.`)
}

/** Marks and channels by which a picture could load something or lead somewhere. */
const refusedKeys: Readonly<Record<string, string>> = {
  url: 'charts load nothing from an address. Give a file of the workspace in "data" of the call, and name it here as {"name": "…"}',
  href: 'charts have no links',
  loader: 'charts load nothing',
}

interface UsedField {
  readonly name: string
  readonly place: string
}

class Walk {
  private readonly fields: UsedField[] = []
  /** Whether columns can come from somewhere else than the tables. */
  private isOpen = false

  constructor(
    private readonly tables: Columns,
    private readonly named: ReadonlySet<string>,
  ) {}

  object(value: JsonObject, place: string, depth: number): JsonObject {
    if (depth > maxDepth) throw tooDeep()
    const made: JsonObject = {}
    for (const [key, each] of Object.entries(value)) made[key] = this.member(key, each, { place, depth })
    return made
  }

  private member(key: string, value: JsonValue, at: { place: string; depth: number }): JsonValue {
    const place = `${at.place}.${key}`
    const refused = Object.hasOwn(refusedKeys, key) ? refusedKeys[key] : undefined
    if (refused !== undefined) throw wrong('refused', `${place} is refused: ${refused}.`)
    if (isImage(key, value))
      throw wrong('refused', `${place} is refused: charts have no image marks, which load pictures.`)
    if (key === 'data' && isPlainObject(value)) this.checkData(value, place)
    // Rows are data: nothing in them is looked at as a part of the specification.
    if (key === 'values' || key === 'datasets') {
      this.isOpen = true
      return value
    }
    if (['transform', 'lookup', 'repeat', 'sequence', 'graticule'].includes(key)) this.isOpen = true
    if ((key === 'width' || key === 'height') && !place.includes('.encoding.')) checkSize(value, place)
    if (key === 'field' && typeof value === 'string') return this.field(value, place)
    return this.any(value, place, at.depth + 1)
  }

  private any(value: JsonValue, place: string, depth: number): JsonValue {
    if (depth > maxDepth) throw tooDeep()
    if (Array.isArray(value))
      return value.map((each, index) => this.any(each, `${place}[${index}]`, depth + 1))
    return isPlainObject(value) ? this.object(value, place, depth) : value
  }

  private checkData(data: JsonObject, place: string): void {
    const { name, sequence } = data
    if (isPlainObject(sequence)) checkSequence(sequence, place)
    if (typeof name !== 'string' || brings(data)) return
    if (this.tables.has(name) || this.named.has(name)) return
    const known = [...this.tables.keys(), ...this.named]
    const told =
      known.length === 0
        ? 'The call gives no files: name them in "data" of the call'
        : `The call gives ${quoted(known)}`
    throw wrong('spec', `${place} names the data "${name}", which are not there. ${told}.`)
  }

  /** Vega-Lite reads dots and brackets in a name as a path, which the name of a column seldom is. */
  private field(name: string, place: string): string {
    this.fields.push({ name, place })
    return this.isColumn(name) ? name.replace(/[\\.[\]]/g, '\\$&') : name
  }

  private isColumn(name: string): boolean {
    for (const columns of this.tables.values()) if (columns.includes(name)) return true
    return false
  }

  /** Columns that no table has. Names made by transforms and paths into values cannot be known here. */
  checkFields(): void {
    if (this.isOpen || this.tables.size === 0) return
    for (const { name, place } of this.fields) {
      if (this.isColumn(name) || /[\\.[\]]/.test(name)) continue
      const columns = [...new Set([...this.tables.values()].flat())]
      const { names } = likelyNames(name, columns)
      const meant = names.length > 0 ? ` Did you mean ${quoted(names)}?` : ''
      throw wrong(
        'spec',
        `${place} is "${name}", but the data have no such column.${meant} The columns are ${quoted(columns)}.`,
      )
    }
  }
}

function isImage(key: string, value: JsonValue): boolean {
  if (key === 'mark') return value === 'image' || (isPlainObject(value) && value.type === 'image')
  return key === 'type' && value === 'image'
}

function checkSize(value: JsonValue, place: string): void {
  if (value === 'container')
    throw wrong(
      'spec',
      `${place} is "container", but there is no page around the chart. Give a number of pixels.`,
    )
  if (typeof value === 'number' && value > chartLimits.side)
    throw wrong('too_large', `${place} is ${value}. A chart has at most ${chartLimits.side} pixels a side.`)
}

function checkSequence({ start, stop, step }: JsonObject, place: string): void {
  const from = typeof start === 'number' ? start : 0
  const by = typeof step === 'number' && step !== 0 ? step : 1
  if (typeof stop !== 'number' || (stop - from) / by <= chartLimits.rows) return
  throw wrong('too_large', `${place}.sequence has more than ${chartLimits.rows.toLocaleString('en')} rows.`)
}

export function quoted(names: readonly string[], most = 30): string {
  const shown = names.slice(0, most).map((each) => `"${each}"`)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
