'use client'
/** What a person confirms before a program starts: the whole command, the file that runs, and what confines it. */
import { useId, useState } from 'react'
import { useMcpConsent } from '#components/data/mcp'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import type { McpCommandView, McpServerView } from '#lib/wire/mcp-servers'
import own from './mcp.module.css'
import { wallWords } from './mcp-words'
import { Note } from './note'

interface ConsentDialogProps {
  readonly server: McpServerView
  onClose(): void
  /** The program may be started now. */
  onConfirmed(): void
}

export function ConsentDialog({ server, onClose, onConfirmed }: ConsentDialogProps) {
  const { name, command } = server
  const id = useId()
  const [isTicked, setTicked] = useState(false)
  const consent = useMcpConsent(name)
  if (command === null) return null
  const isOpen = command.wall === 'none'
  const confirm = () =>
    consent.mutate(
      { commandHash: command.hash, unwalled: isOpen },
      {
        onSuccess: () => {
          onClose()
          onConfirmed()
        },
      },
    )
  return (
    <Dialog
      title={`Run this program for ${name}?`}
      onClose={onClose}
      wide
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            variant="primary"
            disabled={command.binary === null || (isOpen && !isTicked) || consent.isPending}
            onClick={confirm}
          >
            Confirm and start
          </Button>
        </>
      }
    >
      <p>
        Adding this server means running a program on the server’s machine, now and whenever an agent uses{' '}
        {name}. Confirm it only if you trust where the command comes from.
      </p>
      <Command command={command} server={server} />
      {command.notes.map((note) => (
        <Note key={note} icon="info">
          {note}
        </Note>
      ))}
      <Note icon={isOpen ? 'triangle-alert' : 'shield'} isWarning={isOpen}>
        {wallWords(command.wall, server.reach)}
      </Note>
      {isOpen && (
        <label className={own.tick} htmlFor={`${id}-unwalled`}>
          <input
            id={`${id}-unwalled`}
            type="checkbox"
            checked={isTicked}
            onChange={(event) => setTicked(event.target.checked)}
          />
          <span>Run it all the same, with the rights of this server. It can read the data folder.</span>
        </label>
      )}
      {consent.isError && <ErrorNote error={consent.error} />}
    </Dialog>
  )
}

/** Invisible characters and those that turn the direction of a text are shown by their numbers. */
function Command({ command, server: { reach } }: { command: McpCommandView; server: McpServerView }) {
  const { line, binary, target, home } = command
  const env = reach?.transport === 'stdio' ? Object.entries(reach.env) : []
  const folders = reach?.transport === 'stdio' ? reach : { read: [], write: [] }
  return (
    <dl className={own.facts}>
      <Fact term="Command" text={line} isWide />
      {binary === null ? (
        <>
          <dt>File</dt>
          <dd className={own.fault}>There is no such program in PATH on this machine.</dd>
        </>
      ) : (
        <Fact term="File" text={target === undefined ? binary : `${binary}\n→ ${target}`} />
      )}
      <Fact term="Runs in" text={home} />
      {env.length > 0 && (
        <Fact term="Environment" text={env.map(([name, value]) => `${name}=${value}`).join('\n')} />
      )}
      {folders.read.length > 0 && <Fact term="May read" text={folders.read.join('\n')} />}
      {folders.write.length > 0 && <Fact term="May change" text={folders.write.join('\n')} />}
    </dl>
  )
}

function Fact({ term, text, isWide }: { term: string; text: string; isWide?: boolean }) {
  return (
    <>
      <dt>{term}</dt>
      <dd>
        <LongText text={text} className={isWide ? own.command : own.exact} showsMarks isScrolled={isWide} />
      </dd>
    </>
  )
}
