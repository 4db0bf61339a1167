/**
 * Faults of PostgreSQL in words. What a model may read names no host, no role and no password; what a person reads in
 * the settings does.
 */
import type { SqlFailure, UnknownName } from '#lib/spec/sql'
import { wordsOf } from '#lib/spec/sql-text'
import type { PostgresConnection } from './sql-wire'

/** What is read of an error of the driver or the system. */
export interface PostgresError {
  readonly message: string
  /** Five characters from the server, or a word from the system. */
  readonly code?: string | undefined
  readonly detail?: string | undefined
  readonly hint?: string | undefined
  /** Counted in characters from 1. */
  readonly position?: string | undefined
}

type Place = Pick<PostgresConnection, 'host' | 'port' | 'database' | 'user' | 'password' | 'statementSeconds'>

interface ConnectFault {
  /** The end of a sentence, for a model. */
  readonly message: string
  /** A sentence for a person. */
  readonly detail: string
}

/** Why a connection could not be opened. */
export function connectFault({ code = '', message }: PostgresError, place: Place): ConnectFault {
  const at = `${place.host}:${place.port}`
  const fault = (words: string, detail: string) => ({ message: words, detail })
  if (code === 'ECONNREFUSED')
    return fault('its server does not accept connections', `${at} does not accept connections.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return fault('its server cannot be found', `There is no host called ${place.host}.`)
  if (/^E(TIMEDOUT|HOSTUNREACH|NETUNREACH|CONNRESET|PIPE)$/.test(code) || /timeout expired/.test(message))
    return fault('its server cannot be reached', `${at} cannot be reached.`)
  if (code.startsWith('28'))
    return fault(
      'its server refused the sign-in',
      `${at} refused the sign-in of the role "${place.user}": ${message}. Check the role and its password.`,
    )
  if (code === '3D000')
    return fault('its server does not have it', `${at} has no database "${place.database}".`)
  if (code === '53300')
    return fault('its server has no free connections', `${at} has no free connections: ${message}.`)
  if (code === '57P03') return fault('its server is starting or stopping', `${at} is starting or stopping.`)
  if (/does not support SSL/.test(message))
    return fault(
      'its server offers no encryption',
      `${at} offers no encryption. Choose "Not encrypted" if the network between is trusted.`,
    )
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code))
    return fault(
      'the certificate of its server is not valid',
      `The certificate of ${at} is not valid for it: ${message}. Enter the certificate of its authority, or choose "Encrypted, certificate not checked".`,
    )
  return fault('the connection failed', `The connection to ${at} failed: ${message}.`)
}

/** Why a statement failed. */
export function queryFault(error: PostgresError, sql: string, place: Place): SqlFailure {
  const { code = '', position } = error
  if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith('08') || code.startsWith('57P'))
    return { ok: false, code: 'unavailable', message: 'The connection to the database was lost.' }
  if (code === '57014')
    return {
      ok: false,
      code: 'timeout',
      message: `The server of the database stopped the query; its limit is ${place.statementSeconds} seconds.`,
    }
  const message = wordsFor(error, place)
  if (code === '25006')
    return {
      ok: false,
      code: 'not_one_read',
      message: `Only a statement that reads may run here: ${message}`,
    }
  const offset = position === undefined ? undefined : offsetOf(sql, Number(position))
  const unknown = offset === undefined ? undefined : unknownAt(sql, offset, code)
  return {
    ok: false,
    code: 'sql_error',
    message,
    ...(offset !== undefined && { offset }),
    ...(unknown !== undefined && { unknown }),
  }
}

/** The detail may quote rows or addresses, so it is given only where a row broke a rule that a change must keep. */
function wordsFor({ code = '', message, detail, hint }: PostgresError, place: Place): string {
  const parts = [message, code.startsWith('23') ? detail : undefined, hint]
  const text = parts
    .flatMap((part) => (part === undefined || part === '' ? [] : [part.replace(/[.\s]*$/, '')]))
    .join('. ')
  return withoutNames(text, place)
}

/** Roles come quoted after their word; a host or a password may stand anywhere. */
function withoutNames(text: string, { host, password }: Place): string {
  const hidden = [host, password].filter((each) => each.length > 2)
  return hidden
    .reduce((rest, each) => rest.replaceAll(each, '[hidden]'), text)
    .replace(/\b(role|user) "[^"]*"/gi, '$1 [hidden]')
    .replace(/\b(host|user|dbname|password|hostaddr)=\S+/gi, '$1=[hidden]')
}

/** The server counts characters; strings here count UTF-16 units. */
function offsetOf(sql: string, position: number): number {
  let offset = 0
  let left = position - 1
  for (const character of sql) {
    if (left <= 0) break
    offset += character.length
    left -= 1
  }
  return offset
}

function unknownAt(sql: string, offset: number, code: string): UnknownName | undefined {
  const kind = code === '42P01' ? 'table' : code === '42703' ? 'column' : undefined
  if (kind === undefined) return undefined
  const tokens = wordsOf(sql, 'postgresql')
  const first = tokens.findIndex(({ start }) => start === offset)
  let end = tokens[first]?.end
  if (end === undefined) return undefined
  for (let at = first + 1; sql[tokens[at]?.start ?? -1] === '.'; at += 2) end = tokens[at + 1]?.end ?? end
  return { kind, name: sql.slice(offset, end) }
}
