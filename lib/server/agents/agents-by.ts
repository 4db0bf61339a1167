/** The agents whose drafts use things that have names, found while each drawing is read once. */
import type { GraphNode } from '#lib/spec/graph'
import type { AgentStore } from '#lib/spec/store'

interface AgentUse {
  readonly id: string
  readonly name: string
  readonly title: string
  /** The nodes that name it. */
  readonly nodes: readonly GraphNode[]
}

/** By the name of what is used. `namesIn` returns the names in one node. */
export function agentsBy(
  store: Pick<AgentStore, 'heads' | 'get'>,
  namesIn: (node: GraphNode) => readonly string[],
): ReadonlyMap<string, readonly AgentUse[]> {
  const users = new Map<string, AgentUse[]>()
  for (const { id, name, title } of store.heads()) {
    const nodesBy = new Map<string, GraphNode[]>()
    for (const node of store.get(id)?.graph.nodes ?? [])
      for (const each of new Set(namesIn(node))) nodesBy.set(each, [...(nodesBy.get(each) ?? []), node])
    for (const [used, nodes] of nodesBy) {
      const known = users.get(used) ?? []
      known.push({ id, name, title, nodes })
      users.set(used, known)
    }
  }
  return users
}
