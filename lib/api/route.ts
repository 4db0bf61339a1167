/** Makes route handlers: the door's check again, JSON bodies read against their schema, every failure one shape. */
import type { z } from 'zod'
import type { Loopwright } from '#lib/server/loopwright'
import { AppError, type ErrorCode, errorStatus, isAppError } from '#lib/spec/errors'
import type { ErrorBody } from '#lib/wire/errors'
import { inWords, withPlace } from '#lib/wire/issues'
import { parseJson } from '#lib/wire/json'
import { limitsOf } from '#lib/wire/limits'
import { loopwright } from './app'

export interface Asked {
  readonly request: Request
  readonly url: URL
  readonly app: Loopwright
  /** The dynamic part of the path named so; an empty string when there is none. */
  param(name: string): string
}

export type Answer = (asked: Asked) => Response | Promise<Response>
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Params = { [name: string]: string | string[] | undefined }
type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Handlers for every method: those given, and for the rest an answer that says which are. */
export function route(answers: Partial<Record<Method, Answer>>): Record<(typeof methods)[number], Handler> {
  const allow = Object.keys(answers).join(', ')
  const refuse: Answer = ({ request, url }) => {
    const error = new AppError('method_not_allowed', `${url.pathname} takes ${allow}, not ${request.method}.`)
    return failure(error, { allow })
  }
  const handlers = methods.map((method) => [
    method,
    handler((method !== 'OPTIONS' && answers[method]) || refuse),
  ])
  return Object.fromEntries(handlers)
}

function handler(answer: Answer): Handler {
  return async (request, context) => {
    try {
      const app = loopwright()
      const url = new URL(request.url)
      const verdict = app.guard({
        method: request.method,
        target: url.pathname,
        header: (name) => listed(request.headers.get(name)),
      })
      if (!verdict.ok) return failure(new AppError(verdict.code, verdict.message))
      const params = await context.params
      return await answer({ request, url, app, param: (name) => oneOf(params[name]) })
    } catch (error) {
      return failure(error)
    }
  }
}

function listed(value: string | null): string[] {
  return value === null ? [] : [value]
}

function oneOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.join('/') ?? '')
}

const noStore = { 'cache-control': 'no-store' }

export function ok(
  value: unknown,
  status: 200 | 201 = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(value, { status, headers: { ...noStore, ...headers } })
}

export function nothing(): Response {
  return new Response(null, { status: 204, headers: noStore })
}

/** Codes whose callers should come again, and after how many seconds. */
const comeAgain: Partial<Record<ErrorCode, string>> = { unavailable: '2', too_many: '10' }

/** A failure as JSON. What is not expected is told to the log alone. */
export function failure(error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const known = isAppError(error) ? error : unexpected(error)
  const wait = comeAgain[known.code]
  return Response.json(bodyOf(known), {
    status: errorStatus[known.code],
    headers: { ...noStore, ...(wait !== undefined && { 'retry-after': wait }), ...headers },
  })
}

function bodyOf({ code, message, detail: { path, ...detail } }: AppError): ErrorBody {
  const more = Object.keys(detail).length > 0 ? { detail } : {}
  return { error: { code, message, ...(path !== undefined && { path }), ...more } }
}

/** The database's words for a file that can not be written or read just now, whatever was asked. */
const diskFaults = /^SQLITE_(FULL|BUSY|LOCKED|READONLY|IOERR|CANTOPEN|PROTOCOL)/

function unexpected(error: unknown): AppError {
  if (error instanceof Error && 'code' in error && diskFaults.test(String(error.code))) {
    return new AppError(
      'unavailable',
      'Nothing can be stored just now: the disk is full, locked or not writable.',
    )
  }
  console.error(error)
  return new AppError('internal', 'Something went wrong in the server; its log tells more.')
}

async function readText(request: Request): Promise<string> {
  const bytes = await request.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new AppError('invalid_json', 'The body is not UTF-8 text.')
  }
}

/** The body read against `schema`. Throws `invalid_json` or, naming the place, `bad_request`. */
export async function readJson<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  return readFrom(request, await readText(request), schema)
}

/** As readJson, for requests that may come without a body: that counts as `{}`. */
export async function readOptional<S extends z.ZodType>(request: Request, schema: S): Promise<z.output<S>> {
  return readFrom(request, (await readText(request)) || '{}', schema)
}

function readFrom<S extends z.ZodType>({ url }: Request, text: string, schema: S): z.output<S> {
  const parsed = parseJson(text, limitsOf(new URL(url).pathname))
  if (!parsed.ok) throw new AppError('invalid_json', parsed.error)
  return readAs(schema, parsed.value)
}

/** The query read against `schema`. A parameter given twice is refused. */
export function readQuery<S extends z.ZodType>(url: URL, schema: S): z.output<S> {
  const given = [...url.searchParams]
  const query = Object.fromEntries(given)
  if (Object.keys(query).length < given.length)
    throw new AppError('bad_request', 'A parameter of the address is given twice.')
  return readAs(schema, query)
}

/** The value as `schema` gives it. Throws with the first thing wrong, what it is and where. */
function readAs<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const [found] = read.error.issues.flatMap((issue) => inWords(issue, value))
  if (found === undefined) throw new AppError('bad_request', 'The request does not fit.')
  const { path } = found
  throw new AppError(codeAt(path), withPlace(found), path === undefined ? {} : { path })
}

function codeAt(path = ''): ErrorCode {
  const [first, ...rest] = path.split('/')
  if (rest.length === 0) return 'bad_request'
  if (first === 'graph') return 'invalid_graph'
  return first === 'config' ? 'invalid_config' : 'bad_request'
}

/** A whole number of the address. Throws `not_found` with `sentence` for anything else. */
export function readNumber(text: string, sentence: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new AppError('not_found', sentence)
}

/** What follows `head` in the address, decoded once. Throws `bad_request` when it can not be. */
export function readRest({ pathname }: URL, head: string): string {
  try {
    return decodeURIComponent(pathname.slice(head.length))
  } catch {
    throw new AppError('bad_request', 'The address is not well-formed.')
  }
}

/** JSON text as a file to keep, byte for byte. */
export function file({ text, fileName }: { text: string; fileName: string }): Response {
  const headers = {
    ...noStore,
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  }
  return new Response(text, { headers })
}

export const missing: Answer = ({ url }) => {
  throw new AppError('not_found', `The API has no ${url.pathname.slice(0, 200)}.`)
}
