/** Requests of a sign-in. Servers name the addresses, so none is trusted, and neither is any text that comes back. */
import type { z } from 'zod'
import { AppError } from '#lib/spec/errors'
import type { WebAnswer, WebRequest } from '#lib/spec/sandbox'
import { visible } from '#lib/spec/visible'

/** How a sign-in reaches the web. */
export interface SignInWeb {
  /** The guarded client; never throws. */
  ask(request: WebRequest): Promise<WebAnswer>
  /** Why an address must not be used, in one sentence; undefined if it may be. */
  refusalOf(address: string): string | undefined
}

const maxBytes = 256 * 1024
const timeoutMs = 15_000

/** The answer to a request that stayed at its origin. */
export interface SignInAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Sends a request to an address that passes the check. Throws an AppError when it does not, when nothing answers,
 * and when the answer comes from another origin.
 * @param what the address in words: `the token address`
 */
export async function askSignIn(web: SignInWeb, what: string, request: WebRequest): Promise<SignInAnswer> {
  checkAddress(web, what, request.url)
  const answer = await web.ask({ maxBytes, timeoutMs, ...request })
  if (!answer.ok)
    throw signInError(`${upperFirst(what)} ${showAddress(request.url)} failed: ${answer.message}`)
  const { url, status, headers, body } = answer.value
  if (new URL(url).origin !== new URL(request.url).origin)
    throw signInError(
      `${upperFirst(what)} ${showAddress(request.url)} redirects to another origin, ${new URL(url).origin}. Such a redirect is not followed during a sign-in.`,
    )
  return { status, headers, text: new TextDecoder().decode(body) }
}

/** Throws an AppError unless the address is public https, or a host that the operator has entered. */
export function checkAddress(web: SignInWeb, what: string, address: string): void {
  const refusal = web.refusalOf(address)
  if (refusal !== undefined)
    throw signInError(`${upperFirst(what)} ${showAddress(address)} is not used: ${refusal}`)
}

/** The text as `schema` reads it; undefined when it is not JSON of this form. */
export function readAnswer<S extends z.ZodType>(text: string, schema: S): z.output<S> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

export function signInError(message: string, path?: string): AppError {
  return new AppError('unprocessable', message, path === undefined ? {} : { path })
}

/** A text of a server, short and with nothing invisible in it. */
export function showUntrusted(text: string, most = 200): string {
  const line = visible(text.slice(0, most)).replace(/\s+/g, ' ').trim()
  return text.length > most ? `${line}…` : line
}

function showAddress(address: string): string {
  return showUntrusted(address)
}

function upperFirst(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
