/**
 * Parses untrusted JSON: limits size, depth and number of values, refuses keys that reach prototypes,
 * and never throws.
 */

import type { Result } from '#lib/spec/errors'
import type { JsonValue } from '#lib/spec/json'
import { JsonScan, type ScanLimits } from '#lib/spec/json-scan'

export interface JsonLimits extends ScanLimits {
  /** In bytes of UTF-8; 4 MiB by default. The other limits are 64 levels and 100,000 values by default. */
  readonly maxBytes?: number
}

/** The value, or one sentence on what is wrong and where. */
export function parseJson(text: string, limits: JsonLimits = {}): Result<JsonValue, string> {
  const { maxBytes = 4 * 1024 * 1024 } = limits
  if (isLarger(text, maxBytes)) return refuse(`The JSON is larger than ${bytesInWords(maxBytes)}.`)
  const shape = shapeFault(text, limits)
  if (shape !== undefined) return refuse(shape)
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch (error) {
    return refuse(syntaxFault(text, error))
  }
  const key = unsafeKey(value)
  if (key !== undefined) return refuse(`The JSON contains the key "${key}", which is not allowed.`)
  return { ok: true, value }
}

function refuse(error: string): { ok: false; error: string } {
  return { ok: false, error }
}

/** For example `1 MiB` or `300 bytes`. */
export function bytesInWords(bytes: number): string {
  const mebibytes = bytes / (1024 * 1024)
  if (Number.isInteger(mebibytes)) return `${mebibytes} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}

function isLarger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  if (text.length * 3 <= maxBytes) return false
  return new TextEncoder().encode(text).length > maxBytes
}

/** Counts brackets and values before parsing, so that the recursive parser never meets JSON too deep for it. */
function shapeFault(text: string, { maxDepth = 64, maxValues = 100_000 }: JsonLimits): string | undefined {
  const scan = new JsonScan()
  const end = scan.push(text, { maxDepth, maxValues })
  if (scan.depth > maxDepth)
    return `The JSON is nested deeper than ${maxDepth} levels (${placeOf(text, end)}).`
  if (end < text.length) return `The JSON contains more than ${maxValues.toLocaleString('en')} values.`
  return undefined
}

function syntaxFault(text: string, error: unknown): string {
  if (text.trim() === '') return 'The JSON is empty.'
  const said = error instanceof Error ? error.message : String(error)
  const position = /at position (\d+)/.exec(said)?.[1]
  if (position !== undefined) {
    return `The JSON does not parse at ${placeOf(text, Number(position))}: ${said.slice(0, said.indexOf(' in JSON'))}.`
  }
  if (/unexpected end/i.test(said)) return `The JSON ends too early, at ${placeOf(text, text.length)}.`
  return `The JSON does not parse: ${said}.`
}

/** A position as people write it: `line 3, column 7`, both counted from 1. */
function placeOf(text: string, position: number): string {
  const before = text.slice(0, position)
  const line = before.split('\n').length
  return `line ${line}, column ${position - before.lastIndexOf('\n')}`
}

function unsafeKey(root: JsonValue): string | undefined {
  const open: JsonValue[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object') open.push(item)
      continue
    }
    if (Object.hasOwn(value, '__proto__')) return '__proto__'
    const maker = Object.hasOwn(value, 'constructor') ? value.constructor : undefined
    if (typeof maker === 'object' && maker !== null && Object.hasOwn(maker, 'prototype')) {
      return 'constructor.prototype'
    }
    for (const key in value) if (typeof value[key] === 'object') open.push(value[key])
  }
  return undefined
}
