'use client'
/** Asks before an MCP server is removed, and names the agents that use it. */
import { useMutation } from '@tanstack/react-query'
import { api } from '#components/data/client'
import { useMcpServer, useRefreshMcp } from '#components/data/mcp'
import { Skeleton } from '#components/ui/bits'
import { RemovalDialog } from '#components/ui/removal-dialog'
import type { McpServerView } from '#lib/wire/mcp-servers'

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
  const users = detail.data?.usedBy ?? []
  return (
    <RemovalDialog
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate()}
      onClose={onClose}
    >
      {detail.isPending && <Skeleton height={20} />}
      {detail.isSuccess && (
        <p>
          {users.length === 0
            ? 'No agent uses it. '
            : `${list(users.map((each) => each.title || each.name))} ${users.length === 1 ? 'uses' : 'use'} it, and will go on without its tools. `}
          Its confirmation, its sign-in, and what you have accepted of its tools are forgotten. Its secrets
          stay under Secrets.
        </p>
      )}
    </RemovalDialog>
  )
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((each) => `“${each}”`)
  const more = names.length - shown.length
  if (more > 0) return `${shown.join(', ')} and ${more} more`
  return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
