/** Reads an agent's file and reports all errors with file and path: reading, JSON, config and checks. */
import { open, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { compile } from '#lib/graph/compile'
import { decompile } from '#lib/graph/decompile'
import { createCatalog, readConfig } from '#lib/server/agents/catalog'
import type { Catalog } from '#lib/spec/catalog'
import type { Parts } from '#lib/spec/config'
import type { Diagnostic, Result } from '#lib/spec/errors'
import { isObject, type JsonObject, type JsonValue } from '#lib/spec/json'
import { parseJson } from '#lib/wire/json'
import type { Terminal } from './terminal'

/** The largest size of any agent; a larger file is not read. */
const maxBytes = 4 * 1024 * 1024

/** The catalog's version is the server's to tell; nothing here shows it. */
export function catalogOf(parts: Parts): Catalog {
  return createCatalog('', parts)
}

/** The JSON of a file, or of standard input for `-`; the error is one sentence that names the file. */
export async function readJsonFile(file: string, terminal: Terminal): Promise<Result<JsonValue, string>> {
  const bytes =
    file === '-' ? await readStream(terminal.input) : await readFile(path.resolve(terminal.folder, file))
  if (!bytes.ok) return { ok: false, error: `${nameOf(file)}: ${bytes.error}` }
  const text = decode(bytes.value)
  if (text === undefined) return { ok: false, error: `${nameOf(file)}: This is not UTF-8 text.` }
  const value = parseJson(text, { maxBytes })
  return value.ok ? value : { ok: false, error: `${nameOf(file)}: ${value.error}` }
}

export function nameOf(file: string): string {
  return file === '-' ? 'standard input' : file
}

/** Everything found about a config: errors of its form alone, or, when it has none, all that its drawing tells. */
export function findings(
  value: JsonValue,
  parts: Parts,
): { config: JsonObject | null; diagnostics: Diagnostic[] } {
  const read = readConfig(value, parts)
  if (!read.ok) return { config: null, diagnostics: read.error }
  if (!isObject(value)) throw new Error('a config that reads is an object')
  const catalog = catalogOf(parts)
  const drawn = decompile(value, catalog)
  const compiled = compile(drawn.graph, catalog)
  const all = new Map(
    [...drawn.diagnostics, ...compiled.diagnostics].map((each) => [JSON.stringify(each), each]),
  )
  return { config: compiled.config === null ? null : value, diagnostics: [...all.values()] }
}

/** `file:path: message`, with the severity of anything that is not an error. */
export function line(file: string, { severity, message, path: where, node }: Diagnostic): string {
  const place = [nameOf(file), where ?? node].filter((each) => each !== undefined).join(':')
  return `${place}: ${severity === 'error' ? '' : `${severity}: `}${message}\n`
}

async function readFile(file: string): Promise<Result<Buffer, string>> {
  try {
    const found = await stat(file)
    if (found.isDirectory()) return { ok: false, error: 'This is a folder, not a file.' }
    const handle = await open(file)
    try {
      return await readStream(handle.createReadStream({ end: maxBytes, autoClose: false }))
    } finally {
      await handle.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return { ok: false, error: 'There is no such file.' }
    if (code === 'EACCES' || code === 'EPERM')
      return { ok: false, error: 'There is no permission to read this file.' }
    throw error
  }
}

async function readStream(stream: Readable): Promise<Result<Buffer, string>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > maxBytes)
      return { ok: false, error: `The JSON is larger than ${maxBytes / 1024 / 1024} MiB.` }
  }
  return { ok: true, value: Buffer.concat(chunks) }
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
