/** The agents whose drafts use an MCP server. */
import type { AgentStore } from '#lib/spec/store'
import { agentsBy } from '../agents/agents-by'

export function agentsUsing(store: Pick<AgentStore, 'heads' | 'get'>, server: string) {
  const users = agentsBy(store, ({ kind, config }) =>
    kind === 'tool:mcp' && typeof config.server === 'string' ? [config.server] : [],
  )
  return (users.get(server) ?? []).map(({ id, name, title }) => ({ id, name, title }))
}
