/** Describes changes of a config: entries by the name a person knows, values short enough for one line. */
import type { Catalog } from '#lib/spec/catalog'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { textsOf } from './equal'
import { kindAt, nameOf } from './kinds'

const longest = 48

/** Whether a text is too long for a sentence and is shown by its lines. */
export function isLong(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && (value.length > longest || value.includes('\n'))
}

/** `sql.execute`, `get_weather`, `Results`: what a person would call an entry of a list. */
export function entryWords(entry: JsonObject, key: string, catalog: Catalog): string {
  const use = typeof entry.use === 'string' ? entry.use : undefined
  const kind = kindAt(catalog, key, use)
  const list = kind?.scope?.list
  const names = list === undefined ? [] : textsOf(entry[list])
  const own = [entry.name, entry.server, entry.agent, entry.collection].find(
    (each) => typeof each === 'string' && each !== '',
  )
  if (typeof own === 'string') return own
  const [first, ...more] = names
  if (first !== undefined) return more.length === 0 ? first : `${first} and ${more.length} more`
  return kind === undefined ? (use ?? key) : nameOf(catalog, { kind: kind.kind, config: entry })
}

/** The title of a setting as in its form. */
export function titleOf(key: string, schema: JsonSchema | undefined): string {
  return schema?.title || key
}

/** One value in a sentence. `undefined` stands for an unset value: its default, if there is one. */
export function valueWords(value: JsonValue | undefined, schema: JsonSchema | undefined): string {
  if (value === undefined) {
    const fallback = schema?.default
    return fallback === undefined || isEmpty(fallback) ? 'nothing' : valueWords(fallback, schema)
  }
  switch (typeof value) {
    case 'number':
      return `${value.toLocaleString('en-US', { maximumFractionDigits: 20 })}${schema?.unit === undefined ? '' : ` ${schema.unit}`}`
    case 'boolean':
      return value ? 'on' : 'off'
    case 'string':
      return value === '' ? 'nothing' : cut(value)
    default:
      // Null, lists and objects are told below.
      break
  }
  if (value === null) return 'null'
  if (isEmpty(value)) return 'nothing'
  const texts = textsOf(value)
  if (Array.isArray(value) && texts.length === value.length) return cut(texts.join(', '))
  return cut(JSON.stringify(value))
}

export function isEmpty(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0
  return value === '' || (isObject(value) && Object.keys(value).length === 0)
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > longest ? `${line.slice(0, longest - 2)} …` : line
}

/** `1st`, `2nd`, `11th`; `index` counts from 0. */
export function ordinal(index: number): string {
  const place = index + 1
  const isTeen = place % 100 >= 11 && place % 100 <= 13
  const ending = isTeen ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th')
  return `${place}${ending}`
}
