'use client'
/** The MCP servers of this installation: what they are for, each as a card, and the ways to add one. */
import { useRef, useState } from 'react'
import { useMcpServers } from '#components/data/mcp'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import type { McpServerList } from '#lib/wire/mcp-servers'
import styles from '../settings.module.css'
import { ImportForm } from './import-form'
import own from './mcp.module.css'
import { Note } from './note'
import { ServerCard } from './server-card'
import { ServerForm } from './server-form'

export function McpServers() {
  const servers = useMcpServers()
  return (
    <>
      {servers.isPending && <Skeleton height={36} />}
      {servers.isError && <ErrorNote error={servers.error} onRetry={() => void servers.refetch()} />}
      {servers.data !== undefined && <Listed list={servers.data} />}
    </>
  )
}

function Listed({ list }: { list: McpServerList }) {
  const { items, noStdio, file } = list
  const [opened, setOpened] = useState<'form' | 'json' | null>(null)
  /** The server that was added last: its next step is offered at once. */
  const [added, setAdded] = useState<string | null>(null)
  const adder = useRef<HTMLButtonElement>(null)
  const paster = useRef<HTMLButtonElement>(null)
  return (
    <>
      {noStdio && (
        <Note icon="power">
          Servers that are programs are turned off on this installation (LOOPWRIGHT_NO_STDIO). Servers that
          are reached by an address work.
        </Note>
      )}
      {file?.problems.map((problem) => (
        <Note key={problem} icon="triangle-alert" isWarning>
          <code>{file.path}</code>: {problem}
        </Note>
      ))}
      {items.length === 0 && opened === null && <NoServers />}
      {items.length > 0 && (
        <ul className={styles.list} aria-label="MCP servers">
          {items.map((each) => (
            <ServerCard
              key={each.name}
              server={each}
              filePath={file?.path}
              isNew={each.name === added}
              onNext={() => setAdded(null)}
            />
          ))}
        </ul>
      )}
      {opened === 'form' && (
        <ServerForm
          taken={items.map((each) => each.name)}
          noStdio={noStdio}
          opener={adder}
          onClose={() => setOpened(null)}
          onSaved={({ name }) => setAdded(name)}
        />
      )}
      {opened === 'json' && <ImportForm opener={paster} onClose={() => setOpened(null)} />}
      {opened === null && (
        <div className={styles.buttons}>
          <Button ref={adder} icon="plus" onClick={() => setOpened('form')}>
            Add a server
          </Button>
          <Button ref={paster} icon="clipboard-paste" onClick={() => setOpened('json')}>
            Paste JSON
          </Button>
        </div>
      )}
    </>
  )
}

function NoServers() {
  return (
    <div className={own.empty}>
      <Icon name="plug" size={20} />
      <p>No MCP servers yet</p>
      <p className={styles.quiet}>
        An MCP server brings tools of its own: files, a browser, a calendar, an issue tracker. Add a program
        that runs on this machine, the address of a service, or the JSON that its documentation gives for
        Claude Desktop, VS Code or Cursor.
      </p>
    </div>
  )
}
