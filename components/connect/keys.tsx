'use client'
/** The list of an agent's keys, with what each has used of its limits; made and revoked here. */
import { useRef, useState } from 'react'
import { moment } from '#components/run/when'
import { Chip, Skeleton } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import shared from '#components/ui/shared.module.css'
import type { AgentKeyView } from '#lib/wire/agent-keys'
import styles from './connect.module.css'
import { KeyForm } from './key-form'
import { expiryWords, isExpired, lastUseWords, spendWords, useLabels } from './key-words'
import { type FreshKey, type useKeys, useMakeKey, useRevokeKey } from './use-keys'

interface KeysProps {
  readonly agentId: string
  readonly keys: ReturnType<typeof useKeys>
  onMade(key: FreshKey): void
  onRevoked(id: string): void
}

export function Keys({ agentId, keys, onMade, onRevoked }: KeysProps) {
  const [isAdding, setAdding] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const making = useMakeKey(agentId, (made) => {
    setAdding(false)
    onMade(made)
  })
  const items = keys.data?.items
  return (
    <>
      {keys.isPending && <Skeleton height={52} />}
      {keys.isError && <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />}
      {items?.length === 0 && !isAdding && (
        <p className={shared.quiet}>
          No keys yet. Without one, this agent can be used only by whoever has the access to this server.
        </p>
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={styles.list} aria-label="Keys">
          {items.map((each) => (
            <KeyRow key={each.id} agentId={agentId} row={each} onRevoked={onRevoked} />
          ))}
        </ul>
      )}
      {isAdding ? (
        <KeyForm
          isBusy={making.isPending}
          error={making.error}
          opener={opener}
          onMake={(body) => making.mutate(body)}
          onClose={() => {
            making.reset()
            setAdding(false)
          }}
        />
      ) : (
        <div>
          <Button ref={opener} icon="plus" onClick={() => setAdding(true)}>
            Make a key
          </Button>
        </div>
      )}
    </>
  )
}

interface KeyRowProps {
  readonly agentId: string
  readonly row: AgentKeyView
  onRevoked(id: string): void
}

function KeyRow({ agentId, row, onRevoked }: KeyRowProps) {
  const [isAsked, setAsked] = useState(false)
  const now = Date.now()
  const expired = isExpired(row, now)
  const expiry = expiryWords(row, now)
  return (
    <li className={styles.key} aria-label={row.name}>
      <Icon name="key-round" size={14} />
      <div className={styles.about}>
        <p className={styles.names}>
          <b title={row.name}>
            <Line text={row.name} />
          </b>
          <Chip tone={expired ? 'error' : 'line'}>{useLabels[row.use]}</Chip>
          <code>…{row.hint}</code>
        </p>
        <p className={styles.figures}>
          <span>{lastUseWords(row, now)}</span>
          <span>{spendWords(row)}</span>
          <span>at most {row.requestsPerMinute} requests a minute</span>
          {expiry !== null && (
            <span
              data-expired={expired || undefined}
              title={row.expiresAt === null ? undefined : moment(row.expiresAt, now)}
            >
              {expiry}
            </span>
          )}
        </p>
      </div>
      <IconButton icon="trash-2" size="s" label={`Revoke ${row.name}`} onClick={() => setAsked(true)} />
      {isAsked && (
        <RevokeDialog agentId={agentId} row={row} onRevoked={onRevoked} onClose={() => setAsked(false)} />
      )}
    </li>
  )
}

function RevokeDialog({ agentId, row, onRevoked, onClose }: KeyRowProps & { onClose(): void }) {
  const revoking = useRevokeKey(agentId, (id) => {
    onClose()
    onRevoked(id)
  })
  return (
    <RemovalDialog
      title={`Revoke “${row.name}”?`}
      verb="Revoke"
      isPending={revoking.isPending}
      error={revoking.error}
      onRemove={() => revoking.mutate(row.id)}
      onClose={onClose}
    >
      <p>
        It stops working at once and cannot be restored. The threads and runs that were begun with it stay
        here.
      </p>
    </RemovalDialog>
  )
}
