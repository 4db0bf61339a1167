/** Models as people choose them: what stands in a config's `model`, in words and in order. Pure. */
import { isObject, propertiesOf } from '#components/drawing/describe'
import type { CatalogProvider } from '#lib/spec/catalog'
import { defaultModel } from '#lib/spec/config'
import type { GraphDigest } from '#lib/spec/digest'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { KnownModel, ProviderView } from '#lib/wire/providers'
import { bestGuess, chatFirst } from './model-names'
import { isAdded } from './provider-words'

/** A model as a config names it, without its other settings. */
export interface ModelEntry {
  readonly provider: string
  /** For an endpoint that a person has added. */
  readonly endpoint?: string
  readonly name: string
}

/** What answers where no model is drawn. */
export const demoEntry: ModelEntry = { provider: defaultModel.provider, name: defaultModel.name }

/** Null while provider or name is missing. */
export function entryOf(config: JsonObject | NonNullable<GraphDigest['model']>): ModelEntry | null {
  const { provider, endpoint, name } = config
  if (typeof provider !== 'string' || typeof name !== 'string' || name === '') return null
  return { provider, ...(typeof endpoint === 'string' && { endpoint }), name }
}

/** As the config's `model` writes it: in that order, nothing else. */
export function configOf({ provider, endpoint, name }: ModelEntry): JsonObject {
  return { provider, ...(endpoint !== undefined && { endpoint }), name }
}

export function sameEntry(a: ModelEntry, b: ModelEntry): boolean {
  return a.provider === b.provider && a.endpoint === b.endpoint && a.name === b.name
}

export const isScripted = ({ provider }: Pick<ModelEntry, 'provider'>) => provider === demoEntry.provider
export const isDemo = (entry: ModelEntry) => sameEntry(entry, demoEntry)

/** On a button: `gpt-5-mini`, `demo (scripted)`. */
export function shortName(entry: ModelEntry): string {
  return isScripted(entry) ? `${entry.name} (scripted)` : entry.name
}

/** A provider as people call it, by the catalog; its id where the catalog does not know it. */
export function providerWord(id: string, providers: readonly CatalogProvider[]): string {
  return providers.find((each) => each.id === id)?.label ?? id
}

interface ModelAt {
  readonly provider: string
  /** What the node holds until now. */
  readonly held: JsonObject
  /** Of a model node. */
  readonly schema: JsonSchema
  readonly models: readonly KnownModel[]
  /** The endpoints a person has added. */
  readonly endpoints: readonly ProviderView[]
  readonly providers: readonly CatalogProvider[]
}

/**
 * What a node begins with where another provider is chosen: its only endpoint, and its own or likeliest model. Another
 * API of the same service keeps the name.
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

/** Where a model is asked: the endpoint's own name, else the provider. */
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

/** Known models by where they are asked, those for dialogue first. */
export function groupsOf(known: readonly KnownModel[], providers: readonly CatalogProvider[]): ModelGroup[] {
  const groups = new Map<string, ModelEntry[]>()
  for (const each of known) {
    const label = placeOf(each, providers)
    const group = groups.get(label)
    if (group === undefined) groups.set(label, [each])
    else group.push(each)
  }
  return [...groups].map(([label, models]) => ({ label, models: chatFirst(models, (each) => each.name) }))
}

/** The names known of one provider, or of one added endpoint; those for dialogue first. */
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

/** What a config calls a provider of this server. */
export function addressOf(
  provider: Pick<ProviderView, 'kind' | 'name'>,
): Pick<ModelEntry, 'provider' | 'endpoint'> {
  const { kind, name } = provider
  return isAdded(provider) ? { provider: kind, endpoint: name } : { provider: kind }
}

/**
 * A node's settings under another branch of its schema, as a model's under another provider: what the branch knows as well
 * stays as set, all else goes, and a name goes with the provider it belonged to.
 */
export function switchBranch(config: JsonObject, to: JsonObject, schema: JsonSchema): JsonObject {
  const before = propertiesOf(schema, config)
  const after = propertiesOf(schema, to)
  const isSamePlace =
    config.provider !== undefined && config.provider === to.provider && config.endpoint === to.endpoint
  const kept = Object.entries(config).filter(([key]) => {
    const form = after[key]
    // What tells the branches apart is what was chosen.
    if (form === undefined || form.const !== undefined || key === 'endpoint' || key === 'name') return false
    return isSamePlace || typeOf(before[key]) === typeOf(form)
  })
  return { ...to, ...Object.fromEntries(kept) }
}

function typeOf(schema: JsonSchema | undefined): string {
  if (!isObject(schema)) return ''
  return JSON.stringify([schema.type, schema.enum])
}
