/**
 * Finds the address and key of a provider of models on this machine: from the environment,
 * Settings or its own default.
 */

import type { ModelSettings } from '#lib/spec/config'
import { knownEndpoints } from '#lib/spec/endpoints'
import type { Endpoint, Provider } from '#lib/spec/model'
import { addressVariable, endpointVariable, keyVariable, plainEndpoint } from '#lib/spec/variables'
import type { ProviderView } from '#lib/wire/providers'
import { originIn } from '../environment/base-url'
import type { Outbound } from '../environment/environment-outbound'
import { hintOf, type Vault } from '../secrets/secrets'
import { endpointProvider, homeOf, servicesOf } from './homes'

/** What Settings stores of a provider. Its key is a secret, under a name derived from the provider's name. */
export type StoredProvider = { baseUrl?: string; idleSeconds?: number; promptCache?: true }

export interface ConnectionContext {
  readonly parts: readonly Provider[]
  readonly environment: Outbound['providers']
  /** What Settings stores, by provider name; absent where no data folder is read. */
  readonly stored?: () => Readonly<Record<string, StoredProvider>>
  readonly vault?: Pick<Vault, 'get' | 'open'>
  /** Where a person reads what is missing, and can change it; default: the pages of the server. */
  readonly surface?: 'command line'
}

/** Values that are tried before they are stored. */
export interface Unsaved extends StoredProvider {
  /** Empty for no key at all. */
  readonly key?: string
}

export interface ProviderConnection extends Omit<ProviderView, 'ready' | 'test'> {
  readonly part: Provider
  /** The key, when there is one that may be sent to the address. */
  readonly value?: string
  /** There is no key, and the address belongs to a service that requires one. */
  readonly lacksKey: boolean
}

export function connectionsOf(context: ConnectionContext): ProviderConnection[] {
  const services = servicesOf(context.parts).map(({ id }) => id)
  const stored = Object.keys(context.stored?.() ?? {})
  const known = new Set([...services, ...stored.map(plainEndpoint)])
  const said = Object.keys(context.environment).filter((name) => !known.has(name))
  const added = [...stored.filter((name) => !services.includes(name)), ...said]
  return [...services, ...added.sort()].flatMap((name) => connectionOf(context, name) ?? [])
}

/**
 * Undefined when this server has no such provider. `unsaved` values replace the stored ones, and
 * may describe a new provider.
 */
export function connectionOf(
  context: ConnectionContext,
  name: string,
  unsaved?: Unsaved,
): ProviderConnection | undefined {
  const service = servicesOf(context.parts).find(({ id }) => id === name)
  const part = service ?? endpointProvider(context.parts)
  const stored = context.stored?.() ?? {}
  const kept = Object.hasOwn(stored, name) ? stored[name] : undefined
  const isKnown = service !== undefined || kept !== undefined || unsaved !== undefined
  if (part === undefined || (!isKnown && saidOf(context, name)?.baseUrl === undefined)) return undefined
  const { baseUrl, baseUrlFrom } = addressOf(context, { name, part, kept: unsaved ?? kept })
  const at: At = { name, part, baseUrl, isService: service !== undefined }
  const key = keyOf(context, at, unsaved?.key)
  const problem = problemOf(context, at, key)
  return {
    name,
    kind: part.id,
    label: service?.label ?? name,
    part,
    baseUrl,
    baseUrlFrom,
    idleSeconds: (unsaved ?? kept)?.idleSeconds ?? null,
    ...((unsaved ?? kept)?.promptCache && { promptCache: true }),
    key: key && { from: key.from, hint: key.hint, secret: key.secret, allowed: key.value !== undefined },
    ...(key?.value !== undefined && { value: key.value }),
    lacksKey: key?.value === undefined && isOfService(context.parts, baseUrl),
    ...(problem !== undefined && { problem }),
  }
}

/** The connection in the form that model clients use; undefined while it has no address. */
export function endpointOf({
  name,
  baseUrl,
  value,
  lacksKey,
  idleSeconds,
  promptCache,
}: ProviderConnection): Endpoint | undefined {
  if (baseUrl === null) return undefined
  const ms = (idleSeconds ?? 0) * 1_000
  return {
    name,
    baseUrl,
    ...(value !== undefined && { key: value }),
    ...(lacksKey && { lacksKey }),
    ...(idleSeconds !== null && { waits: { headersMs: ms, firstContentMs: ms, betweenMs: ms } }),
    ...(promptCache && { promptCache }),
  }
}

/** Whether an address has the host of a service, whichever provider uses it. */
function isOfService(parts: readonly Provider[], baseUrl: string | null): boolean {
  const hosts = servicesOf(parts).map(({ service }) => hostOf(service?.baseUrl))
  return baseUrl !== null && hosts.includes(hostOf(baseUrl))
}

function hostOf(url: string | null | undefined): string | undefined {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).host : undefined
}

export interface Lack {
  readonly code: 'endpoint_missing' | 'key_missing'
  readonly message: string
  readonly path: string
}

/** What is missing before the model of a config can be called. */
export function lackOf(context: ConnectionContext, { provider, endpoint }: ModelSettings): Lack | undefined {
  const part = context.parts.find(({ id }) => id === provider)
  if (part?.service === undefined) return undefined
  const isAdded = part.service.baseUrl === null
  const name = isAdded ? endpoint : homeOf(context.parts, provider)
  if (typeof name !== 'string' || name === '') return undefined
  const path = isAdded ? 'model/endpoint' : 'model/provider'
  const connection = connectionOf(context, name)
  if (connection === undefined || connection.kind !== (isAdded ? part.id : name)) {
    const message =
      context.surface === 'command line'
        ? `There is no endpoint "${name}" here. ${endpointAdvice(name)}`
        : `This server has no endpoint "${name}". Add it under Settings, or choose another.`
    return { code: 'endpoint_missing', message, path }
  }
  if (connection.problem === undefined) return undefined
  const code = connection.baseUrl === null ? 'endpoint_missing' : 'key_missing'
  return { code, message: connection.problem, path }
}

/** How the command line learns an address. */
function endpointAdvice(name: string): string {
  const usual = knownEndpoints.find((each) => each.name === name)?.baseUrl ?? 'http://127.0.0.1:8000/v1'
  return `Give its address with --endpoint ${name}=${usual}, set ${endpointVariable(name)}, or name the data folder of a server that has it with --data.`
}

/** What the environment says of a service or an added endpoint. */
export function saidOf({ environment }: Pick<ConnectionContext, 'environment'>, name: string) {
  return environment[name] ?? environment[plainEndpoint(name)]
}

interface At {
  readonly name: string
  readonly part: Provider
  readonly baseUrl: string | null
  readonly isService: boolean
}

function addressOf(
  context: ConnectionContext,
  { name, part, kept }: { name: string; part: Provider; kept: StoredProvider | undefined },
): Pick<ProviderConnection, 'baseUrl' | 'baseUrlFrom'> {
  const said = saidOf(context, name)?.baseUrl
  if (said !== undefined) return { baseUrl: said, baseUrlFrom: 'environment' }
  if (kept?.baseUrl !== undefined) return { baseUrl: kept.baseUrl, baseUrlFrom: 'settings' }
  return { baseUrl: part.service?.baseUrl ?? null, baseUrlFrom: 'default' }
}

/**
 * `value` is absent when the key may not be sent to the address or cannot be opened; `problem` then says why.
 */
interface Key {
  readonly from: 'settings' | 'environment'
  readonly hint: string
  readonly secret: string | null
  readonly value?: string
  readonly problem?: string
}

function keyOf(context: ConnectionContext, at: At, typed: string | undefined): Key | null {
  const { name, baseUrl } = at
  const said = saidOf(context, name)?.key
  if (said !== undefined) return environmentKey(context, at, said)
  if (typed !== undefined)
    return typed === '' ? null : { from: 'settings', hint: hintOf(typed), secret: null, value: typed }
  const secret = keyVariable(name)
  const row = context.vault?.get(secret)
  if (context.vault === undefined || row === undefined) return null
  const known = { from: 'settings', hint: row.hint, secret } as const
  if (baseUrl === null) return known
  const opened = context.vault.open(secret, originIn(baseUrl))
  if (opened.ok) return { ...known, value: opened.value }
  if (opened.why !== 'origin') return { ...known, problem: opened.problem }
  const problem = `The key was not entered for ${originIn(baseUrl)}, so it is not sent there. Enter it again to use it at this address.`
  return { ...known, problem }
}

/**
 * A key from the environment is only sent to the address in the environment, or to the provider itself: never
 * to an address from Settings.
 */
function environmentKey(context: ConnectionContext, { name, part, baseUrl }: At, value: string): Key {
  const known = { from: 'environment', hint: hintOf(value), secret: null } as const
  const home = saidOf(context, name)?.baseUrl ?? part.service?.baseUrl
  if (typeof home !== 'string' || baseUrl === null || originIn(home) === originIn(baseUrl))
    return { ...known, value }
  const problem = `The key in ${keyVariable(name)} is only for ${originIn(home)}, so it is not sent to ${originIn(baseUrl)}. Also set ${addressVariable(name)} to use it there.`
  return { ...known, problem }
}

/** Why the provider cannot be called and what to do, in one or two sentences. */
function problemOf(
  { surface }: ConnectionContext,
  { name, part, baseUrl, isService }: At,
  key: Key | null,
): string | undefined {
  const isCommandLine = surface === 'command line'
  if (baseUrl === null)
    return isCommandLine
      ? `The endpoint "${name}" has no address. ${endpointAdvice(name)}`
      : `The endpoint ${name} has no address yet. Enter one under Settings.`
  if (key !== null) return key.problem
  const home = part.service?.baseUrl
  // At another address there may be a server that needs no key.
  if (!isService || typeof home !== 'string' || originIn(home) !== originIn(baseUrl)) return undefined
  const variable = keyVariable(name)
  return isCommandLine
    ? `There is no key for ${part.label}. Set ${variable}, or name the data folder of a server that has one with --data.`
    : `There is no key for ${part.label}. Enter one under Settings, or set ${variable} before the server starts.`
}
