'use client'
/** Adds the servers of a pasted JSON: shows what each entry would become before anything is stored. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { api } from '#components/data/client'
import { useRefreshMcp } from '#components/data/mcp'
import { Button } from '#components/ui/button'
import { Property, TextArea } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import { visible } from '#lib/spec/visible'
import type { ImportedMcpServer, McpImport, TakenSecret } from '#lib/wire/mcp-servers'
import styles from '../settings.module.css'
import own from './mcp.module.css'
import { reachLine } from './mcp-words'

interface ImportFormProps {
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

const example = `{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/home/me/notes"] }
  }
}`

export function ImportForm({ opener, onClose }: ImportFormProps) {
  const id = useId()
  const focus = useFormFocus(opener, onClose)
  const refresh = useRefreshMcp()
  const [text, setText] = useState('')
  const looking = useMutation({ mutationFn: () => api.mcpServers.importJson({ text, preview: true }) })
  const adding = useMutation({
    mutationFn: () => api.mcpServers.importJson({ text, preview: false }),
    onSettled: refresh,
  })
  const change = (next: string) => {
    looking.reset()
    adding.reset()
    setText(next)
  }
  const preview = looking.data
  const good = preview?.items.filter((each) => each.ok).length ?? 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    if (preview === undefined) looking.mutate()
    else if (good > 0) adding.mutate(undefined, { onSuccess: (done) => isWhole(done) && onClose() })
  }
  return (
    <form {...focus} className={styles.adding} onSubmit={submit} aria-label="Add servers from JSON">
      <Property
        label="JSON"
        htmlFor={id}
        wide
        hint="As documentation gives it for Claude Desktop, Cursor or VS Code. No program starts before you have confirmed its command."
      >
        <TextArea
          id={id}
          value={text}
          onChange={change}
          rows={8}
          placeholder={example}
          spellCheck={false}
          autoComplete="off"
          mono
        />
      </Property>
      {looking.isError && <ErrorNote error={looking.error} />}
      {adding.isError && <ErrorNote error={adding.error} />}
      <Entries imported={adding.data ?? preview} isDone={adding.data !== undefined} />
      <div className={styles.buttons}>
        {adding.data === undefined && (
          <Button
            type="submit"
            variant="primary"
            disabled={
              text.trim() === '' ||
              looking.isPending ||
              adding.isPending ||
              (preview !== undefined && good === 0)
            }
          >
            {preview === undefined
              ? 'Show what it adds'
              : `Add ${good === 1 ? '1 server' : `${good} servers`}`}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {adding.data === undefined ? 'Cancel' : 'Close'}
        </Button>
      </div>
    </form>
  )
}

function isWhole({ items }: McpImport): boolean {
  return items.every((each) => each.ok)
}

function Entries({ imported, isDone }: { imported: McpImport | undefined; isDone: boolean }) {
  if (imported === undefined) return null
  if (imported.items.length === 0) return <p className={styles.quiet}>There is no server in this JSON.</p>
  return (
    <ul className={own.entries} aria-label={isDone ? 'What was added' : 'What would be added'}>
      {imported.items.map((each) => (
        <Entry key={each.entry} entry={each} />
      ))}
    </ul>
  )
}

function Entry({ entry }: { entry: ImportedMcpServer }) {
  if (!entry.ok)
    return (
      <li className={own.entry} data-error="">
        <Icon name="circle-x" size={14} />
        <div>
          <b>{visible(entry.entry)}</b>
          <p>{visible(entry.error)}</p>
        </div>
      </li>
    )
  const { name, reach, taken, notes } = entry
  return (
    <li className={own.entry}>
      <Icon name={reach.transport === 'http' ? 'globe' : 'square-code'} size={14} />
      <div>
        <b>{name}</b>
        <code>{visible(reachLine(reach))}</code>
        {taken.map((each) => (
          <p key={each.name}>{secretWords(each)}</p>
        ))}
        {notes.map((note) => (
          <p key={note}>{visible(note)}</p>
        ))}
      </div>
    </li>
  )
}

function secretWords({ name, at }: TakenSecret): string {
  return `The value of ${at} becomes the secret ${name}.`
}
