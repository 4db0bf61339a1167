'use client'
/** The secrets that the settings of an MCP server name, and the permission for those that are not declared for it. */
import { useSaveMcpServer } from '#components/data/mcp'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { McpServerView } from '#lib/wire/mcp-servers'
import own from './mcp.module.css'

export function ServerSecrets({ server }: { server: McpServerView }) {
  const { name, reach, timeoutSeconds, secrets, from } = server
  const saving = useSaveMcpServer(name)
  if (secrets.length === 0) return null
  const declare = (secret: string) =>
    reach !== null && saving.mutate({ name, reach, timeoutSeconds, declare: [secret] })
  return (
    <>
      <ul className={own.secrets} aria-label="Secrets that it gets">
        {secrets.map((each) => (
          <li key={each.name} className={own.secret}>
            <Icon name="key-round" size={14} />
            <code>{each.name}</code>
            <span data-error={each.problem !== undefined || undefined}>
              {each.problem ?? 'sent to this server'}
            </span>
            {each.undeclared && from === 'settings' && (
              <Button size="s" disabled={saving.isPending} onClick={() => declare(each.name)}>
                Allow for this server
              </Button>
            )}
          </li>
        ))}
      </ul>
      {saving.isError && <ErrorNote error={saving.error} />}
    </>
  )
}
