/** Failures as values: diagnostics for the canvas, and one error class for the HTTP API. */
import { z } from 'zod'

/** A finding about a graph or config. `node` is the id in that graph, `path` the place in the config. */
export const diagnostic = z.strictObject({
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  message: z.string(),
  node: z.string().optional(),
  path: z.string().optional(),
})
export type Diagnostic = z.infer<typeof diagnostic>

export type Result<T, E = Diagnostic[]> = { ok: true; value: T } | { ok: false; error: E }

/** Every error code of the HTTP API with its status. The list is closed: a new failure is a new line here. */
export const errorStatus = {
  bad_request: 400,
  invalid_json: 400,
  invalid_config: 400,
  invalid_graph: 400,
  invalid_event_id: 400,
  unauthorized: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  name_taken: 409,
  stale_revision: 409,
  thread_busy: 409,
  thread_of_other_agent: 409,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  not_compiled: 422,
  not_published: 422,
  unprocessable: 422,
  too_many: 429,
  internal: 500,
  unavailable: 503,
} as const
export type ErrorCode = keyof typeof errorStatus

const mark = Symbol.for('loopwright.AppError')

/**
 * An expected failure of an HTTP request. Recognised by a mark, since server and routes are separate bundles.
 */
export class AppError extends Error {
  readonly [mark] = true
  constructor(
    readonly code: ErrorCode,
    message: string,
    /**
     * The place in the input, and what else the caller needs (the current revision, diagnostics …). `retryAfter`,
     * in seconds, is also sent as the header Retry-After.
     */
    readonly detail: { path?: string; retryAfter?: number; [key: string]: unknown } = {},
  ) {
    super(message)
    this.name = 'AppError'
  }
}

export function isAppError(error: unknown): error is AppError {
  return typeof error === 'object' && error !== null && mark in error
}
