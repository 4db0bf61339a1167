/** Models as people choose them: what stands in a config's `model`, in words and in order. Pure. */
import { isObject, propertiesOf } from '#components/drawing/describe'
import type { CatalogProvider } from '#lib/spec/catalog'
import { defaultModel } from '#lib/spec/config'
import type { GraphDigest } from '#lib/spec/digest'
import type { JsonObject, JsonSchema, JsonValue } from '#lib/spec/json'
import type { KnownModel, ProviderKind, ProviderView } from '#lib/wire/providers'

/** A model as a config names it, without its other settings. */
export interface ModelEntry {
  readonly provider: string
  /** For `openai-compatible`. */
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

export const isScripted = ({ provider }: Pick<ModelEntry, 'provider'>) => provider === 'scripted'
export const isDemo = (entry: ModelEntry) => sameEntry(entry, demoEntry)

/** On a button: `gpt-5-mini`, `demo (scripted)`. */
export function shortName(entry: ModelEntry): string {
  return isScripted(entry) ? `${entry.name} (scripted)` : entry.name
}

const kindWords: Record<ProviderKind | 'openai-responses' | 'scripted', string> = {
  openai: 'OpenAI',
  'openai-responses': 'OpenAI Responses',
  anthropic: 'Anthropic',
  'openai-compatible': 'OpenAI-compatible',
  scripted: 'Scripted',
}

/** A provider as people call it; the catalog's own word where it has one. */
export function providerWord(id: string, providers: readonly CatalogProvider[] = []): string {
  const known = Object.entries(kindWords).find(([kind]) => kind === id)?.[1]
  return providers.find((each) => each.id === id)?.label ?? known ?? id
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
  providers?: readonly CatalogProvider[],
): string {
  return endpoint ?? providerWord(provider, providers)
}

export interface ModelGroup {
  readonly label: string
  readonly models: readonly ModelEntry[]
}

/** Known models by where they are asked, those for dialogue first. */
export function groupsOf(known: readonly KnownModel[], providers?: readonly CatalogProvider[]): ModelGroup[] {
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
export function addressOf({
  kind,
  name,
}: Pick<ProviderView, 'kind' | 'name'>): Pick<ModelEntry, 'provider' | 'endpoint'> {
  return kind === 'openai-compatible' ? { provider: kind, endpoint: name } : { provider: kind }
}

/** These answer with something other than a dialogue. */
const noChat =
  /embed|whisper|tts|speech|audio|dall-?e|image|sora|video|moderation|realtime|transcri|rerank|search|guard|instruct-0914|babbage|davinci|computer-use|codex|ocr/i
/** Families good at calling tools at a fair price, the best first; within one the newest is taken. */
const favourites = [
  /^gpt-\d[\d.]*-(mini|terra)\b/,
  /^gpt-\d[\d.]*(-sol)?$/,
  /^claude-(.*-)?sonnet/,
  /^claude/,
  /^gpt-\d/,
  /^deepseek-(chat|v\d)/,
  /^qwen[\d-]/,
  /^gpt-oss/,
  /^mi(ni)?stral/,
  /^llama/,
]

/** In the order they come, models that hold no dialogue last. */
export function chatFirst<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const isChat = (item: T) => !noChat.test(nameOf(item))
  return [...items.filter(isChat), ...items.filter((each) => !isChat(each))]
}

/** The model a person most likely wants of those listed; undefined when none is. */
export function bestGuess(names: readonly string[]): string | undefined {
  const chat = names.filter((each) => !noChat.test(each))
  for (const family of favourites) {
    const [newest] = chat
      .filter((each) => family.test(bareName(each)))
      .toSorted((a, b) => versionOf(b) - versionOf(a) || a.length - b.length)
    if (newest !== undefined) return newest
  }
  return chat[0] ?? names[0]
}

/** Some endpoints put a maker before the name: `openai/gpt-5-mini`. */
function bareName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase()
}

/** `claude-sonnet-4-5-20250929` → 4.05, `gpt-5.1-mini` → 5.01; numbers too long for a version are dates. */
function versionOf(name: string): number {
  const [, whole = '0', part = '0'] = /(?<!\d)(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/.exec(bareName(name)) ?? []
  return Number(whole) + Number(part) / 100
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
