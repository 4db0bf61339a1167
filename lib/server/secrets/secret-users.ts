/** The agents that name a secret in a request, an API or a hook: in their drafts, and in published versions. */
import { isObject, type JsonValue, tryParseJson } from '#lib/spec/json'
import { addTo } from '#lib/spec/lists'
import type { AgentStore } from '#lib/spec/store'

/** Entries whose values may be `{ secret: NAME }`. In others, such as the source of a code tool, that means something else. */
const uses = { tools: ['http', 'openapi'], policies: ['hook'] }
const kinds: ReadonlySet<string> = new Set([
  ...uses.tools.map((use) => `tool:${use}`),
  ...uses.policies.map((use) => `policy:${use}`),
])

/**
 * `agent:<name>` of each draft and `agent:<name>@<version>` of each version that names a secret, by its name. The
 * names in a revision and in a version never change, so each is read once. With `only`, the users of one secret are
 * whole, and of what is not known yet only the versions with its name in them are parsed.
 */
export function createAgentsBySecret(
  store: Pick<AgentStore, 'heads' | 'get' | 'versionKeys' | 'configWith'>,
): (only?: string) => ReadonlyMap<string, string[]> {
  let known: ReadonlyMap<string, readonly string[]> = new Map()
  return (only) => {
    const text = only === undefined ? '"secret":' : JSON.stringify(only)
    const users = new Map<string, string[]>()
    // Only what is still there is remembered.
    const seen = new Map<string, readonly string[]>()
    const add = (user: string, key: string, read: () => readonly JsonValue[]) => {
      const secrets = known.get(key) ?? [...new Set(read().flatMap(secretsIn))]
      seen.set(key, secrets)
      for (const secret of secrets) addTo(users, secret, user)
    }
    for (const { id, name, revision } of store.heads())
      add(`agent:${name}`, `${id}/${revision}`, () => {
        const nodes = store.get(id)?.graph.nodes.filter(({ kind }) => kinds.has(kind)) ?? []
        return nodes.map(({ config }) => config)
      })
    for (const { agentId, name, version } of store.versionKeys())
      add(`agent:${name}@${version}`, `${agentId}@${version}`, () =>
        entriesOf(tryParseJson(store.configWith(agentId, version, text) ?? '')),
      )
    // A version without the one name may have others.
    if (only === undefined) known = seen
    return users
  }
}

/** The entries of a config that may name secrets. */
function entriesOf(config: unknown): JsonValue[] {
  if (!isObject(config)) return []
  return Object.entries(uses).flatMap(([key, known]) => {
    const entries = config[key]
    if (!Array.isArray(entries)) return []
    return entries.filter(
      (each) => isObject(each) && typeof each.use === 'string' && known.includes(each.use),
    )
  })
}

/** The names of all secrets in a value, however deep; a draft may be incomplete. */
function secretsIn(value: JsonValue): string[] {
  const found: string[] = []
  const left = [value]
  for (let each = left.pop(); each !== undefined; each = left.pop()) {
    if (typeof each !== 'object' || each === null) continue
    if (isObject(each) && typeof each.secret === 'string') found.push(each.secret)
    for (const inner of Object.values(each)) if (typeof inner === 'object' && inner !== null) left.push(inner)
  }
  return found
}
