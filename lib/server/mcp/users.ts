/** The agents whose drafts use an MCP server. */
import type { AgentStore } from '#lib/spec/store'

/** How the node of an entry of the toolkit `mcp` is called in a drawing. */
const kind = 'tool:mcp'

export function agentsUsing(store: Pick<AgentStore, 'heads' | 'get'>, server: string) {
  return store.heads().flatMap(({ id, name, title }) => {
    const nodes = store.get(id)?.graph.nodes ?? []
    const uses = nodes.some((node) => node.kind === kind && node.config.server === server)
    return uses ? [{ id, name, title }] : []
  })
}
