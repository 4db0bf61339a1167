/** HTTP requests that tools send: their methods with their classes, and where their values come from. */
import { z } from 'zod'
import type { ToolClass } from './tool-class'

export const httpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type HttpMethod = z.infer<typeof httpMethod>

const read: ToolClass = { risk: 'read', effect: 'read' }
const replace: ToolClass = { risk: 'write', effect: 'idempotent' }
const act: ToolClass = { risk: 'write', effect: 'effect' }

/** What a request may do, by its method; an entry may only raise it. */
export const methodClasses: Readonly<Record<HttpMethod, ToolClass>> = {
  GET: read,
  HEAD: read,
  POST: act,
  PUT: replace,
  PATCH: act,
  DELETE: replace,
}

/** The value of a secret, after a prefix such as `Bearer `. */
export const secretValue = z.strictObject({
  secret: z.string().min(1).max(64),
  prefix: z.string().max(64).optional(),
})
export type SecretValue = z.infer<typeof secretValue>

/** The value that the model gives for a parameter. */
export const paramValue = z.strictObject({ param: z.string().min(1).max(256) })

/** A value of a request: a text, a secret or a parameter. */
export const httpValue = z
  .union([z.string().max(8_192), secretValue, paramValue])
  .meta({ format: 'http-value' })
export type HttpValue = z.infer<typeof httpValue>

/** A value that no call can change. */
export const fixedValue = z.union([z.string().max(8_192), secretValue]).meta({ format: 'http-value' })

const headerForm = 'the name of a header that is not set by the connection itself'

/** Headers that belong to the connection, so that setting them could forge another request. */
const ownHeaders = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/, headerForm)
  .refine((name) => !ownHeaders.has(name.toLowerCase()), headerForm)
