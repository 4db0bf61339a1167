/** One request to the API from a browser: JSON there and back, every failure one kind of error. */
import { errorBody } from '#lib/wire/errors'

/** A failure as the API told it. `status` is 0 and `code` is `network` when no answer came. */
export class ApiError extends Error {
  readonly code: string
  readonly status: number
  /** Where in the input. */
  readonly path: string | undefined
  /** What a caller needs to go on, by code: `diagnostics`, `current` … */
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

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON; a string is sent as it is, a file as plain bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly signal?: AbortSignal
}

/** `/api/runs` and `{agent: 'a', cursor: undefined}` → `/api/runs?agent=a`. */
export function address(path: string, query: Call['query'] = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return path
  return `${path}?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}

/** The response when it is good; throws an ApiError when it is not, and the signal's reason when aborted. */
export async function request(
  path: string,
  { method = 'GET', body, headers, query, signal }: Call = {},
): Promise<Response> {
  const response = await fetch(address(path, query), {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': contentType(body) }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
    }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw new ApiError({
      code: 'network',
      status: 0,
      message: 'The server does not answer. See that it still runs, then try again.',
    })
  })
  if (response.ok) return response
  throw await failureOf(response)
}

function contentType(body: unknown): string {
  return body instanceof Blob ? 'application/octet-stream' : 'application/json'
}

/** The answer's JSON; nothing for an empty one. */
export async function call<T>(path: string, options?: Call): Promise<T> {
  const response = await request(path, options)
  if (response.status === 204) return undefined as T // cast: routes that answer 204 are called for no value
  return (await response.json()) as T // cast: server and page are built together from the same schemas
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
