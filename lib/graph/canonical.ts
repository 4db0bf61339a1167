/** Writes the canonical form of a config: schema order, no defaults, the same bytes for the same agent. */
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '#lib/spec/json'
import { equal } from './equal'
import { formOf } from './form'

/**
 * Canonical JSON: two-space indent, a newline at the end. `config` has passed the config schema, `schema` is
 * that schema as JSON Schema.
 */
export function canonical(config: JsonObject, schema: JsonSchema): string {
  return writeConfig(canonicalConfig(config, schema))
}

/**
 * The canonical bytes without `canvas`, used for `configHash`, since the drawing does not change behaviour.
 */
export function canonicalForHash(config: JsonObject, schema: JsonSchema): string {
  const { canvas, ...rest } = config
  return canonical(rest, schema)
}

export function writeConfig(config: JsonObject): string {
  return `${JSON.stringify(config, null, 2)}\n`
}

/** The canonical config as data. */
export function canonicalConfig(config: JsonObject, schema: JsonSchema): JsonObject {
  const { canvas } = config
  const drawn = isObject(canvas) ? { ...config, canvas: canonicalCanvas(canvas, schema) } : config
  const value = canonicalValue(drawn, schema, schema)
  return isObject(value) ? value : drawn
}

/**
 * One value in schema order, without keys that equal their default, children first. Invalid parts are kept.
 */
export function canonicalValue(value: JsonValue, schema: JsonSchema, root: JsonSchema): JsonValue {
  const form = formOf(schema, root, value)
  if (form === undefined) return value
  if (Array.isArray(value)) {
    const { items } = form
    return items === undefined || typeof items !== 'object'
      ? value
      : value.map((each) => canonicalValue(each, items, root))
  }
  if (!isObject(value)) return value
  if (form.properties !== undefined) return orderKeys(value, form.properties, root)
  const rest = form.additionalProperties
  if (typeof rest !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, canonicalValue(each, rest, root)]),
  )
}

function orderKeys(value: JsonObject, properties: Record<string, JsonSchema>, root: JsonSchema): JsonObject {
  const entries: [string, JsonValue][] = []
  for (const [key, schema] of Object.entries(properties)) {
    const given = Object.hasOwn(value, key) ? value[key] : undefined
    const fallback = schema.default
    if (given === undefined) {
      if (schema.always === true && fallback !== undefined) entries.push([key, fallback])
      continue
    }
    const kept = canonicalValue(given, schema, root)
    if (schema.always !== true && fallback !== undefined && equal(kept, plainDefault(fallback, schema, root)))
      continue
    entries.push([key, kept])
  }
  const rest = Object.entries(value).filter(([key]) => !Object.hasOwn(properties, key))
  return Object.fromEntries([...entries, ...rest])
}

const defaults = new WeakMap<JsonSchema, JsonValue>()

/** A default in its own canonical form, since a default may contain defaults. */
function plainDefault(fallback: JsonValue, schema: JsonSchema, root: JsonSchema): JsonValue {
  if (typeof fallback !== 'object' || fallback === null) return fallback
  const known = defaults.get(schema)
  if (known !== undefined) return known
  const plain = canonicalValue(fallback, schema, root)
  defaults.set(schema, plain)
  return plain
}

/** Titles and positions in the order of the config; the position of a parked entry is kept in the entry itself. */
function canonicalCanvas(canvas: JsonObject, schema: JsonSchema): JsonObject {
  const { at, look } = canvas
  const rank = pathRank(schema)
  const titled =
    isObject(look) && isObject(look.titles)
      ? { ...canvas, look: { ...look, titles: inPathOrder(look.titles, rank) } }
      : canvas
  if (!isObject(at)) return titled
  const parked = Array.isArray(canvas.parked) ? canvas.parked : []
  const own = new Set(parked.map((_, index) => `parked/${index}`))
  const places = Object.fromEntries(Object.entries(at).filter(([path]) => !own.has(path)))
  const sorted = inPathOrder(places, rank)
  if (parked.length === 0) return { ...titled, at: sorted }
  return {
    ...titled,
    at: sorted,
    parked: parked.map((each, index) => withPlace(each, at[`parked/${index}`])),
  }
}

function inPathOrder(values: JsonObject, rank: (path: string) => [number, number]): JsonObject {
  const entries = Object.entries(values).map(([path, value]) => ({ path, value, rank: rank(path) }))
  entries.sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
  return Object.fromEntries(entries.map(({ path, value }) => [path, value]))
}

function withPlace(entry: JsonValue, place: JsonValue | undefined): JsonValue {
  return isObject(entry) && entry.at === undefined && place !== undefined ? { ...entry, at: place } : entry
}

/** The order of paths: the agent, then the keys as in the schema, with items by number. */
function pathRank(schema: JsonSchema): (path: string) => [number, number] {
  const keys = new Map(Object.keys(schema.properties ?? {}).map((key, index) => [key, index]))
  return (path) => {
    const [head = '', item = '0'] = path.split('/')
    return [head === 'agent' ? -1 : (keys.get(head) ?? keys.size), Number(item)]
  }
}
