/** Addresses that people enter: validated and normalized. */

import type { Result } from '#lib/spec/errors'
import { badPorts } from '#lib/web/bad-ports'

/**
 * The origin that a text names, `https://api.example.com`; undefined unless it is a plain http or
 * https address without a path.
 */
export function originOf(text: string): string | undefined {
  const url = plainUrl(text)
  const isBare = url?.pathname === '/' && url.username === '' && url.password === '' && !/[?#]/.test(text)
  return isBare ? url.origin : undefined
}

/** The origin of an address that `readBaseUrl` has returned. */
export function originIn(baseUrl: string): string {
  return new URL(baseUrl).origin
}

/** The base URL of an API, without a slash at the end; the error says in one sentence what is wrong. */
export function readBaseUrl(text: string): Result<string, string> {
  const url = plainUrl(text.trim())
  if (url === undefined)
    return wrong('This must be an http or https address, as in http://127.0.0.1:11434/v1.')
  if (url.username !== '' || url.password !== '')
    return wrong('The address must not contain a name or a password; a key has its own field.')
  if (/[?#]/.test(text)) return wrong('The address must end with its path, without "?" or "#".')
  if (badPorts.has(Number(url.port)))
    return wrong(
      `No request is sent to port ${url.port}, because it is reserved for another protocol. Use another port.`,
    )
  return { ok: true, value: `${url.origin}${url.pathname.replace(/\/+$/, '')}` }
}

function plainUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined
}

function wrong(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
