/**
 * The providers of models in Settings: stored with sealed keys, tested on demand,
 * and listed with their models.
 */
import type { ModelSettings } from '#lib/spec/config'
import { AppError } from '#lib/spec/errors'
import type { Endpoint, ModelContext, Provider } from '#lib/spec/model'
import type { Redact } from '#lib/spec/redact'
import type { SettingsStore } from '#lib/spec/store'
import { addressVariable, endpointVariable, keyVariable } from '#lib/spec/variables'
import {
  type KnownModel,
  type ProviderTest,
  type ProviderView,
  providerName,
  type SaveProvider,
} from '#lib/wire/providers'
import { originIn, readBaseUrl } from '../environment/base-url'
import type { Outbound } from '../environment/environment-outbound'
import type { ProviderRegistry } from '../loopwright'
import type { Vault } from '../secrets/secrets'
import {
  type ConnectionContext,
  connectionOf,
  connectionsOf,
  endpointOf,
  type Lack,
  lackOf,
  type ProviderConnection,
  type StoredProvider,
  saidOf,
  type Unsaved,
} from './connections'
import { kindsOf, sharing } from './homes'
import { testModel } from './model-test'
import type { PriceOf } from './prices'
import { testConnection } from './provider-test'
import { createStoredTests, providersKey, storedProviders } from './stored-providers'

interface ProvidersContext {
  readonly parts: readonly Provider[]
  readonly environment: Outbound['providers']
  readonly settings: SettingsStore
  readonly vault: Vault
  readonly clock: { now(): number; monotonic(): number }
  readonly fetch: ModelContext['fetch']
  readonly sleep: ModelContext['sleep']
  readonly redact: Redact
  readonly priceOf: PriceOf
}

export interface Providers extends ProviderRegistry {
  /** The endpoint of a provider. Every request to a model asks for it, so it is kept until something is saved. */
  endpoint(name: string): Endpoint | undefined
  lackOf(model: ModelSettings): Lack | undefined
  /** Names of the providers that use this secret as their key. */
  using(secret: string): string[]
}

/** How long a list of models, or a failure, is reused, ms. */
const freshMs = 5 * 60_000

export function createProviders(context: ProvidersContext): Providers {
  const { parts, environment, settings, vault, clock } = context
  const kept = () => storedProviders(settings)
  const from: ConnectionContext = { parts, environment, stored: kept, vault }
  const tests = createStoredTests(settings)
  const asking = new Map<string, Promise<ProviderTest>>()

  const tried = async (connection: ProviderConnection, signal: AbortSignal): Promise<ProviderTest> => {
    const test = await testConnection(context, connection, signal)
    const { name, baseUrl, value } = connection
    // Meanwhile another address or key may have been saved and even tested.
    const now = connectionOf(from, name)
    const isOld = now?.baseUrl !== baseUrl || now.value !== value
    if (!signal.aborted && !isOld) tests.save(connection, test)
    return test
  }
  /** Requests at the same time share one test, whichever of them is cancelled. */
  const askedOnce = (connection: ProviderConnection): Promise<ProviderTest> => {
    const at = `${connection.name} ${connection.baseUrl} ${connection.value}`
    const running = asking.get(at)
    if (running !== undefined) return running
    const asked = tried(connection, new AbortController().signal).finally(() => asking.delete(at))
    asking.set(at, asked)
    return asked
  }
  const view = (connection: ProviderConnection): ProviderView => viewOf(connection, tests.last(connection))

  const endpoints = keepEndpoints(vault, (name) => connectionOf(from, name))

  return {
    kinds: kindsOf(parts),
    list: () => ({ items: connectionsOf(from).map(view) }),
    save: (name, body) => {
      endpoints.forget()
      const read = readSave(from, name, body)
      if (read.key === '') vault.remove(keyVariable(name))
      else if (read.key !== undefined) vault.save(read.key)
      settings.set(providersKey, { ...kept(), [name]: read.kept })
      const connection = connectionOf(from, name)
      if (connection === undefined) throw new Error(`${name} was saved and is gone`)
      return view(connection)
    },
    remove: (name) => {
      endpoints.forget()
      const { [name]: gone, ...rest } = kept()
      const connection = connectionOf(from, name)
      if (connection === undefined) throw unknown(name)
      if (connection.name !== connection.kind && connection.baseUrlFrom === 'environment')
        throw conflict(
          'name',
          `The endpoint ${name} comes from ${endpointVariable(name)} in the environment. Remove it there.`,
        )
      if (gone !== undefined) settings.set(providersKey, rest)
      vault.remove(keyVariable(name))
      tests.remove(name)
    },
    test: async (name, body, signal) => {
      const unsaved = Object.keys(body).length > 0 ? readSave(from, name, body).unsaved : undefined
      const connection = connectionOf(from, name, unsaved)
      if (connection === undefined) throw unknown(name)
      return unsaved === undefined ? tried(connection, signal) : testConnection(context, connection, signal)
    },
    testModel: async (name, { model, provider, formats }, signal) => {
      const connection = connectionOf(from, name)
      if (connection === undefined) throw unknown(name)
      const { problem, kind } = connection
      if (problem !== undefined) throw new AppError('unprocessable', problem)
      const id = provider ?? kind
      const part = sharing(parts, kind).includes(id) ? parts.find((each) => each.id === id) : undefined
      if (part === undefined) throw wrong('provider', `The provider ${id} is not available at ${name}.`)
      const at = kind === name ? {} : { endpoint: name }
      const price = context.priceOf({ provider: id, ...at, model })
      const endpoint = () => endpointOf(connection)
      const models = { fetch: context.fetch, sleep: context.sleep, endpoint }
      const { redact } = context
      return testModel({ part, ...at, model, formats, models, price, clock, redact }, signal)
    },
    models: async () => {
      const ready = connectionsOf(from).filter(({ problem }) => problem === undefined)
      const lists = await Promise.all(
        ready.map(async (connection) => {
          const last = tests.last(connection)
          // A test from the future was made before the clock was set back.
          const age = last === null ? 0 : clock.now() - last.at
          const isFresh = last !== null && age >= 0 && age < freshMs
          const { models } = isFresh ? last : await askedOnce(connection)
          return sharing(parts, connection.kind).flatMap((kind) =>
            models.map((name) => modelOf(connection, kind, name)),
          )
        }),
      )
      return { items: lists.flat() }
    },
    endpoint: endpoints.of,
    lackOf: (model) => lackOf(from, model),
    using: (secret) =>
      connectionsOf(from)
        .filter((each) => each.key?.from !== 'environment' && keyVariable(each.name) === secret)
        .map(({ name }) => name),
  }
}

/** Keeps the endpoints that can be used until a secret changes or `forget` is called. */
function keepEndpoints(
  vault: Pick<Vault, 'changes'>,
  connectionTo: (name: string) => ProviderConnection | undefined,
) {
  const known = new Map<string, Endpoint>()
  let changes = vault.changes
  return {
    forget: () => known.clear(),
    of: (name: string): Endpoint | undefined => {
      if (changes !== vault.changes) known.clear()
      changes = vault.changes
      const kept = known.get(name)
      if (kept !== undefined) return kept
      const connection = connectionTo(name)
      const found = connection && endpointOf(connection)
      if (found !== undefined && connection?.problem === undefined) known.set(name, found)
      return found
    },
  }
}

interface Read {
  readonly kept: StoredProvider
  /** What to seal; empty to remove the stored key. */
  readonly key: Parameters<Vault['save']>[0] | '' | undefined
  /** The same settings, as values to test before they are stored. */
  readonly unsaved: Unsaved
}

/** Checks everything before anything is stored. */
function readSave(from: ConnectionContext, name: string, body: SaveProvider): Read {
  checkName(from, name)
  const before = connectionOf(from, name)
  const kept = { ...from.stored?.()[name], ...withoutKey(body) }
  const next = cleanSettings(kept, readAddress(from, name, body.baseUrl))
  if (before === undefined) checkSecret(from, name, next.baseUrl)
  const unsaved: Unsaved = { ...next, ...(body.key !== undefined && { key: body.key.trim() }) }
  const value = unsaved.key
  if (value === undefined || value === '') return { kept: next, key: value, unsaved }
  if (before?.key?.from === 'environment')
    throw conflict('key', `The key comes from ${keyVariable(name)} in the environment. Change it there.`)
  if (!/^[\x21-\x7e]+$/.test(value))
    throw wrong('key', 'A key may contain only letters, digits and symbols, without spaces.')
  const { baseUrl } = connectionOf(from, name, unsaved) ?? { baseUrl: null }
  if (baseUrl === null) throw wrong('baseUrl', 'Enter the address as well: a key is stored for one address.')
  return { kept: next, key: { name: keyVariable(name), value, origins: [originIn(baseUrl)] }, unsaved }
}

function withoutKey({
  idleSeconds,
  promptCache,
}: SaveProvider): Pick<SaveProvider, 'idleSeconds' | 'promptCache'> {
  return {
    ...(idleSeconds !== undefined && { idleSeconds }),
    ...(promptCache !== undefined && { promptCache }),
  }
}

/** `address` is null to return to the provider's default, and undefined to keep the stored one. */
function cleanSettings(
  { baseUrl, idleSeconds, promptCache }: Pick<SaveProvider, 'baseUrl' | 'idleSeconds' | 'promptCache'>,
  address: string | null | undefined,
): StoredProvider {
  const url = address === undefined ? baseUrl : (address ?? undefined)
  return {
    ...(url !== undefined && { baseUrl: url }),
    ...(typeof idleSeconds === 'number' && { idleSeconds }),
    ...(promptCache && { promptCache }),
  }
}

function readAddress(
  context: ConnectionContext,
  name: string,
  text: string | undefined,
): string | null | undefined {
  if (text === undefined) return undefined
  const said = saidOf(context, name)?.baseUrl
  if (text.trim() === '') return null
  const read = readBaseUrl(text)
  if (!read.ok) throw wrong('baseUrl', read.error)
  if (said === undefined) return read.value
  if (said === read.value) return undefined
  throw conflict(
    'baseUrl',
    `The address comes from ${variableOf(context, name)} in the environment. Change it there.`,
  )
}

function variableOf({ parts }: ConnectionContext, name: string): string {
  return parts.some(({ id }) => id === name) ? addressVariable(name) : endpointVariable(name)
}

function checkName(from: ConnectionContext, name: string): void {
  if (connectionOf(from, name) !== undefined) return
  const read = providerName.safeParse(name)
  const secret = keyVariable(name)
  if (!read.success || secret.length > 64)
    throw wrong(
      'name',
      'The name may contain only lowercase letters, digits, single hyphens and underscores, as in "ollama".',
    )
  const isPart = from.parts.some(({ id }) => id === name)
  if (isPart)
    throw new AppError('name_taken', `The name ${name} is reserved. Choose another name.`, { path: 'name' })
  const twin = connectionsOf(from).find((each) => keyVariable(each.name) === secret)
  if (twin === undefined) return
  const message = `${name} is too similar to ${twin.name}: both keys would be stored as the same secret. Choose another name.`
  throw new AppError('name_taken', message, { path: 'name' })
}

/**
 * Without this check, a secret for another purpose would be used as the key, and
 * replaced and removed with it.
 */
function checkSecret({ vault }: ConnectionContext, name: string, baseUrl: string | undefined): void {
  const secret = vault?.get(keyVariable(name))
  if (secret === undefined || (baseUrl !== undefined && secret.origins.includes(originIn(baseUrl)))) return
  const message = `The key of ${name} would be stored as the secret ${secret.name}, which is used for something else. Choose another name.`
  throw new AppError('name_taken', message, { path: 'name' })
}

function viewOf(
  { part: _part, value: _value, lacksKey: _lacksKey, ...shown }: ProviderConnection,
  test: ProviderTest | null,
): ProviderView {
  return { ...shown, ready: shown.problem === undefined, test }
}

function modelOf({ name: endpoint, kind }: ProviderConnection, provider: string, name: string): KnownModel {
  return kind === endpoint ? { provider, name } : { provider, endpoint, name }
}

function unknown(name: string): AppError {
  return new AppError('not_found', `There is no provider called ${name.slice(0, 100)}.`)
}

function wrong(path: string, message: string): AppError {
  return new AppError('bad_request', message, { path })
}

function conflict(path: string, message: string): AppError {
  return new AppError('conflict', message, { path })
}
