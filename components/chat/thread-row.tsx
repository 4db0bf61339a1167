'use client'
/** One thread in the list; it is renamed in place, and deleted after a confirmation. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { chatKeys } from '#components/data/threads'
import { Spinner } from '#components/ui/bits'
import { TextField } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Menu } from '#components/ui/menu'
import { describeError } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import { ago } from '#components/ui/when'
import { lineOf } from '#lib/spec/line'
import type { ThreadSummary } from '#lib/wire/threads'
import styles from './threads.module.css'

export interface ThreadRowProps {
  readonly thread: ThreadSummary
  readonly isShown: boolean
  /** What its last run is doing; null if it is over. */
  readonly doing: 'working' | 'waiting' | null
  readonly canRemove: boolean
  onShow(): void
  onRemoved(): void
}

/** The title of a thread without a question. */
const unnamed = 'New thread'

export function ThreadRow({ thread, isShown, doing, canRemove, onShow, onRemoved }: ThreadRowProps) {
  const [isNamed, setNamed] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const title = thread.title === '' ? unnamed : thread.title
  const wasNamed = useRef(false)
  useEffect(() => {
    // The focused field is gone: the row takes the focus, unless the person has moved it elsewhere.
    if (wasNamed.current && !isNamed && document.activeElement === document.body) row.current?.focus()
    wasNamed.current = isNamed
  }, [isNamed])
  if (isNamed) {
    return (
      <li className={styles.row}>
        <Naming thread={thread} onDone={() => setNamed(false)} />
      </li>
    )
  }
  return (
    <li className={styles.row} data-shown={isShown || undefined}>
      <button
        ref={row}
        type="button"
        className={styles.thread}
        aria-current={isShown ? 'page' : undefined}
        title={lineOf(title)}
        onClick={onShow}
        onDoubleClick={() => setNamed(true)}
        onKeyDown={(event) => {
          if (event.key === 'F2') setNamed(true)
          if (event.key === 'Delete' && canRemove) setAsked(true)
        }}
      >
        {doing === 'working' && <Spinner size={12} />}
        {doing === 'waiting' && (
          <span role="img" aria-label="Waits for you" className={styles.hand}>
            <Icon name="hand" size={14} />
          </span>
        )}
        <span className={styles.title}>
          <Line text={title} />
        </span>
        <span className={styles.when}>{ago(thread.updatedAt, Date.now())}</span>
      </button>
      <Menu
        label={`More for ${title}`}
        size="s"
        items={[
          { label: 'Rename', icon: 'pencil', run: () => setNamed(true) },
          ...(canRemove
            ? [{ label: 'Delete', icon: 'trash-2', danger: true, run: () => setAsked(true) }]
            : []),
        ]}
      />
      {isAsked && <Removal thread={thread} onClose={() => setAsked(false)} onRemoved={onRemoved} />}
    </li>
  )
}

function Naming({ thread, onDone }: { thread: ThreadSummary; onDone(): void }) {
  const client = useQueryClient()
  const [title, setTitle] = useState(thread.title)
  const field = useRef<HTMLFormElement>(null)
  useEffect(() => field.current?.querySelector('input')?.select(), [])
  const saving = useMutation({
    mutationFn: (text: string) => api.threads.rename(thread.id, { title: text }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: chatKeys.threads(thread.agentId) })
      onDone()
    },
  })
  const keep = () => {
    const text = title.trim()
    if (text === '' || text === thread.title) onDone()
    else if (!saving.isPending) saving.mutate(text)
  }
  return (
    <form
      ref={field}
      className={styles.naming}
      onSubmit={(event) => {
        event.preventDefault()
        keep()
      }}
    >
      <TextField
        value={title}
        onChange={setTitle}
        maxLength={200}
        aria-label="Name of the thread"
        invalid={saving.isError}
        onBlur={keep}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          onDone()
        }}
      />
      {saving.isError && <p role="alert">{describeError(saving.error).what}</p>}
    </form>
  )
}

function Removal({
  thread,
  onClose,
  onRemoved,
}: {
  thread: ThreadSummary
  onClose(): void
  onRemoved(): void
}) {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => api.threads.remove(thread.id),
    onSuccess: () => {
      onClose()
      onRemoved()
      client.removeQueries({ queryKey: chatKeys.thread(thread.id) })
      return client.invalidateQueries({ queryKey: chatKeys.threads(thread.agentId) })
    },
  })
  return (
    <RemovalDialog
      title={`Delete “${thread.title === '' ? unnamed : thread.title}”?`}
      verb="Delete"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate()}
      onClose={onClose}
    >
      <p>Its questions and answers, with their runs and files, are deleted for good.</p>
    </RemovalDialog>
  )
}
