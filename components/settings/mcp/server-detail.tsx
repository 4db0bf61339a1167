'use client'
/** An opened MCP server: its facts, its tools, and what can be done with it. */
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '#components/data/client'
import { useMcpServer, useRefreshMcp } from '#components/data/mcp'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import { ago } from '#components/ui/when'
import type { McpServerView } from '#lib/wire/mcp-servers'
import styles from '../settings.module.css'
import own from './mcp.module.css'
import { wallWords } from './mcp-words'
import { ServerSecrets } from './server-secrets'
import { ServerTools } from './server-tools'

interface ServerDetailProps {
  readonly server: McpServerView
  readonly filePath: string | undefined
  onOpen(what: 'consent' | 'edit' | 'sign-in' | 'remove'): void
}

export function ServerDetail({ server, filePath, onOpen }: ServerDetailProps) {
  const { name, state } = server
  const detail = useMcpServer(name)
  return (
    <div className={own.detail}>
      <Facts server={server} filePath={filePath} />
      <ServerSecrets server={server} />
      {detail.isPending && <Skeleton height={36} />}
      {detail.isError && <ErrorNote error={detail.error} onRetry={() => void detail.refetch()} />}
      {detail.data !== undefined && state !== 'broken' && <ServerTools server={detail.data} />}
      <Actions server={server} onOpen={onOpen} />
    </div>
  )
}

function Facts({ server, filePath }: { server: McpServerView; filePath: string | undefined }) {
  const { reach, command, from, lastSeenAt, lastError, info } = server
  const now = Date.now()
  return (
    <dl className={own.facts}>
      {from === 'file' && (
        <Fact term="From">
          <code>{filePath ?? 'a file'}</code>, named in LOOPWRIGHT_MCP_CONFIG. It is changed there.
        </Fact>
      )}
      {command !== null && (
        <Fact term="Command">
          <LongText text={command.line} className={own.exact} showsMarks />
        </Fact>
      )}
      {reach?.transport === 'http' && (
        <Fact term="Address">
          <LongText text={reach.url} className={own.exact} showsMarks />
        </Fact>
      )}
      {command !== null && <Fact term="Confined">{confinedWords(server)}</Fact>}
      <SignInFact server={server} />
      <Fact term="Seen">{lastSeenAt === null ? 'never' : ago(lastSeenAt, now)}</Fact>
      {info !== null && (
        <Fact term="Says it is">
          {info.name} {info.version}, protocol {info.protocol}
        </Fact>
      )}
      {info?.instructions !== undefined && (
        <Fact term="Advice">
          <LongText text={info.instructions} className={own.prose} showsMarks first={300} />
        </Fact>
      )}
      {lastError !== null && (
        <Fact term="Last error">
          <LongText text={lastError.message} className={own.prose} showsMarks first={1_000} />
          <span className={styles.quiet}>{ago(lastError.at, now)}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </>
  )
}

function confinedWords({ command, reach }: McpServerView): string {
  if (command?.wall === 'none' && command.consent?.unwalled === true)
    return 'No. It runs with all rights of this server, as you have confirmed: it can read the data folder.'
  return wallWords(command?.wall ?? 'none', reach)
}

function SignInFact({ server: { signIn } }: { server: McpServerView }) {
  if (signIn?.state !== 'signed_in') return null
  const { issuer, scope, expiresAt, renews } = signIn
  const end = renews === true || expiresAt === undefined ? '' : ` It ends ${until(expiresAt)}.`
  return (
    <Fact term="Signed in">
      at {issuer}
      {scope !== undefined && scope !== '' && `, for ${scope}`}.{end}
    </Fact>
  )
}

function until(at: number): string {
  return new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

function Actions({ server, onOpen }: Pick<ServerDetailProps, 'server' | 'onOpen'>) {
  const { from, reach, command, state, signIn } = server
  return (
    <div className={styles.buttons}>
      {from === 'settings' && (
        <Button size="s" icon="pencil" onClick={() => onOpen('edit')}>
          Edit
        </Button>
      )}
      {command !== null && state !== 'off' && (
        <Button size="s" icon="shield" onClick={() => onOpen('consent')}>
          Review the command
        </Button>
      )}
      {reach?.transport === 'http' && signIn?.state === 'signed_in' && <SignOut server={server} />}
      {reach?.transport === 'http' && signIn?.state !== 'signed_in' && (
        <Button size="s" icon="key-round" onClick={() => onOpen('sign-in')}>
          Sign in
        </Button>
      )}
      {from === 'settings' && (
        <Button size="s" variant="quiet" icon="trash-2" className={own.end} onClick={() => onOpen('remove')}>
          Remove
        </Button>
      )}
    </div>
  )
}

function SignOut({ server: { name } }: { server: McpServerView }) {
  const refresh = useRefreshMcp()
  const leaving = useMutation({ mutationFn: () => api.mcpServers.signOut(name), onSettled: refresh })
  return (
    <>
      <Button size="s" icon="power" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
      {leaving.isError && <ErrorNote error={leaving.error} />}
    </>
  )
}
