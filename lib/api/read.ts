/** Reads a request's body and query against the schemas of a row. Every failure is an AppError. */
import type { z } from 'zod'
import { AppError, type ErrorCode } from '#lib/spec/errors'
import { maxUploadBytes } from '#lib/wire/artifacts'
import { inWords, withPlace } from '#lib/wire/issues'
import { bytesInWords, parseJson } from '#lib/wire/json'
import { limitsOf } from '#lib/wire/limits'

async function readText(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new AppError('invalid_json', 'The body is not UTF-8 text.')
  }
}

/**
 * Reads the body against `schema`. With `mayBeEmpty`, no body counts as `{}`. Throws `invalid_json` or, with
 * the path, `bad_request`.
 */
export async function readJson(request: Request, schema: z.ZodType, mayBeEmpty = false): Promise<unknown> {
  const text = (await readText(request)) || (mayBeEmpty ? '{}' : '')
  const parsed = parseJson(text, limitsOf(new URL(request.url).pathname))
  if (!parsed.ok) throw new AppError('invalid_json', parsed.error)
  return readAs(schema, parsed.value)
}

/** Reads the query against `schema`. Repeated parameters are refused. */
export function readQuery({ searchParams }: URL, schema: z.ZodType): unknown {
  const given = [...searchParams]
  const query = Object.fromEntries(given)
  if (Object.keys(query).length < given.length)
    throw new AppError('bad_request', 'A query parameter is given more than once.')
  return readAs(schema, query)
}

/** The value as `schema` reads it. Throws the first issue as a sentence with its path. */
function readAs(schema: z.ZodType, value: unknown): unknown {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [found] = read.error.issues.flatMap((issue) => inWords(issue, value))
  if (found === undefined) throw new AppError('bad_request', 'The request does not have the expected form.')
  const { path } = found
  throw new AppError(codeAt(path), withPlace(found), path === undefined ? {} : { path })
}

function codeAt(path = ''): ErrorCode {
  const [first, ...rest] = path.split('/')
  if (rest.length === 0) return 'bad_request'
  if (first === 'graph') return 'invalid_graph'
  return first === 'config' ? 'invalid_config' : 'bad_request'
}

/** A parameter of the path, decoded once. Throws `bad_request` if it cannot be decoded. */
export function readParam(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new AppError('bad_request', 'The address is not well-formed.')
  }
}

/** A whole number from 1. Throws `not_found` with `sentence` for anything else. */
export function readNumber(text: string, sentence: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new AppError('not_found', sentence)
}

/**
 * A body of plain bytes as it arrives. If the consumer stops early, the rest stays unread and the sender
 * still gets its answer.
 */
export async function* readBytes(request: Request): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxUploadBytes)
    throw new AppError('too_large', `The file is larger than ${bytesInWords(maxUploadBytes)}.`)
  const reader = request.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}
