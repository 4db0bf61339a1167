/** Decides from the URL alone, before any name is resolved, where an outgoing request may go. */
import { badPorts } from './bad-ports'
import { isPublicAddress, literalAddress } from './public-address'

/**
 * A URL that may be requested; `open` if the operator has allowed its host and port, even if it is private.
 */
export type Target =
  | { readonly ok: true; readonly url: URL; readonly open: boolean }
  | { readonly ok: false; readonly code: 'bad_url' | 'blocked'; readonly message: string }

/** @param allowed `host:port` pairs from the operator, in lower case */
export function targetOf(text: string, allowed: ReadonlySet<string>): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined) return bad(`"${showUrl(text)}" is not a valid URL.`)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return bad(`Only http and https can be fetched, not ${url.protocol.slice(0, -1)}.`)
  if (url.username !== '' || url.password !== '')
    return bad('A URL must not contain a user name or a password.')
  const port = portOf(url)
  if (badPorts.has(port)) return blockTarget(`Port ${port} is not open to tools.`)
  if (allowed.has(hostAndPort(url))) return { ok: true, url, open: true }
  if (port < 1_024 && port !== 80 && port !== 443) return blockTarget(`Port ${port} is not open to tools.`)
  if (isPrivateHost(url)) return blockTarget(privateHost(url.hostname))
  return { ok: true, url, open: false }
}

/** `host:port` as the operator's list has it. */
export function hostAndPort(url: URL): string {
  return `${bareHost(url)}:${portOf(url)}`
}

/** Whether the URL itself names a private or local host; other names are checked when they are resolved. */
export function isPrivateHost(url: URL): boolean {
  const literal = literalAddress(url.hostname)
  return (literal !== undefined && !isPublicAddress(literal)) || isLocalName(bareHost(url))
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80))
}

/** The message for a refused host, with the setting that allows it. */
export function privateHost(hostname: string): string {
  return `${hostname} is a private or local address. The operator can allow it with LOOPWRIGHT_ALLOW_HOSTS.`
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** The host without brackets and without the dot that may end a name. */
function bareHost({ hostname }: URL): string {
  return literalAddress(hostname) ?? hostname.replace(/\.$/, '')
}

function showUrl(text: string): string {
  return text.length <= 100 ? text : `${text.slice(0, 99)}…`
}

function bad(message: string): Target {
  return { ok: false, code: 'bad_url', message }
}

function blockTarget(message: string): Target {
  return { ok: false, code: 'blocked', message }
}
