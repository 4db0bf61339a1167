'use client'
/** A connection to PostgreSQL: where it is, the role that reads, encryption, and a second role that may write. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useId, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { Button } from '#components/ui/button'
import { Property, Select, Switch, TextArea } from '#components/ui/field'
import { describeError, ErrorNote } from '#components/ui/notice'
import { NumberProperty } from '#components/ui/number-property'
import { useFormFocus } from '#components/ui/use-form-focus'
import type { DatabaseView, PasswordView, PostgresTlsChoice } from '#lib/wire/databases'
import {
  type ConnectionDraft,
  connectionIn,
  draftOf,
  emptyDraft,
  faultsOf,
  isComplete,
  tlsOf,
  usualPort,
  usualSeconds,
} from './connection-draft'
import { DatabaseFindings } from './database-test'
import { SecondsProperty, SecretProperty, TextProperty } from './properties'
import styles from './settings.module.css'
import { useRefreshDatabases } from './use-refresh-databases'

interface ConnectionFormProps {
  /** Absent for a new connection. */
  readonly database?: DatabaseView
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

export function ConnectionForm({ database, opener, onClose }: ConnectionFormProps) {
  const refresh = useRefreshDatabases()
  const focus = useFormFocus(opener, onClose)
  const connection = database?.connection
  const [draft, setDraft] = useState<ConnectionDraft>(
    database && connection ? draftOf(database.name, connection) : emptyDraft,
  )
  const change = (part: Partial<ConnectionDraft>) => setDraft({ ...draft, ...part })
  const name = draft.name.trim()
  const saving = useMutation({
    mutationFn: () => api.databases.connect(name, connectionIn(draft)),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  const testing = useMutation({
    mutationFn: () => api.databases.test(name, { connection: connectionIn(draft) }),
  })
  const isReady = isComplete(draft)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) saving.mutate()
  }
  const refused = saving.error instanceof ApiError ? saving.error.path : undefined
  const fault = (field: string) => (refused === field ? describeError(saving.error).what : undefined)
  const isPlaced = ['name', 'host', 'port', 'database', 'user', 'password', 'write/user', 'write/password']
  return (
    <form
      {...focus}
      className={database === undefined ? styles.fields : styles.edit}
      onSubmit={submit}
      aria-label={database === undefined ? 'Add a PostgreSQL database' : `Edit ${database.name}`}
    >
      <Place draft={draft} isNew={database === undefined} onChange={change} fault={fault} />
      <RoleFields
        labels={{ user: 'Role', password: 'Password' }}
        user={draft.user}
        password={draft.password}
        stored={connection?.password ?? null}
        hint="A role that can only read. Superusers, and roles that reach files of the server, are refused."
        onUser={(user) => change({ user })}
        onPassword={(password) => change({ password })}
        error={{ user: fault('user'), password: fault('password') }}
      />
      <More draft={draft} onChange={change} />
      <Writing
        draft={draft}
        stored={connection?.write?.password ?? null}
        onChange={change}
        error={{ user: fault('write/user'), password: fault('write/password') }}
      />
      {testing.isError && <ErrorNote error={testing.error} />}
      {testing.data !== undefined && <DatabaseFindings test={testing.data} />}
      {saving.isError && !isPlaced.includes(refused ?? '') && <ErrorNote error={saving.error} />}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" disabled={!isReady || saving.isPending}>
          {database === undefined ? 'Add database' : 'Save'}
        </Button>
        <Button disabled={!isReady || testing.isPending} onClick={() => testing.mutate()}>
          {testing.isPending ? 'Testing…' : 'Test'}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

interface PlaceProps {
  readonly draft: ConnectionDraft
  readonly isNew: boolean
  onChange(part: Partial<ConnectionDraft>): void
  fault(field: string): string | undefined
}

function Place({ draft, isNew, onChange, fault }: PlaceProps) {
  const faults = faultsOf(draft)
  return (
    <>
      {isNew && (
        <TextProperty
          label="Name"
          hint="The name agents use, as in sales-2025."
          error={faults.name ?? fault('name')}
          value={draft.name}
          onChange={(name) => onChange({ name })}
        />
      )}
      <TextProperty
        label="Host"
        hint="The server’s name or address, as in db.example.com."
        error={faults.host ?? fault('host')}
        value={draft.host}
        onChange={(host) => onChange({ host })}
        mono
      />
      <NumberProperty
        label="Port"
        error={faults.port ?? fault('port')}
        value={draft.port}
        onChange={(port) => onChange({ port })}
        placeholder={String(usualPort)}
        min={1}
        max={65_535}
        fallback={usualPort}
      />
      <TextProperty
        label="Database"
        hint="The name of the database on that server."
        error={fault('database')}
        value={draft.database}
        onChange={(database) => onChange({ database })}
        mono
      />
    </>
  )
}

interface RoleFieldsProps {
  readonly labels: { readonly user: string; readonly password: string }
  readonly user: string
  readonly password: string
  readonly stored: PasswordView
  readonly hint: string
  readonly error: { readonly user: string | undefined; readonly password: string | undefined }
  onUser(user: string): void
  onPassword(password: string): void
}

function RoleFields({ labels, user, password, stored, hint, error, onUser, onPassword }: RoleFieldsProps) {
  const kept =
    stored && `${stored.hint === '' ? 'The stored one' : `…${stored.hint}`} is kept; type to replace it`
  return (
    <>
      <TextProperty label={labels.user} hint={hint} error={error.user} value={user} onChange={onUser} mono />
      <SecretProperty
        label={labels.password}
        error={error.password ?? stored?.problem}
        hint="Stored encrypted on this server, sent only to this address, never shown again."
        value={password}
        onChange={onPassword}
        placeholder={kept ?? ''}
      />
    </>
  )
}

const encryptions: readonly { value: PostgresTlsChoice; label: string }[] = [
  { value: 'verify', label: 'Encrypted, certificate checked' },
  { value: 'unverified', label: 'Encrypted, certificate not checked' },
  { value: 'off', label: 'Not encrypted' },
]

const encryptionHints: Readonly<Record<PostgresTlsChoice, string>> = {
  verify: 'The server must prove that it is this host.',
  unverified: 'Whoever answers at this address gets the password and the rows.',
  off: 'Anyone on the network between can read the password and the rows. Fine on this machine.',
}

function More({ draft, onChange }: Pick<PlaceProps, 'draft' | 'onChange'>) {
  const id = useId()
  const tls = tlsOf(draft)
  const faults = faultsOf(draft)
  return (
    <>
      <Property label="Encryption" htmlFor={`${id}-tls`} hint={encryptionHints[tls]}>
        <Select
          id={`${id}-tls`}
          value={tls}
          onChange={(value) => onChange({ tls: encryptions.find((each) => each.value === value)?.value })}
          options={encryptions}
        />
      </Property>
      <details className={styles.more} open={draft.certificate !== '' || undefined}>
        <summary>More</summary>
        <Property
          label="Certificate"
          htmlFor={`${id}-certificate`}
          error={faults.certificate}
          hint="The certificate of the authority that signed the server’s, in PEM, if this machine does not know it."
        >
          <TextArea
            id={`${id}-certificate`}
            value={draft.certificate}
            onChange={(certificate) => onChange({ certificate })}
            rows={3}
            spellCheck={false}
            mono
          />
        </Property>
        <SecondsProperty
          label="Time limit"
          hint="The longest time that the server works on one statement."
          error={faults.statementSeconds}
          value={draft.statementSeconds}
          usual={usualSeconds}
          onChange={(statementSeconds) => onChange({ statementSeconds })}
        />
      </details>
    </>
  )
}

function Writing({
  draft,
  stored,
  onChange,
  error,
}: Pick<PlaceProps, 'draft' | 'onChange'> & Pick<RoleFieldsProps, 'stored' | 'error'>) {
  const id = useId()
  return (
    <>
      <Property
        label="Writing"
        htmlFor={`${id}-write`}
        hint="Lets the tool sql.write change rows, by a second role. A person is asked before each change."
      >
        <Switch
          id={`${id}-write`}
          checked={draft.mayWrite}
          onChange={(mayWrite) => onChange({ mayWrite })}
          label="Writing"
        />
      </Property>
      {draft.mayWrite && (
        <RoleFields
          labels={{ user: 'Writing role', password: 'Its password' }}
          user={draft.writeUser}
          password={draft.writePassword}
          stored={stored}
          hint="A role that may change the rows agents should be able to change, and no others."
          onUser={(writeUser) => onChange({ writeUser })}
          onPassword={(writePassword) => onChange({ writePassword })}
          error={error}
        />
      )}
    </>
  )
}
