/**
 * The vault: secrets that can be written but never read back, and that open only
 * for the origins in their list.
 */
import { AppError } from '#lib/spec/errors'
import { mcpServerName } from '#lib/spec/mcp'
import type { SecretRow, SecretStore } from '#lib/spec/store'
import { originOf } from '../environment/base-url'
import { keyFile, seal, unseal } from './secret-key'

export interface SaveRequest {
  readonly name: string
  /** Absent keeps the stored value. */
  readonly value?: string
  /** Absent keeps the stored origins. */
  readonly origins?: readonly string[]
}

/** `problem` says in one sentence why the secret cannot be opened and what to do. */
export type OpenedSecret =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly why: 'missing' | 'origin' | 'unreadable'; readonly problem: string }

export interface Vault {
  list(): SecretRow[]
  get(name: string): SecretRow | undefined
  /** Throws AppErrors: a new secret without a value, an invalid origin, an unusable key file. */
  save(request: SaveRequest): SecretRow
  remove(name: string): boolean
  /** Whether the stored secret has this value. */
  holds(name: string, value: string): boolean
  /** @param origin where the value will be sent */
  open(name: string, origin: string): OpenedSecret
  /** Why a stored secret cannot be opened at all. */
  problem(name: string): string | undefined
  /** Another number after each change. */
  readonly changes: number
  /** Every value that can be opened: the same list until a secret changes. Only for redacting texts. */
  values(): readonly string[]
}

interface VaultContext {
  readonly store: SecretStore
  /** The data folder. */
  readonly folder: string
  readonly clock: { now(): number }
}

export function createVault({ store, folder, clock }: VaultContext): Vault {
  const key = keyFile(folder)
  // The last list that `values` returned; dropped when it may be out of date.
  let values: readonly string[] | undefined
  let changes = 0

  const read = ({ name, sealed }: SecretRow): OpenedSecret => {
    const known = key.read()
    const value = known.ok ? unseal(known.value, name, sealed) : undefined
    if (value !== undefined) return { ok: true, value }
    const cause = known.ok ? `${key.file} is not the key that it was encrypted with` : known.error
    const problem = `The secret ${name} cannot be decrypted: ${cause}. Restore the file, or enter the secret again.`
    return { ok: false, why: 'unreadable', problem }
  }

  const sealedValue = ({ name, value }: SaveRequest, before: SecretRow | undefined) => {
    if (value === undefined) {
      if (before !== undefined) return { sealed: before.sealed, hint: before.hint }
      throw new AppError('bad_request', `${name} is new, so it needs a value.`, { path: 'value' })
    }
    const known = key.need()
    if (known.ok) return { sealed: seal(known.value, name, value), hint: hintOf(value) }
    throw new AppError(
      'unprocessable',
      `Nothing was saved: ${known.error}. Restore the right file, or move it away so that a new one is created.`,
    )
  }

  return {
    list: () => store.list(),
    get: (name) => store.get(name),
    save: (request) => {
      const { name, origins } = request
      const before = store.get(name)
      const at = clock.now()
      const row: SecretRow = {
        name,
        ...sealedValue(request, before),
        origins: origins === undefined ? (before?.origins ?? []) : readOrigins(origins),
        createdAt: before?.createdAt ?? at,
        updatedAt: at,
      }
      store.put(row)
      values = undefined
      changes += 1
      return row
    },
    remove: (name) => {
      values = undefined
      changes += 1
      return store.remove(name)
    },
    holds: (name, value) => {
      const row = store.get(name)
      const opened = row === undefined ? undefined : read(row)
      return opened?.ok === true && opened.value === value
    },
    open: (name, origin) => {
      const row = store.get(name)
      if (row === undefined)
        return { ok: false, why: 'missing', problem: `There is no secret ${name}. Enter it under Settings.` }
      if (row.origins.includes(origin)) {
        const opened = read(row)
        if (opened.ok && values?.includes(opened.value) === false) values = undefined
        return opened
      }
      const problem = `The secret ${name} may not be sent to ${origin}. Enter it again to allow that.`
      return { ok: false, why: 'origin', problem }
    },
    get changes() {
      return changes
    },
    problem: (name) => {
      const row = store.get(name)
      const opened = row === undefined ? undefined : read(row)
      return opened?.ok === false ? opened.problem : undefined
    },
    values: () => {
      values ??= store.list().flatMap((row) => {
        const opened = read(row)
        return opened.ok ? [opened.value] : []
      })
      return values
    },
  }
}

/** The last four characters; empty for a short value, of which they would reveal too much. */
export function hintOf(value: string): string {
  return value.length >= 12 ? value.slice(-4) : ''
}

/** The place of an origin for a program that is started as an MCP server: it gets a secret without an address. */
export function programOrigin(server: string): string {
  return `mcp:${server}`
}

function isProgramOrigin(text: string): boolean {
  return text.startsWith('mcp:') && mcpServerName.safeParse(text.slice(4)).success
}

/** `postgresql://db.example.com:5432`: the server of a database, which gets a password. */
function isDatabaseOrigin(text: string): boolean {
  return /^postgresql:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/.test(text)
}

function readOrigins(given: readonly string[]): string[] {
  const origins = given.map((text, index) => {
    const origin = isProgramOrigin(text) || isDatabaseOrigin(text) ? text : originOf(text)
    if (origin !== undefined) return origin
    const message = `"${text.slice(0, 100)}" must be an http or https address without a path, as in https://api.example.com.`
    throw new AppError('bad_request', message, { path: `origins/${index}` })
  })
  return [...new Set(origins)]
}
