/**
 * One request to the API from a browser: JSON both ways, typed by the table of routes, with one error class
 * for every failure.
 */
import type { z } from 'zod'
import type { Routes } from '#lib/api/routes'
import type { NamesIn } from '#lib/api/row'
import { errorBody } from '#lib/wire/errors'
import { fetchWatched } from './fetch-watched'
import { keyOptions } from './page-key'

/** A failure as reported by the API. `status` is 0 and `code` is `network` when no answer came. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  /** The place in the input. */
  readonly path: string | undefined
  /** What a caller needs to recover, by code: `diagnostics`, `current` … */
  readonly detail: Readonly<Record<string, unknown>>

  constructor(fault: {
    code: string
    message: string
    status: number
    path?: string
    detail?: Record<string, unknown>
  }) {
    super(fault.message)
    this.name = 'ApiError'
    this.code = fault.code
    this.status = fault.status
    this.path = fault.path
    this.detail = fault.detail ?? {}
  }
}

/** The rows of the table by route, for example `GET /api/agents/{id}`. */
type Rows = { [Row in Routes[number] as `${Row['method']} ${Row['path']}`]: Row }
export type Route = keyof Rows

type BodyOf<Row> = Row extends { body?: infer B }
  ? B extends z.ZodType
    ? z.input<B>
    : B extends { kind: 'bytes' }
      ? Blob
      : never
  : never
type QueryOf<Row> = Row extends { query?: infer Q extends z.ZodType } ? z.output<Q> : undefined
type JsonOf<Content> = Content extends z.ZodType
  ? z.output<Content>
  : Content extends
        | { allAsJson: infer S extends z.ZodType }
        | { kind: 'withCookie'; schema: infer S extends z.ZodType }
    ? z.output<S>
    : never

/** The JSON type of a route's answer; undefined for a route without one. */
type AnswerOf<R extends Route> = UndefinedIfNever<JsonOf<Rows[R]['gives'][keyof Rows[R]['gives']]>>
type UndefinedIfNever<T> = [T] extends [never] ? undefined : T

/** The values of the parameters in a route's path; the value of `{...path}` keeps its slashes. */
export type Params<R extends Route> = Readonly<Record<NamesIn<R>, string | number>>

/** A key that exists only if there is a type for it. */
type Needed<Key extends string, T> = [T] extends [never] ? unknown : { readonly [key in Key]: T }

/** The options of a call. The body is sent as JSON, a string as it is, a file as plain bytes. */
type Call<R extends Route> = Needed<'params', [NamesIn<R>] extends [never] ? never : Params<R>> &
  Needed<'body', BodyOf<Rows[R]>> & {
    readonly query?: QueryOf<Rows[R]>
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    /** Called with the bytes of the body that were sent so far; never on a page that was opened with a key. */
    onSent?(bytes: number): void
  }

interface AnyCall {
  readonly params?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  onSent?(bytes: number): void
}

/** The address of a route with its parameters filled in. */
export function addressOf<R extends Route>(route: R, params: Params<R>): string {
  return fill(route, params)
}

function fill(route: string, params: Readonly<Record<string, string | number>>): string {
  return route.slice(route.indexOf('/')).replace(/\{(\.\.\.)?(\w+)\}/g, (_, isRest, name) => {
    const value = String(params[name])
    return (isRest ? value.split('/') : [value]).map(encodeURIComponent).join('/')
  })
}

/** `{agent: 'a', cursor: undefined}` → `?agent=a`. */
function queryText(query: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}

/**
 * The response if it is successful; throws an ApiError if it is not, and the signal's reason when aborted.
 */
export async function request<R extends Route>(route: R, options: Call<R>): Promise<Response> {
  // cast: for every route, the options have only these keys
  const { params = {}, query = {}, body, headers, signal, onSent } = options as AnyCall
  const key = keyOptions()
  const url = fill(route, params) + queryText(query)
  const sent = {
    method: route.slice(0, route.indexOf(' ')),
    headers: {
      ...key.headers,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': contentType(body) }),
      ...headers,
    },
    ...(signal && { signal }),
  }
  const isWatched = onSent !== undefined && body instanceof Blob && key.credentials === undefined
  const answer = isWatched
    ? fetchWatched(url, { ...sent, body }, onSent)
    : fetch(url, { ...key, ...sent, ...(body !== undefined && { body: bodyText(body) }) })
  const response = await answer.catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError({
      code: 'network',
      status: 0,
      message: 'The server does not answer. Check that it is running, then try again.',
    })
  })
  if (response.ok) return response
  throw await failureOf(response)
}

function bodyText(body: unknown): string | Blob {
  return typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body)
}

function contentType(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json'
}

/** The JSON of the answer; undefined for a 204. */
export async function call<R extends Route>(route: R, options: Call<R>): Promise<AnswerOf<R>> {
  const response = await request(route, options)
  if (response.status === 204) return undefined as AnswerOf<R> // cast: routes that answer 204 are called for no value
  return (await response.json()) as AnswerOf<R> // cast: server and page are built together from the same schemas
}

async function failureOf(response: Response): Promise<ApiError> {
  const { status } = response
  const told = errorBody.safeParse(await response.json().catch(() => undefined))
  if (!told.success)
    return new ApiError({ code: 'internal', status, message: `The server answered with status ${status}.` })
  const { code, message, path, detail } = told.data.error
  return new ApiError({
    code,
    message,
    status,
    ...(path !== undefined && { path }),
    ...(detail && { detail }),
  })
}
