'use client'
/** Asks before an MCP server is removed. */
import { useMutation } from '@tanstack/react-query'
import { api } from '#components/data/client'
import { useMcpServer, useRefreshMcp } from '#components/data/mcp'
import type { McpServerView } from '#lib/wire/mcp-servers'
import { RemoveUsed } from '../remove-used'

export function RemoveServer({ server: { name }, onClose }: { server: McpServerView; onClose(): void }) {
  const refresh = useRefreshMcp()
  const detail = useMcpServer(name)
  const removal = useMutation({
    mutationFn: () => api.mcpServers.remove(name),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  return (
    <RemoveUsed
      name={name}
      usedBy={detail.data?.usedBy ?? (detail.isError ? 'unreadable' : 'unknown')}
      then="will go on without its tools"
      removal={removal}
      onRemove={() => removal.mutate()}
      onClose={onClose}
    >
      Its confirmation, its sign-in, and what you have accepted of its tools are forgotten. Its secrets stay
      under Secrets.
    </RemoveUsed>
  )
}
