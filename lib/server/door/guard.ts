/** Decides which requests may enter, by method, address and headers alone, before a body is read. */

import type { AgentKeyRow } from '#lib/spec/agent-key'
import type { ErrorCode, Result } from '#lib/spec/errors'
import { isUpload } from '#lib/wire/limits'
import { keyIn } from './key-text'
import { tokenCheck } from './token'

export interface DoorRules {
  /** The origin at which people reach the server (`https://agents.example.com`), besides the local names. */
  readonly publicOrigin?: string
  /** When set, every request must present it, except for the health check, sign-in and open files. */
  readonly token?: string
  /** Allows write requests of Next's development tools to their own paths. */
  readonly dev?: boolean
  /** Finds the agent key with this text, or says why it does not count. Without it, no key is known. */
  readonly findKey?: (text: string) => Result<AgentKeyRow, string>
}

/** A request as the door sees it. */
export interface Knock {
  readonly method: string
  /** Path and query, unchanged: `/api/runs?agent=a`. */
  readonly target: string
  /** Every value of a header, by its lower-case name. */
  header(name: string): readonly string[]
}

export type DoorVerdict =
  /** With `key`, the request may only do what its route allows that key. */
  | { readonly ok: true; readonly key?: AgentKeyRow }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string }
export type Guard = (knock: Knock) => DoorVerdict

const come: DoorVerdict = { ok: true }
const reading = new Set(['GET', 'HEAD'])
const writing = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const local = /^(localhost|127\.0\.0\.1|\[::1\])(:[1-9]\d{0,4})?$/
const localOrigin = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[1-9]\d{0,4})?$/
/** Files that every page needs before sign-in; they contain no data about anyone. */
const open = /^\/(_next\/static\/[\w./~@%[\]()-]+|favicon\.ico|icon\.svg)$/
/** The chat page of an agent for holders of a key: it contains no data, and asks for them with the key. */
const talk = /^\/talk\/[a-z0-9-]{1,64}$/

/** Where authorization servers send people back, and what describes this server to them: neither tells anything. */
const callback = new Set(['/settings/mcp/callback', '/api/mcp-sign-in', '/api/mcp-sign-in/client'])

export function createGuard({ publicOrigin, token, dev = false, findKey = noKeys }: DoorRules): Guard {
  const publicHost = publicOrigin === undefined ? undefined : new URL(publicOrigin).host
  const isHost = (host: string) => local.test(host) || host === publicHost
  const isOrigin = (origin: string) => localOrigin.test(origin) || origin === publicOrigin
  const isKnown = token === undefined ? () => true : tokenCheck(token)

  return (knock) =>
    checkHost(knock, isHost) ??
    checkTarget(knock.target) ??
    checkOrigin(knock, isOrigin) ??
    checkSite(knock) ??
    checkMethod(knock, dev) ??
    checkKind(knock) ??
    checkKey(knock, findKey) ??
    checkToken(knock, isKnown) ??
    come
}

function noKeys(): Result<AgentKeyRow, string> {
  return { ok: false, error: 'This agent key is not known.' }
}

function refuse(code: ErrorCode, message: string): DoorVerdict {
  return { ok: false, code, message }
}

function pathOf(target: string): string {
  return target.split(/[?#]/, 1)[0] ?? ''
}

/** Whether the address belongs to the API, as its router would read it. */
export function isApi(target: string): boolean {
  return /^\/api(\/|$)/i.test(pathOf(target))
}

function checkHost({ header }: Knock, isHost: (host: string) => boolean): DoorVerdict | undefined {
  const [host, ...more] = header('host')
  if (host !== undefined && more.length === 0 && isHost(host)) return undefined
  return refuse(
    'forbidden_host',
    'The Host header of the request is not allowed. This server answers only as localhost, 127.0.0.1 or [::1], or under the address in LOOPWRIGHT_PUBLIC_URL.',
  )
}

/**
 * Accepts only plain paths: no absolute URL, no host after slashes, nothing that routers read differently.
 */
function checkTarget(target: string): DoorVerdict | undefined {
  const path = pathOf(target)
  if (/^\/(?![/\\])/.test(path) && !/[\\\0]|%00|%5c|%2f/i.test(path) && target.length <= 8_192)
    return undefined
  return refuse('bad_request', 'The address of the request is not a plain path.')
}

function checkOrigin({ header }: Knock, isOrigin: (origin: string) => boolean): DoorVerdict | undefined {
  const origins = header('origin')
  if (origins.length === 0) return undefined
  if (origins.length === 1 && isOrigin(origins[0] ?? '')) return undefined
  return refuse('forbidden_origin', 'Requests from pages of another origin are refused.')
}

/** Refuses requests that another site starts, except a plain link that opens a page. */
function checkSite(knock: Knock): DoorVerdict | undefined {
  const { header, method, target } = knock
  const sites = header('sec-fetch-site')
  if (sites.every((site) => site === 'same-origin' || site === 'none')) return undefined
  const isLink =
    header('sec-fetch-mode').join() === 'navigate' && header('sec-fetch-dest').join() === 'document'
  if (isLink && reading.has(method) && !isApi(target)) return undefined
  return refuse('forbidden_origin', 'Requests that another site starts are refused.')
}

function checkMethod({ method, target }: Knock, dev: boolean): DoorVerdict | undefined {
  const isTool = dev && target.startsWith('/__nextjs')
  if (reading.has(method) || (writing.has(method) && (isApi(target) || isTool))) return undefined
  if (method === 'OPTIONS' && isApi(target)) return undefined
  return refuse('method_not_allowed', `The method ${method.slice(0, 16)} is not allowed here.`)
}

/** The content types that another page can send with a form, or with a script without a preflight request. */
const simple = /^(application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(;|$)/i

/** A body must be JSON. An upload may have any type that no form of another page can send. */
function checkKind({ header, method, target }: Knock): DoorVerdict | undefined {
  const length = header('content-length')
  const hasBody = header('transfer-encoding').length > 0 || length.some((value) => value !== '0')
  const kinds = header('content-type')
  if (kinds.length === 0 && !hasBody) return undefined
  if (reading.has(method)) {
    return hasBody
      ? refuse('bad_request', `A request with the method ${method} must not have a body.`)
      : undefined
  }
  const [kind = '', ...more] = kinds
  if (method === 'POST' && isUpload(pathOf(target))) {
    if (more.length === 0 && /^[\w.+-]+\/[\w.+-]+\s*(;|$)/.test(kind.trim()) && !simple.test(kind.trim()))
      return undefined
    return refuse(
      'unsupported_media_type',
      'The body must be the file itself, sent with the header content-type: application/octet-stream.',
    )
  }
  if (more.length === 0 && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(kind.trim()))
    return undefined
  return refuse(
    'unsupported_media_type',
    'The body must be JSON, sent with the header content-type: application/json.',
  )
}

/**
 * A request with an agent key is judged by the key alone: a cookie or a server without a token gives it no more.
 */
function checkKey(
  { header, target }: Knock,
  findKey: NonNullable<DoorRules['findKey']>,
): DoorVerdict | undefined {
  const text = keyIn(header('authorization').join())
  if (text === undefined) return undefined
  if (!isApi(target)) return refuse('forbidden', 'An agent key opens routes of the API only, no pages.')
  const found = findKey(text)
  return found.ok ? { ok: true, key: found.value } : refuse('unauthorized', found.error)
}

function checkToken(
  { header, target }: Knock,
  isKnown: ReturnType<typeof tokenCheck>,
): DoorVerdict | undefined {
  const path = pathOf(target)
  const isOpen = path === '/api/health' || path === '/api/session' || callback.has(path)
  if (isOpen || open.test(path) || talk.test(path)) return undefined
  if (isKnown(header('authorization').join(), header('cookie').join(';'))) return undefined
  return refuse(
    'unauthorized',
    'This server requires its token. Send it in the header "Authorization: Bearer <token>".',
  )
}
