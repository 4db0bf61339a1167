'use client'
/** The databases that SQL tools may use: the sample, files, and connections to PostgreSQL. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Property, Switch } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { describeError, ErrorNote } from '#components/ui/notice'
import { Segmented } from '#components/ui/segmented'
import { useFormFocus } from '#components/ui/use-form-focus'
import type { DatabaseView } from '#lib/wire/databases'
import { ConnectionForm } from './connection-form'
import { DatabaseFindings } from './database-test'
import { problemOf, whereIs } from './database-words'
import { TextProperty } from './properties'
import { RemoveDatabase } from './remove-database'
import { EditButton, RemoveButton } from './row-buttons'
import styles from './settings.module.css'
import { databasesKey, useRefreshDatabases } from './use-refresh-databases'

export function Databases() {
  const databases = useQuery({
    queryKey: databasesKey,
    queryFn: ({ signal }) => api.databases.list(signal),
  })
  return (
    <>
      {databases.isPending && <Skeleton height={36} />}
      {databases.isError && <ErrorNote error={databases.error} onRetry={() => void databases.refetch()} />}
      {databases.data !== undefined && (
        <ul className={styles.list} aria-label="Databases">
          {databases.data.items.map((each) => (
            <DatabaseRow key={each.name} database={each} />
          ))}
        </ul>
      )}
      <AddDatabase />
    </>
  )
}

function DatabaseRow({ database }: { database: DatabaseView }) {
  const { name, sample, connection, writable } = database
  const [isEdited, setEdited] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const testing = useMutation({ mutationFn: () => api.databases.test(name, {}) })
  const problem = problemOf(database)
  const mayWrite = writable === true || (connection !== undefined && connection.write !== null)
  return (
    <li className={styles.block} aria-label={name}>
      <div className={styles.item}>
        <Icon name="database" size={14} />
        <b>{name}</b>
        <span className={styles.where} title={whereIs(database)}>
          {whereIs(database)}
        </span>
        {mayWrite && <span className={styles.state}>may be written</span>}
        <Button size="s" disabled={testing.isPending} onClick={() => testing.mutate()}>
          {testing.isPending ? <Spinner size={12} /> : null}
          Test
        </Button>
        {connection !== undefined && (
          <EditButton name={name} isOpen={isEdited} opener={opener} onToggle={() => setEdited(!isEdited)} />
        )}
        {!sample && <RemoveButton name={name} onRemove={() => setAsked(true)} />}
      </div>
      {problem !== undefined && !isEdited && <p className={styles.advice}>{problem}</p>}
      {testing.isError && <ErrorNote error={testing.error} />}
      {testing.data !== undefined && !isEdited && (
        <div className={styles.found}>
          <DatabaseFindings test={testing.data} />
        </div>
      )}
      {isEdited && <ConnectionForm database={database} opener={opener} onClose={() => setEdited(false)} />}
      {isAsked && <RemoveDatabase database={database} onClose={() => setAsked(false)} />}
    </li>
  )
}

type Kind = 'sqlite' | 'postgresql'

function AddDatabase() {
  const [isOpen, setOpen] = useState(false)
  const [kind, setKind] = useState<Kind>('sqlite')
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  if (!isOpen)
    return (
      <div>
        <Button ref={opener} icon="plus" onClick={() => setOpen(true)}>
          Add a database
        </Button>
      </div>
    )
  return (
    <div className={styles.adding}>
      <Segmented<Kind>
        label="Kind of database"
        value={kind}
        onChange={setKind}
        options={[
          { value: 'sqlite', label: 'SQLite file' },
          { value: 'postgresql', label: 'PostgreSQL' },
        ]}
      />
      {kind === 'sqlite' ? (
        <NewFile opener={opener} onClose={close} />
      ) : (
        <ConnectionForm opener={opener} onClose={close} />
      )}
    </div>
  )
}

function NewFile({ opener, onClose }: { opener: RefObject<HTMLElement | null>; onClose(): void }) {
  const refresh = useRefreshDatabases()
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState('')
  const [path, setPath] = useState('')
  const [writable, setWritable] = useState(false)
  const adding = useMutation({
    mutationFn: api.databases.register,
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate({ name: name.trim(), path: path.trim(), ...(writable && { writable }) })
  }
  const { error } = adding
  const place = error instanceof ApiError ? error.path : undefined
  const fault = (field: string) => (place === field ? describeError(error).what : undefined)
  return (
    <form {...focus} className={styles.fields} onSubmit={submit} aria-label="Add a database">
      <TextProperty
        label="Name"
        hint="The name agents use, as in sales-2025."
        error={fault('name')}
        value={name}
        onChange={setName}
      />
      <TextProperty
        label="File"
        hint="The absolute path of a SQLite file, as in /home/me/sales.db."
        error={fault('path')}
        value={path}
        onChange={setPath}
        mono
      />
      <Property
        label="Writing"
        htmlFor="database-writable"
        hint="Lets the tool sql.write change rows. A person is asked before each change. All other tools open the file read-only."
      >
        <Switch id="database-writable" checked={writable} onChange={setWritable} label="Writing" />
      </Property>
      {error !== null && place !== 'name' && place !== 'path' && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          variant="primary"
          disabled={name.trim() === '' || path.trim() === '' || adding.isPending}
        >
          Add database
        </Button>
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
