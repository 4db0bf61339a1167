/** Models as people choose them: the `model` of a config, its wording and its order. Pure. */
import { propertiesOf } from '#components/drawing/describe'
import type { CatalogProvider } from '#lib/spec/catalog'
import { defaultModel } from '#lib/spec/config'
import type { GraphDigest } from '#lib/spec/digest'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { addTo } from '#lib/spec/lists'
import type { KnownModel, ProviderView } from '#lib/wire/providers'
import { bestGuess, chatFirst } from './model-names'
import { isAdded } from './provider-words'

/** A model as a config names it, without its other settings. */
export interface ModelEntry {
  readonly provider: string
  /** The name of an added endpoint. */
  readonly endpoint?: string
  readonly name: string
}

/** The model that answers where none is drawn. */
export const demoEntry: ModelEntry = { provider: defaultModel.provider, name: defaultModel.name }

/** Null while the provider or the name is missing. */
export function entryOf(config: JsonObject | NonNullable<GraphDigest['model']>): ModelEntry | null {
  const { provider, endpoint, name } = config
  if (typeof provider !== 'string' || typeof name !== 'string' || name === '') return null
  return { provider, ...(typeof endpoint === 'string' && { endpoint }), name }
}

/** As in the config's `model`: in this order, and nothing else. */
export function configOf({ provider, endpoint, name }: ModelEntry): JsonObject {
  return { provider, ...(endpoint !== undefined && { endpoint }), name }
}

export function sameEntry(a: ModelEntry, b: ModelEntry): boolean {
  return a.provider === b.provider && a.endpoint === b.endpoint && a.name === b.name
}

export const isScripted = ({ provider }: Pick<ModelEntry, 'provider'>) => provider === demoEntry.provider
export const isDemo = (entry: ModelEntry) => sameEntry(entry, demoEntry)

/** The label of a button: `gpt-5-mini`, `demo (scripted)`. */
export function shortName(entry: ModelEntry): string {
  return isScripted(entry) ? `${entry.name} (scripted)` : entry.name
}

/** The label of a provider in the catalog; its id if the catalog does not have it. */
export function providerWord(id: string, providers: readonly CatalogProvider[]): string {
  return providers.find((each) => each.id === id)?.label ?? id
}

interface ModelAt {
  readonly provider: string
  /** The node's present settings. */
  readonly held: JsonObject
  /** The schema of a model node. */
  readonly schema: JsonSchema
  readonly models: readonly KnownModel[]
  /** The endpoints that a person has added. */
  readonly endpoints: readonly ProviderView[]
  readonly providers: readonly CatalogProvider[]
}

/**
 * The settings of a node when another provider is chosen: its only endpoint, and its own or likeliest model.
 * Another API of the same service keeps the name.
 */
export function modelAt({ provider, held, schema, models, endpoints, providers }: ModelAt): JsonObject {
  const homeOf = (id: JsonValue | undefined) => providers.find((each) => each.id === id)?.endpoint ?? id
  const { endpoint, name } = propertiesOf(schema, { provider })
  const [only, ...others] = endpoint === undefined ? [] : endpoints
  const at = { provider, ...(only !== undefined && others.length === 0 && { endpoint: only.name }) }
  const isSameService = endpoint === undefined && homeOf(provider) === homeOf(held.provider)
  const known = isSameService ? held.name : (name?.default ?? bestGuess(namesOf(models, at)))
  return { ...at, ...(known !== undefined && { name: known }) }
}

/** Where a model is hosted: the name of the endpoint, or else the provider. */
export function placeOf(
  { provider, endpoint }: Pick<ModelEntry, 'provider' | 'endpoint'>,
  providers: readonly CatalogProvider[],
): string {
  return endpoint ?? providerWord(provider, providers)
}

export interface ModelGroup {
  readonly label: string
  readonly models: readonly ModelEntry[]
}

/** Known models grouped by where they are hosted, chat models first. */
export function groupsOf(known: readonly KnownModel[], providers: readonly CatalogProvider[]): ModelGroup[] {
  const groups = new Map<string, ModelEntry[]>()
  for (const each of known) {
    const label = placeOf(each, providers)
    addTo(groups, label, each)
  }
  return [...groups].map(([label, models]) => ({ label, models: chatFirst(models, (each) => each.name) }))
}

/** The known model names of one provider or added endpoint, chat models first. */
export function namesOf(
  known: readonly KnownModel[],
  { provider, endpoint }: Pick<ModelEntry, 'provider' | 'endpoint'>,
): string[] {
  const own = known.filter((each) => each.provider === provider && each.endpoint === endpoint)
  return chatFirst(
    own.map((each) => each.name),
    (name) => name,
  )
}

/** How a config refers to a provider of this server. */
export function addressOf(
  provider: Pick<ProviderView, 'kind' | 'name'>,
): Pick<ModelEntry, 'provider' | 'endpoint'> {
  const { kind, name } = provider
  return isAdded(provider) ? { provider: kind, endpoint: name } : { provider: kind }
}

/**
 * A node's settings under another branch of its schema, for example a model's under another provider:
 * settings that the new branch has too are kept, all others are removed, and a name is removed with the
 * provider it belonged to.
 */
export function switchBranch(config: JsonObject, to: JsonObject, schema: JsonSchema): JsonObject {
  const before = propertiesOf(schema, config)
  const after = propertiesOf(schema, to)
  const isSamePlace =
    config.provider !== undefined && config.provider === to.provider && config.endpoint === to.endpoint
  const kept = Object.entries(config).filter(([key]) => {
    const form = after[key]
    // The keys that identify the branch come from `to`.
    if (form === undefined || form.const !== undefined || key === 'endpoint' || key === 'name') return false
    return isSamePlace || typeOf(before[key]) === typeOf(form)
  })
  return { ...to, ...Object.fromEntries(kept) }
}

function typeOf(schema: JsonSchema | undefined): string {
  if (!isObject(schema)) return ''
  return JSON.stringify([schema.type, schema.enum])
}
