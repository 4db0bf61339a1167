'use client'
/** The databases that SQL tools may read: the sample, and files that a person registers by name. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type RefObject, useRef, useState } from 'react'
import { ApiError, api } from '#components/data/client'
import { Skeleton } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { describeError, ErrorNote } from '#components/ui/notice'
import { useFormFocus } from '#components/ui/use-form-focus'
import type { DatabaseView } from '#lib/wire/databases'
import { TextProperty } from './properties'
import styles from './settings.module.css'

const queryKey = ['databases']

export function Databases() {
  const client = useQueryClient()
  const databases = useQuery({ queryKey, queryFn: ({ signal }) => api.databases.list(signal) })
  const removal = useMutation({
    mutationFn: (name: string) => api.databases.remove(name),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  return (
    <>
      {databases.isPending && <Skeleton height={36} />}
      {databases.isError && <ErrorNote error={databases.error} onRetry={() => void databases.refetch()} />}
      {databases.data !== undefined && (
        <ul className={styles.list} aria-label="Databases">
          {databases.data.items.map((each) => (
            <DatabaseRow
              key={each.name}
              database={each}
              isBusy={removal.isPending && removal.variables === each.name}
              onRemove={() => removal.mutate(each.name)}
            />
          ))}
        </ul>
      )}
      {removal.isError && <ErrorNote error={removal.error} />}
      <AddDatabase />
    </>
  )
}

function DatabaseRow({
  database: { name, path, sample },
  isBusy,
  onRemove,
}: {
  database: DatabaseView
  isBusy: boolean
  onRemove(): void
}) {
  return (
    <li className={styles.item}>
      <Icon name="database" size={14} />
      <b>{name}</b>
      <span className={styles.where} title={path ?? undefined}>
        {path ?? 'The sample that comes with Loopwright: customers, products, invoices'}
      </span>
      {!sample && (
        <IconButton
          icon="trash-2"
          size="s"
          label={`Remove ${name} from this list. The file itself is not deleted.`}
          disabled={isBusy}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

function AddDatabase() {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (isOpen) return <NewDatabase opener={opener} onClose={() => setOpen(false)} />
  return (
    <div>
      <Button ref={opener} icon="plus" onClick={() => setOpen(true)}>
        Add a database
      </Button>
    </div>
  )
}

function NewDatabase({ opener, onClose }: { opener: RefObject<HTMLElement | null>; onClose(): void }) {
  const client = useQueryClient()
  const focus = useFormFocus(opener, onClose)
  const [name, setName] = useState('')
  const [path, setPath] = useState('')
  const adding = useMutation({
    mutationFn: api.databases.register,
    onSuccess: async () => {
      onClose()
      await client.invalidateQueries({ queryKey })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    adding.mutate({ name: name.trim(), path: path.trim() })
  }
  const { error } = adding
  const place = error instanceof ApiError ? error.path : undefined
  const fault = (field: string) => (place === field ? describeError(error).what : undefined)
  return (
    <form {...focus} className={styles.adding} onSubmit={submit} aria-label="Add a database">
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
