/** The agents whose drafts name a secret: in a request, an API or a hook. */
import { isObject, type JsonValue } from '#lib/spec/json'
import type { AgentStore } from '#lib/spec/store'

/** Nodes whose values may be `{ secret: NAME }`. In others, such as the source of a code tool, that means something else. */
const kinds: ReadonlySet<string> = new Set(['tool:http', 'tool:openapi', 'policy:hook'])

/** `agent:<name>` of each agent that names a secret, by the secret's name. */
export function agentsBySecret(store: Pick<AgentStore, 'heads' | 'get'>): ReadonlyMap<string, string[]> {
  const users = new Map<string, string[]>()
  for (const { id, name } of store.heads()) {
    const nodes = store.get(id)?.graph.nodes.filter(({ kind }) => kinds.has(kind)) ?? []
    for (const secret of new Set(nodes.flatMap(({ config }) => secretsIn(config))))
      users.set(secret, [...(users.get(secret) ?? []), `agent:${name}`])
  }
  return users
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
