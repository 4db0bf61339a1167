/** Lists what changed between two configs in words for a person, without changes of the drawing. */
import type { Catalog } from '#lib/spec/catalog'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { canonicalConfig } from './canonical'
import { pairEntries } from './diff-entries'
import { type DiffLine, diffLines } from './diff-lines'
import { entryWords, isEmpty, isLong, ordinal, titleOf, valueWords } from './diff-words'
import { textsOf } from './equal'
import { formOf } from './form'
import { kindAt, listKeys, objectKeys } from './kinds'

export type { DiffLine } from './diff-lines'
export { diffLines } from './diff-lines'

/**
 * One difference. Paths are those of the config (`policies/3/maxChars`); null on a side without the value.
 */
export interface ConfigChange {
  readonly kind: 'added' | 'removed' | 'moved' | 'changed'
  readonly before: string | null
  readonly after: string | null
  /** A sentence: `Results: Most characters 10,000 → 4,000`. */
  readonly text: string
  /** The value on each side; absent where there is none. */
  readonly was?: JsonValue
  readonly is?: JsonValue
  /** For a long text: its lines, including the unchanged ones. */
  readonly lines?: readonly DiffLine[]
}

/**
 * Empty exactly when both are the same agent: the same canonical bytes without `canvas`.
 * Both configs must have passed the config schema.
 */
export function diffConfigs(before: JsonObject, after: JsonObject, catalog: Catalog): ConfigChange[] {
  const [a, b] = [plain(before, catalog), plain(after, catalog)]
  const lists = new Set(listKeys(catalog))
  const objects = new Set(objectKeys(catalog))
  return keysOf(a, b).flatMap((key): ConfigChange[] => {
    const [was, is] = [a[key], b[key]]
    if (lists.has(key) && isEntries(was) && isEntries(is)) {
      return listChanges({ key, was: was ?? [], is: is ?? [], catalog })
    }
    if (objects.has(key)) return objectChanges({ key, was, is, catalog })
    const schema = catalog.schema.properties?.[key]
    const at: At = { before: key, after: key, words: titleOf(key, schema), schema, root: catalog.schema }
    return valueChanges(was, is, at)
  })
}

function plain(config: JsonObject, catalog: Catalog): JsonObject {
  const { canvas: _, ...rest } = config
  return canonicalConfig(rest, catalog.schema)
}

function isEntries(value: JsonValue | undefined): value is JsonObject[] | undefined {
  return value === undefined || (Array.isArray(value) && value.every(isObject))
}

interface Lists {
  readonly key: string
  readonly was: readonly JsonObject[]
  readonly is: readonly JsonObject[]
  readonly catalog: Catalog
}

function listChanges({ key, was, is, catalog }: Lists): ConfigChange[] {
  const pairs = pairEntries(was, is)
  const partner = new Map(pairs.map((pair) => [pair.after, pair]))
  const stayed = new Set(pairs.map((pair) => pair.before))
  const removed = was.flatMap((entry, index): ConfigChange[] => {
    if (stayed.has(index)) return []
    const text = `${entryWords(entry, key, catalog)} removed`
    return [{ kind: 'removed', before: `${key}/${index}`, after: null, text, was: entry }]
  })
  const others = is.flatMap((entry, index): ConfigChange[] => {
    const pair = partner.get(index)
    const path = `${key}/${index}`
    const words = entryWords(entry, key, catalog)
    if (pair === undefined)
      return [{ kind: 'added', before: null, after: path, text: `${words} added`, is: entry }]
    const [from, to] = [`${key}/${pair.before}`, path]
    const schema = kindAt(catalog, key, String(entry.use))?.schema
    const at: At = { before: from, after: to, words: subjectOf(entry, key, catalog), schema, root: schema }
    const changes = valueChanges(was[pair.before], entry, at)
    if (!pair.isMoved) return changes
    const text = `${words} moved from ${ordinal(pair.before)} to ${ordinal(index)} place`
    return [{ kind: 'moved', before: from, after: to, text }, ...changes]
  })
  return [...removed, ...others]
}

/**
 * An entry named after its list of tools would change its name with the list, so its kind's label is used.
 */
function subjectOf(entry: JsonObject, key: string, catalog: Catalog): string {
  const kind = kindAt(catalog, key, String(entry.use))
  const list = kind?.scope?.list
  if (list === undefined || kind === undefined || typeof entry.server === 'string')
    return entryWords(entry, key, catalog)
  return kind.label
}

interface Objects {
  readonly key: string
  readonly was: JsonValue | undefined
  readonly is: JsonValue | undefined
  readonly catalog: Catalog
}

function objectChanges({ key, was, is, catalog }: Objects): ConfigChange[] {
  const kind = kindAt(catalog, key)
  const words = kind?.label ?? key
  if (was === undefined && is !== undefined)
    return [{ kind: 'added', before: null, after: key, text: `${words} added`, is }]
  if (is === undefined && was !== undefined)
    return [{ kind: 'removed', before: key, after: null, text: `${words} removed`, was }]
  return valueChanges(was, is, { before: key, after: key, words, schema: kind?.schema, root: kind?.schema })
}

interface At {
  readonly before: string
  readonly after: string
  /** The beginning of the sentence. */
  readonly words: string
  readonly schema: JsonSchema | undefined
  readonly root: JsonSchema | undefined
}

function valueChanges(was: JsonValue | undefined, is: JsonValue | undefined, at: At): ConfigChange[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return []
  if (isObject(was) && isObject(is)) return keyChanges(was, is, at)
  return [changeOf(was, is, at)]
}

function keyChanges(was: JsonObject, is: JsonObject, at: At): ConfigChange[] {
  const form = at.schema && at.root ? formOf(at.schema, at.root, is) : undefined
  const rest = typeof form?.additionalProperties === 'object' ? form.additionalProperties : undefined
  const found = keysOf(was, is).flatMap((key) => {
    const schema = form?.properties?.[key] ?? rest
    const separator = at.words.includes(':') ? ', ' : ': '
    return valueChanges(was[key], is[key], {
      before: `${at.before}/${pathPart(key)}`,
      after: `${at.after}/${pathPart(key)}`,
      words: `${at.words}${separator}${titleOf(key, schema)}`,
      schema,
      root: at.root,
    })
  })
  if (found.length > 0) return found
  return [
    { kind: 'changed', before: at.before, after: at.after, text: `${at.words} in another order`, was, is },
  ]
}

/** As in a JSON Pointer: a slash in a name does not separate steps. */
function pathPart(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function changeOf(was: JsonValue | undefined, is: JsonValue | undefined, at: At): ConfigChange {
  const own: Omit<ConfigChange, 'text'> = {
    kind: 'changed',
    before: at.before,
    after: at.after,
    ...(was !== undefined && { was }),
    ...(is !== undefined && { is }),
  }
  if ((isLong(was) || isLong(is)) && isText(was) && isText(is)) {
    const [left, right] = [String(was ?? ''), String(is ?? '')]
    return { ...own, text: longWords(was, is, at.words), lines: diffLines(left, right) }
  }
  const items = itemWords(was, is)
  if (items !== undefined) return { ...own, text: `${at.words} ${items}` }
  return { ...own, text: `${at.words} ${valueWords(was, at.schema)} → ${valueWords(is, at.schema)}` }
}

function isText(value: JsonValue | undefined): boolean {
  return value === undefined || typeof value === 'string'
}

function longWords(was: JsonValue | undefined, is: JsonValue | undefined, words: string): string {
  if (isEmpty(was) || was === undefined) return `${words} written`
  return isEmpty(is) || is === undefined ? `${words} taken out` : `${words} changed`
}

/** The added and removed names of two lists; undefined when they are not lists of names. */
function itemWords(was: JsonValue | undefined, is: JsonValue | undefined): string | undefined {
  const [before, after] = [textsOf(was), textsOf(is)]
  if (before.length + after.length === 0 || !isTexts(was) || !isTexts(is)) return undefined
  const added = surplus(after, before)
  const removed = surplus(before, after)
  const parts = [
    ...(added.length > 0 ? [`${listNames(added)} added`] : []),
    ...(removed.length > 0 ? [`${listNames(removed)} removed`] : []),
  ]
  return parts.length === 0 ? 'in another order' : parts.join(', ')
}

/** The items that occur more often in `list` than in `other`. */
function surplus(list: readonly string[], other: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const each of other) left.set(each, (left.get(each) ?? 0) + 1)
  return list.filter((each) => {
    const count = left.get(each) ?? 0
    left.set(each, count - 1)
    return count <= 0
  })
}

function isTexts(value: JsonValue | undefined): boolean {
  return value === undefined || (Array.isArray(value) && textsOf(value).length === value.length)
}

function listNames(names: readonly string[]): string {
  const [shown, rest] = [names.slice(0, 4), names.length - 4]
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ')
}

function keysOf(a: JsonObject, b: JsonObject): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
}
