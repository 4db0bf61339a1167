/** Turns broken connections into faults: explains the error codes of sockets, names and certificates. */
import type { ModelFault } from '#lib/spec/model'
import { faultAt, type Site, settingsFault } from './faults'

/** A request that failed before the first byte of the response. */
export function faultOfConnection(site: Site, error: unknown): ModelFault {
  const code = codeOf(error)
  const { label, host } = site
  if (reset.has(code)) {
    const message = `The connection to ${label} at ${host} broke before an answer came.`
    // Most often this was a kept-alive socket that the other side had closed.
    return faultAt(site, { code: 'connection', message, retry: 'now' })
  }
  if (late.has(code)) {
    const message = `${host} could not be reached in time. Check the network, and the address of ${label} under Settings.`
    return faultAt(site, { code: 'timeout', message, retry: 'backoff' })
  }
  // For a blocked port `fetch` gives only this message, without a code; nothing has been sent.
  if (deepest(error) === 'bad port') return settingsFault(badPortAt(site))
  const message = reasonOf(site, code) ?? unknownReason(site, error)
  const isPassing = !isCertificate(code) && !refusals.has(code)
  return faultAt(site, { code: 'connection', message, ...(isPassing ? { retry: 'backoff' } : {}) })
}

const reset = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'])
const late = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
])
/** Errors that waiting cannot fix. */
const refusals = new Set(['ERR_INVALID_URL', 'UND_ERR_INVALID_ARG', 'blocked'])

function isCertificate(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL|EPROTO/.test(code)
}

function reasonOf({ label, host }: Site, code: string): string | undefined {
  if (code === 'ECONNREFUSED')
    return `Nothing answers at ${host}. Start the server there, or correct the address of ${label} under Settings.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The name ${host} was not found. Check the network, and the address of ${label} under Settings.`
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL')
    return `There is no network route to ${host}. Check the network, and the address of ${label} under Settings.`
  if (code === 'ERR_INVALID_URL')
    return `The address of ${label} is not a valid URL. Correct it under Settings.`
  if (isCertificate(code))
    return `No secure connection to ${host} could be made (${code}). Check its certificate, and http or https in the address under Settings.`
  return undefined
}

function badPortAt({ label, host }: Site): string {
  return `No request is sent to the port of ${host}, because it is reserved for another protocol. Set another port in the address of ${label} under Settings.`
}

function unknownReason({ label, host }: Site, error: unknown): string {
  const said = deepest(error)
  return `The connection to ${label} at ${host} failed.${said === '' ? '' : ` ${said}`}`
}

/** Errors of `fetch` hide their real cause; a few levels are enough. */
function* chain(error: unknown): Generator<Error> {
  let each: unknown = error
  for (let depth = 0; depth < 6 && each instanceof Error; depth++) {
    yield each
    each = each instanceof AggregateError ? (each.errors[0] ?? each.cause) : each.cause
  }
}

function codeOf(error: unknown): string {
  let code = ''
  for (const each of chain(error)) if ('code' in each && typeof each.code === 'string') code = each.code
  return code
}

function deepest(error: unknown): string {
  let message = ''
  for (const each of chain(error)) if (each.message !== '') message = each.message
  return message
}
