'use client'
/** Adds an MCP server or edits one: a program with its surroundings, or an address with its headers. */
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { ApiError } from '#components/data/client'
import { useSaveMcpServer } from '#components/data/mcp'
import { Button } from '#components/ui/button'
import { Property, Switch } from '#components/ui/field'
import { describeError, ErrorNote } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import { useFormFocus } from '#components/ui/use-form-focus'
import type { McpServerView } from '#lib/wire/mcp-servers'
import { LinesProperty, SecondsProperty, TextProperty } from '../properties'
import styles from '../settings.module.css'
import own from './mcp.module.css'
import {
  draftOfServer,
  emptyDraft,
  faultsOf,
  isComplete,
  type McpDraft,
  type McpFaults,
  saveRequestOf,
  splitCommand,
  usualTimeout,
} from './mcp-draft'
import { Note } from './note'

export interface ServerFormProps {
  /** Absent for a new server. */
  readonly server?: McpServerView
  /** Names that other servers have. */
  readonly taken: readonly string[]
  /** Programs are turned off on this installation. */
  readonly noStdio: boolean
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
  onSaved(server: McpServerView): void
}

export function ServerForm({ server, taken, noStdio, opener, onClose, onSaved }: ServerFormProps) {
  const focus = useFormFocus(opener, onClose)
  const [draft, setDraft] = useState<McpDraft>(() =>
    server === undefined
      ? { ...emptyDraft, transport: noStdio ? 'http' : 'stdio' }
      : draftOfServer(server.name, server.reach, server.timeoutSeconds),
  )
  const saving = useSaveMcpServer(server?.name)
  const faults = faultsOf(draft, taken)
  const isReady = isComplete(draft) && Object.keys(faults).length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady || saving.isPending) return
    saving.mutate(
      { name: draft.name.trim(), ...saveRequestOf(draft) },
      {
        onSuccess: ({ server: saved }) => {
          onClose()
          onSaved(saved)
        },
      },
    )
  }
  const refused = fieldOf(saving.error)
  const shown = refused === undefined ? faults : { ...faults, [refused]: describeError(saving.error).what }
  const change = (part: Partial<McpDraft>) => {
    saving.reset()
    setDraft({ ...draft, ...part })
  }
  return (
    <form
      {...focus}
      className={server === undefined ? styles.adding : styles.edit}
      onSubmit={submit}
      aria-label={server === undefined ? 'Add an MCP server' : `Edit ${server.name}`}
    >
      <Fields draft={draft} faults={shown} isNew={server === undefined} noStdio={noStdio} onChange={change} />
      {server?.command?.consent != null && <ChangedCommand draft={draft} server={server} />}
      {saving.isError && refused === undefined && <ErrorNote error={saving.error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || saving.isPending}>
          {saving.isPending ? 'Saving…' : server === undefined ? 'Add' : 'Save'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** A changed command is a new server to its person. */
function ChangedCommand({ draft, server }: { draft: McpDraft; server: McpServerView }) {
  const before = saveRequestOf(draftOfServer(server.name, server.reach, server.timeoutSeconds)).reach
  if (JSON.stringify(saveRequestOf(draft).reach) === JSON.stringify(before)) return null
  return (
    <Note icon="shield-question-mark">
      With these changes it counts as a new server: you confirm the command again, and look at its tools
      again.
    </Note>
  )
}

/** The field that the server's refusal is about. */
function fieldOf(error: unknown): keyof McpFaults | undefined {
  const path = error instanceof ApiError ? (error.path ?? '') : ''
  if (path === 'name' || path === 'timeoutSeconds') return path
  const field = /^reach\/(command|env|read|write|url|headers)\b/.exec(path)?.[1]
  return field as keyof McpFaults | undefined // cast: the pattern allows only these fields
}

interface FieldsProps {
  readonly draft: McpDraft
  readonly faults: McpFaults
  readonly isNew: boolean
  readonly noStdio: boolean
  onChange(part: Partial<McpDraft>): void
}

function Fields({ draft, faults, isNew, noStdio, onChange }: FieldsProps) {
  return (
    <>
      {isNew && (
        <>
          <TextProperty
            label="Name"
            hint="Its tools are called by it, as in files.read for a server “files”."
            error={faults.name}
            value={draft.name}
            onChange={(name) => onChange({ name })}
          />
          <Property label="Kind" hint={noStdio ? 'Programs are turned off on this installation.' : undefined}>
            <Segmented
              label="Kind"
              value={draft.transport}
              onChange={(transport) => onChange({ transport: transport === 'http' ? 'http' : 'stdio' })}
              options={[
                ...(noStdio ? [] : [{ value: 'stdio', label: 'Program on this machine' }]),
                { value: 'http', label: 'Address' },
              ]}
            />
          </Property>
        </>
      )}
      {draft.transport === 'http' ? (
        <AddressFields draft={draft} faults={faults} onChange={onChange} />
      ) : (
        <ProgramFields draft={draft} faults={faults} onChange={onChange} />
      )}
      <SecondsProperty
        label="Time limit"
        hint="How long one call may take."
        error={faults.timeoutSeconds}
        value={draft.timeoutSeconds}
        usual={usualTimeout}
        onChange={(timeoutSeconds) => onChange({ timeoutSeconds })}
      />
    </>
  )
}

interface PartProps {
  readonly draft: McpDraft
  readonly faults: McpFaults
  onChange(part: Partial<McpDraft>): void
}

const secretsHint =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: settings name their secrets in this way
  'Values that look like secrets are stored encrypted and replaced by ${NAME}. Write ${NAME} yourself to use a secret that you have.'

function AddressFields({ draft, faults, onChange }: PartProps) {
  return (
    <>
      <TextProperty
        label="Address"
        hint="As the service gives it, as in https://mcp.example.com/mcp. If it asks for a sign-in, that comes next."
        error={faults.url}
        value={draft.url}
        onChange={(url) => onChange({ url })}
        mono
        inputMode="url"
      />
      <LinesProperty
        label="Headers"
        hint={`Sent with each request, one a line, as in X-Api-Key: abc. ${secretsHint}`}
        error={faults.headers}
        value={draft.headers}
        onChange={(headers) => onChange({ headers })}
      />
    </>
  )
}

function ProgramFields({ draft, faults, onChange }: PartProps) {
  const id = useId()
  const split = draft.args.trim() === '' ? splitCommand(draft.command) : undefined
  return (
    <>
      <TextProperty
        label="Program"
        hint="Its name in PATH, or its whole path, as in npx."
        error={faults.command}
        value={draft.command}
        onChange={(command) => onChange({ command })}
        mono
      />
      {split !== undefined && (
        <div className={own.split}>
          <span>This looks like a whole command.</span>
          <Button size="s" onClick={() => onChange(split)}>
            Split it into program and arguments
          </Button>
        </div>
      )}
      <LinesProperty
        label="Arguments"
        hint="One a line, without quotes."
        value={draft.args}
        onChange={(args) => onChange({ args })}
      />
      <LinesProperty
        label="Environment"
        hint={`One a line, as in LOG_LEVEL=info. It gets these, PATH, LANG and a HOME of its own, and nothing else. ${secretsHint}`}
        error={faults.env}
        value={draft.env}
        onChange={(env) => onChange({ env })}
      />
      <Property
        label="Network"
        htmlFor={`${id}-network`}
        hint="Off, it reaches neither the internet nor this machine’s services. Programs started with npx or uvx need it."
      >
        <Switch
          id={`${id}-network`}
          label="Network"
          checked={draft.network}
          onChange={(network) => onChange({ network })}
        />
      </Property>
      <LinesProperty
        label="May read"
        hint="Folders of this machine, one a line. None, unless you list them."
        error={faults.read}
        value={draft.read}
        onChange={(read) => onChange({ read })}
      />
      <LinesProperty
        label="May change"
        hint="Folders that it may also write in, one a line."
        error={faults.write}
        value={draft.write}
        onChange={(write) => onChange({ write })}
      />
    </>
  )
}
