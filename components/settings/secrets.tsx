'use client'
/**
 * The secrets of this server: they can be written but not read, and each is sent only to its permitted
 * origins.
 */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import shared from '#components/ui/shared.module.css'
import type { SaveSecret, SecretView } from '#lib/wire/secrets'
import { EditButton, RemoveButton } from './row-buttons'
import { SecretForm } from './secret-form'
import { listUsers, removalEffect } from './secret-words'
import styles from './settings.module.css'
import { secretsKey, useRefreshKeys } from './use-refresh-keys'

export function Secrets() {
  const secrets = useQuery({ queryKey: secretsKey, queryFn: ({ signal }) => api.secrets.list(signal) })
  return (
    <>
      {secrets.isPending && <Skeleton height={36} />}
      {secrets.isError && <ErrorNote error={secrets.error} onRetry={() => void secrets.refetch()} />}
      {secrets.data !== undefined && <Listed secrets={secrets.data.items} />}
    </>
  )
}

function Listed({ secrets }: { secrets: readonly SecretView[] }) {
  const [isAdding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      {secrets.length === 0 && !isAdding && (
        <p className={styles.quiet}>No secrets yet. Keys that you enter under Models appear here too.</p>
      )}
      {secrets.length > 0 && (
        <ul className={styles.list} aria-label="Secrets">
          {secrets.map((each) => (
            <SecretRow key={each.name} secret={each} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <NewSecret
          taken={secrets.map((each) => each.name)}
          opener={opener}
          onClose={() => setAdding(false)}
        />
      ) : (
        <div>
          <Button ref={opener} icon="plus" onClick={() => setAdding(true)}>
            Add a secret
          </Button>
        </div>
      )}
    </>
  )
}

function useSaveSecret(onDone: () => void) {
  const refresh = useRefreshKeys()
  return useMutation({
    mutationFn: ({ name, body }: { name: string; body: SaveSecret }) => api.secrets.save(name, body),
    onSuccess: async () => {
      onDone()
      await refresh()
    },
  })
}

interface NewSecretProps {
  readonly taken: readonly string[]
  readonly opener: RefObject<HTMLElement | null>
  onClose(): void
}

function NewSecret({ taken, opener, onClose }: NewSecretProps) {
  const saving = useSaveSecret(onClose)
  return (
    <SecretForm
      taken={taken}
      isBusy={saving.isPending}
      error={saving.error}
      opener={opener}
      onSave={(name, body) => saving.mutate({ name, body })}
      onClose={onClose}
    />
  )
}

function SecretRow({ secret }: { secret: SecretView }) {
  const { name, hint, origins, usedBy } = secret
  const [isEdited, setEdited] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const saving = useSaveSecret(() => setEdited(false))
  return (
    <li className={styles.block} aria-label={name}>
      <div className={styles.item} data-kind="secret">
        <Icon name="key-round" size={14} />
        <b className={styles.label} title={name}>
          {name}
        </b>
        <span className={styles.where} title={origins.join('\n')}>
          <code>{hint === '' ? 'kept' : `…${hint.replace(/^…/, '')}`}</code>
          <span className={styles.keyHint}>
            {origins.length === 0 ? 'not sent anywhere yet' : `sent only to ${origins.join(', ')}`}
          </span>
        </span>
        {usedBy.length > 0 && (
          <span className={styles.state} title={`Used by ${listUsers(usedBy)}`}>
            <span className={shared.cut}>used by {listUsers(usedBy)}</span>
          </span>
        )}
        <EditButton name={name} isOpen={isEdited} opener={opener} onToggle={() => setEdited(!isEdited)} />
        <RemoveButton name={name} onRemove={() => setAsked(true)} />
      </div>
      {isEdited && (
        <SecretForm
          secret={secret}
          taken={[]}
          isBusy={saving.isPending}
          error={saving.error}
          opener={opener}
          onSave={(_, body) => saving.mutate({ name, body })}
          onClose={() => setEdited(false)}
        />
      )}
      {isAsked && <RemoveSecret secret={secret} onClose={() => setAsked(false)} />}
    </li>
  )
}

function RemoveSecret({ secret: { name, usedBy }, onClose }: { secret: SecretView; onClose(): void }) {
  const refresh = useRefreshKeys()
  const removal = useMutation({
    mutationFn: () => api.secrets.remove(name),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  return (
    <RemovalDialog
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate()}
      onClose={onClose}
    >
      <p>Its value is deleted for good. {removalEffect(usedBy)}</p>
    </RemovalDialog>
  )
}
