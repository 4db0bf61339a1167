/** The connection to a database while a person edits it, and what of it is wrong. */
import {
  type ConnectionView,
  databaseName,
  nameForm,
  type PostgresTlsChoice,
  type SaveConnection,
} from '#lib/wire/databases'

export interface ConnectionDraft {
  readonly name: string
  readonly host: string
  readonly port: number | undefined
  readonly database: string
  readonly user: string
  /** Empty keeps the stored one. */
  readonly password: string
  /** Undefined until a person chooses. */
  readonly tls: PostgresTlsChoice | undefined
  readonly certificate: string
  readonly statementSeconds: number | undefined
  readonly mayWrite: boolean
  readonly writeUser: string
  readonly writePassword: string
}

export const emptyDraft: ConnectionDraft = {
  name: '',
  host: '',
  port: undefined,
  database: '',
  user: '',
  password: '',
  tls: undefined,
  certificate: '',
  statementSeconds: undefined,
  mayWrite: false,
  writeUser: '',
  writePassword: '',
}

/** The usual values, which need not be typed. */
export const usualPort = 5432
export const usualSeconds = 60

export function draftOf(name: string, view: ConnectionView): ConnectionDraft {
  const { host, port, database, user, tls, certificate = '', statementSeconds, write } = view
  return {
    ...{ name, host, database, user, tls, certificate },
    port: port === usualPort ? undefined : port,
    password: '',
    statementSeconds: statementSeconds === usualSeconds ? undefined : statementSeconds,
    mayWrite: write !== null,
    writeUser: write?.user ?? '',
    writePassword: '',
  }
}

/** A connection that does not leave the machine needs no encryption. */
export function tlsOf({ tls, host }: Pick<ConnectionDraft, 'tls' | 'host'>): PostgresTlsChoice {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host.trim())
  return tls ?? (isLoopback ? 'off' : 'verify')
}

/** Whether everything that a connection needs is there and of the right form. */
export function isComplete(draft: ConnectionDraft): boolean {
  const { host, database, user, mayWrite, writeUser } = draft
  const isNamed = databaseName.safeParse(draft.name.trim()).success
  const needed = [host, database, user, ...(mayWrite ? [writeUser] : [])]
  return isNamed && needed.every((each) => each.trim() !== '') && Object.keys(faultsOf(draft)).length === 0
}

/** What is wrong with what has been typed; a field that is still empty is not wrong yet. */
export function faultsOf(draft: ConnectionDraft): { [field in keyof ConnectionDraft]?: string } {
  const { name, host, port, statementSeconds, certificate } = draft
  const isName = name.trim() === '' || databaseName.safeParse(name.trim()).success
  return {
    ...(!isName && { name: `The name has ${nameForm}.` }),
    ...(/[^A-Za-z0-9._:-]/.test(host.trim()) && {
      host: 'Only the name or address of the host, as in db.example.com.',
    }),
    ...(port !== undefined && !isWhole(port, 65_535) && { port: 'A whole number from 1 to 65535.' }),
    ...(statementSeconds !== undefined &&
      !isWhole(statementSeconds, 3_600) && { statementSeconds: 'A whole number from 1 to 3600.' }),
    ...(certificate.trim() !== '' &&
      !certificate.includes('-----BEGIN CERTIFICATE-----') && {
        certificate: 'Paste the certificate as text that begins with -----BEGIN CERTIFICATE-----.',
      }),
  }
}

function isWhole(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

export function connectionIn(draft: ConnectionDraft): SaveConnection {
  const { host, port, database, user, password, certificate, statementSeconds, mayWrite } = draft
  const { writeUser, writePassword } = draft
  return {
    kind: 'postgresql',
    host: host.trim(),
    port: port ?? usualPort,
    database: database.trim(),
    user: user.trim(),
    ...(password !== '' && { password }),
    tls: tlsOf(draft),
    ...(certificate.trim() !== '' && { certificate: certificate.trim() }),
    statementSeconds: statementSeconds ?? usualSeconds,
    write: mayWrite
      ? { user: writeUser.trim(), ...(writePassword !== '' && { password: writePassword }) }
      : null,
  }
}
