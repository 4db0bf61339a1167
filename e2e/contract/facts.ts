/**
 * The recorded facts: read from `v1`, and written there only if one is missing and recording is switched on.
 */
import fs from 'node:fs'
import path from 'node:path'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

export const factsFolder = path.join(import.meta.dirname, 'v1')
export const projectFolder = path.resolve(import.meta.dirname, '../..')

/**
 * `missing` records what has no record yet. `words` records only sentences for people again. Without it a
 * test never writes.
 */
const mode = process.env.CONTRACT_RECORD
export const recordsMissing = mode === 'missing'
export const recordsWords = mode === 'words'

export function readFact<T>(name: string): T {
  return JSON.parse(fs.readFileSync(path.join(factsFolder, name), 'utf8'))
}

export function writeFact(name: string, value: unknown): void {
  if (!recordsMissing && !recordsWords) throw new Error('Facts are written only while recording.')
  fs.mkdirSync(path.dirname(path.join(factsFolder, name)), { recursive: true })
  fs.writeFileSync(path.join(factsFolder, name), `${JSON.stringify(value, null, 2)}\n`)
}

/** The record of that name; while recording, a missing record is created from `found`. */
export function recorded(name: string, found: unknown): unknown {
  if (recordsMissing && !fs.existsSync(path.join(factsFolder, name))) writeFact(name, found)
  return readFact(name)
}

/** The names of the JSON files in a folder of facts, sorted. */
export function factsIn(folder: string): string[] {
  return fs
    .readdirSync(path.join(factsFolder, folder))
    .filter((file) => file.endsWith('.json'))
    .sort()
}

/**
 * The value with every string under the given keys replaced: these are sentences for people, which may be
 * reworded.
 */
export function withoutWords(value: Json | undefined, keys: readonly string[]): Json | undefined {
  if (Array.isArray(value)) return value.map((each) => withoutWords(each, keys) ?? null)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    typeof each === 'string' && each !== '' && keys.includes(key) ? '<words>' : withoutWords(each, keys),
  ])
  return Object.fromEntries(entries)
}

/**
 * The part of `now` that is in the record too: fields and values may be added, but nothing recorded may go or
 * change. What is required may not grow, so it is compared whole.
 */
export function knownPart(now: Json | undefined, known: Json | undefined, key = ''): Json | undefined {
  if (Array.isArray(now) && Array.isArray(known)) {
    if (key === 'required') return now
    if (now.some((each) => typeof each !== 'object')) return now.filter((each) => known.includes(each))
    return now.length === known.length
      ? now.map((each, at) => knownPart(each, known[at]) ?? null)
      : knownItems(now, known)
  }
  if (!isObject(now) || !isObject(known)) return now
  const shared = Object.entries(now).filter(([name]) => name in known)
  return Object.fromEntries(shared.map(([name, each]) => [name, knownPart(each, known[name], name)]))
}

/** The items of a longer list that are in the recorded one, in its order. */
function knownItems(now: Json[], known: Json[]): Json[] {
  const items: Json[] = []
  let at = 0
  for (const recorded of known) {
    const mark = markOf(recorded)
    const found = now.findIndex((each, index) => index >= at && mark !== undefined && markOf(each) === mark)
    if (found < 0) continue
    items.push(knownPart(now[found], recorded) ?? null)
    at = found + 1
  }
  return items
}

/** What tells an item of a list from the others. */
function markOf(item: Json | undefined): string | undefined {
  if (!isObject(item)) return undefined
  for (const key of ['kind', 'name', 'id', 'node']) {
    const value = item[key]
    if (typeof value === 'string') return `${key} ${value}`
  }
  for (const [key, value] of Object.entries(isObject(item.properties) ? item.properties : {}))
    if (isObject(value) && typeof value.const === 'string') return `${key} ${value.const}`
  return undefined
}

function isObject(value: Json | undefined): value is { [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Replaces values that differ between runs of a test with stable placeholders; equal ids stay equal. */
export function createPlaceholders(fixed: Readonly<Record<string, string>>): (text: string) => string {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (id: string, kind: string) => {
    const known = names.get(id)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(id, `<${kind} ${count}>`)
    return `<${kind} ${count}>`
  }
  return (text) => {
    let placed = text
    for (const [from, to] of Object.entries(fixed)) placed = placed.replaceAll(from, to)
    return placed
      .replace(/\b(agent|run|thread|artifact)_[0-9a-f]{20}\b/g, nameOf)
      .replace(/"(at|startedAt|finishedAt|createdAt|updatedAt|expiresAt)":\d{12,}/g, '"$1":"<time>"')
      .replace(/"(durationMs|firstTokenMs|waitedMs|awayMs|waitMs|ms)":\d+/g, '"$1":"<ms>"')
      .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:<port>')
  }
}
