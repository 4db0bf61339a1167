/** Builds responses: JSON, files and events as a row declares them, and every failure in one shape. */
import { z } from 'zod'
import type { Loopwright } from '#lib/server/loopwright'
import { AppError, type ErrorCode, errorStatus, isAppError } from '#lib/spec/errors'
import type { ErrorBody } from '#lib/wire/errors'
import { download } from './download'
import type { Content, EventsToSend, FileToSave, RouteRow } from './row'
import { streamHead, streamRun, wholeRun } from './stream'

const noStore = { 'cache-control': 'no-store' }

/** The response for the value that a row's `handle` returned. */
export function answerOf({ gives }: RouteRow, result: unknown, to: Receiver): Response {
  const statuses = Object.keys(gives)
  // cast: a row with more than one status returns the status with the value; the row's type ensures it
  const reply = statuses.length > 1 ? (result as Reply) : { status: Number(statuses[0]), value: result }
  const content = gives[reply.status as keyof typeof gives] // cast: by the same type, it is a status of the row
  if (content === undefined) throw new Error(`the route does not give ${reply.status}`)
  return contentOf(content, reply, to)
}

interface Reply {
  readonly status: number
  readonly value: unknown
}

interface Receiver {
  readonly app: Loopwright
  readonly request: Request
}

/** All casts here rely on the type of a row: its `handle` returns the value of its content. */
function contentOf(content: Content, { status, value }: Reply, to: Receiver): Response {
  if (content instanceof z.ZodType) return Response.json(value, { status, headers: noStore })
  switch (content.kind) {
    case 'nothing':
      return new Response(null, { status, headers: noStore })
    case 'bytes':
      return download(value as FileToSave, to.request)
    case 'response':
      return value as Response
    case 'cookie':
      return Response.json({}, { headers: { ...noStore, 'set-cookie': value as string } })
    case 'withCookie':
      return jsonWithCookie(value as { value: unknown; cookie: string }, status)
    case 'jsonFile':
      return jsonFile(value as { text: string; fileName: string })
    case 'events':
      return sendEvents(value as EventsToSend, to)
    default:
      throw content satisfies never
  }
}

function jsonWithCookie({ value, cookie }: { value: unknown; cookie: string }, status: number): Response {
  return Response.json(value, { status, headers: { ...noStore, 'set-cookie': cookie } })
}

function jsonFile({ text, fileName }: { text: string; fileName: string }): Response {
  const headers = {
    ...noStore,
    'content-type': 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${fileName}"`,
  }
  return new Response(text, { headers })
}

function sendEvents(wanted: EventsToSend, { app, request }: Receiver): Response {
  const { signal } = request
  if (!('after' in wanted)) return wholeRun(app, { runId: wanted.runId, signal })
  return request.method === 'HEAD' ? streamHead() : streamRun(app, { ...wanted, signal })
}

/** Codes after which a caller should retry, with the seconds to wait. */
const comeAgain: Partial<Record<ErrorCode, string>> = { unavailable: '2', too_many: '10' }

/** A failure as JSON. An unexpected failure is logged; the caller learns nothing about it. */
export function failure(error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const known = isAppError(error) ? error : unexpected(error)
  const wait = known.detail.retryAfter ?? comeAgain[known.code]
  return Response.json(bodyOf(known), {
    status: errorStatus[known.code],
    headers: {
      ...noStore,
      ...(wait !== undefined && { 'retry-after': String(wait) }),
      ...headers,
    },
  })
}

function bodyOf({ code, message, detail: { path, ...detail } }: AppError): ErrorBody {
  const more = Object.keys(detail).length > 0 ? { detail } : {}
  return { error: { code, message, ...(path !== undefined && { path }), ...more } }
}

/** SQLite codes for a file that cannot be written or read at the moment. */
const diskFaults = /^SQLITE_(FULL|BUSY|LOCKED|READONLY|IOERR|CANTOPEN|PROTOCOL)/

function unexpected(error: unknown): AppError {
  if (error instanceof Error && 'code' in error && diskFaults.test(String(error.code))) {
    return new AppError(
      'unavailable',
      'Nothing can be stored just now: the disk is full, locked or not writable.',
    )
  }
  console.error(error)
  return new AppError('internal', 'An internal error occurred. The server’s log has the details.')
}
