/**
 * Makes Next's route handlers from rows: repeats the door's check, reads and validates the request, builds
 * the answer.
 */
import type { Loopwright } from '#lib/server/loopwright'
import type { AgentKeyRow } from '#lib/spec/agent-key'
import { AppError } from '#lib/spec/errors'
import { answerOf, failure } from './answer'
import { loopwright } from './app'
import { createMatcher } from './match'
import { readBytes, readJson, readNumber, readParam, readQuery } from './read'
import type { Input, RouteRow } from './row'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

export type Handlers = Record<(typeof methods)[number], (request: Request) => Promise<Response>>

/**
 * One handler for each method. A path without a row is a 404; a method without a row is a 405 with the
 * allowed methods.
 */
export function handlers(rows: readonly RouteRow[]): Handlers {
  const match = createMatcher(rows)
  const handler = async (request: Request): Promise<Response> => {
    try {
      const app = loopwright()
      const url = new URL(request.url)
      const key = checkDoor(app, request, url)
      const { place, params = {} } = match(url.pathname) ?? {}
      // Next calls GET's handler for HEAD.
      const row = place?.rows.get(request.method === 'HEAD' ? 'GET' : request.method)
      if (row !== undefined) return await answer(row, { app, request, url, rows, key }, params)
      if (place === undefined && request.method !== 'OPTIONS')
        throw new AppError('not_found', `The API has no route ${url.pathname.slice(0, 200)}.`)
      return wrongMethod(request, url, place?.allow ?? 'GET, POST, PUT, PATCH, DELETE')
    } catch (error) {
      return failure(error)
    }
  }
  // cast: an entry for each of the methods
  return Object.fromEntries(methods.map((method) => [method, handler])) as Handlers
}

/** The agent key that the request comes with. */
function checkDoor(
  app: Loopwright,
  { method, headers }: Request,
  { pathname }: URL,
): AgentKeyRow | undefined {
  const verdict = app.guard({
    method,
    target: pathname,
    header: (name) => {
      const value = headers.get(name)
      return value === null ? [] : [value]
    },
  })
  if (!verdict.ok) throw new AppError(verdict.code, verdict.message)
  return verdict.key
}

function wrongMethod({ method }: Request, { pathname }: URL, allow: string): Response {
  return failure(
    new AppError('method_not_allowed', `${pathname} does not support ${method}. It supports ${allow}.`),
    {
      allow,
    },
  )
}

async function answer(
  row: RouteRow,
  context: Pick<Input, 'app' | 'request' | 'url' | 'rows' | 'key'>,
  encoded: Readonly<Record<string, string>>,
): Promise<Response> {
  const { app, request, url, key } = context
  const params = paramsOf(row, encoded)
  if (key !== undefined) app.keys.enter(key, row.keys, Object.values(params)[0]?.toString())
  const query = row.query && readQuery(url, row.query)
  const body = await bodyOf(row, request)
  // cast: the row's own schemas have just validated what its `handle` takes
  const result = await row.handle({ ...context, params, query, body } as never)
  const response = answerOf(row, result, context)
  // No client hears of what a power cut could still undo. A stream of events sees to that itself, event by event.
  if (!isEventStream(response)) await app.runs.stored()
  return response
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

function paramsOf({ numbers = {} }: RouteRow, encoded: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(encoded).map(([name, text]) => {
      const value = readParam(text)
      const sentence = numbers[name]
      return [name, sentence === undefined ? value : readNumber(value, sentence)]
    }),
  )
}

function bodyOf({ body, mayBeEmpty }: RouteRow, request: Request): unknown {
  if (body === undefined) return undefined
  return 'kind' in body ? readBytes(request) : readJson(request, body, mayBeEmpty)
}
