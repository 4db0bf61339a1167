'use client'
/** The threads of an agent in a menu behind a clock icon; choosing one shows its dialogue. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '#components/data/client'
import { IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { ErrorNote } from '#components/ui/notice'
import { Popover } from '#components/ui/popover'
import shared from '#components/ui/shared.module.css'
import type { ThreadSummary } from '#lib/wire/threads'
import styles from './thread-history.module.css'

export interface ThreadHistoryProps {
  readonly agentId: string
  readonly threadId: string | null
  /** False if another thread was chosen meanwhile. */
  onOpen(threadId: string): Promise<boolean>
}

export function ThreadHistory(props: ThreadHistoryProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    anchor.current?.querySelector('button')?.focus()
  }
  return (
    <span ref={anchor}>
      <IconButton
        icon="history"
        label="Earlier threads"
        size="s"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover anchor={anchor} width={280} onClose={() => setOpen(false)}>
          <Threads {...props} onClose={close} />
        </Popover>
      )}
    </span>
  )
}

function Threads({ agentId, threadId, onOpen, onClose }: ThreadHistoryProps & { onClose(): void }) {
  const threads = useQuery({
    // A key below that of the chat's list, which is fetched page by page.
    queryKey: ['threads', 'of', agentId, 'newest'],
    queryFn: ({ signal }) => api.threads.list({ agent: agentId, limit: 50 }, signal),
    staleTime: 0,
  })
  const [fault, setFault] = useState<Error | null>(null)
  const items = threads.data?.items ?? []
  const open = (id: string) => {
    onOpen(id).then(
      (isOpened) => isOpened && onClose(),
      (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what stands around the buttons
    <div
      className={styles.threads}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <h3>Threads</h3>
      {(fault ?? threads.error) !== null && <ErrorNote error={fault ?? threads.error} />}
      {threads.data !== undefined && items.length === 0 && (
        <p>No threads yet. The first question starts one.</p>
      )}
      <ul>
        {items.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              className={styles.thread}
              aria-current={each.id === threadId || undefined}
              onClick={() => open(each.id)}
            >
              <span className={shared.cut}>
                <Line text={each.title} />
              </span>
              <time dateTime={new Date(each.updatedAt).toISOString()}>{whenOf(each)}</time>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function whenOf({ updatedAt }: ThreadSummary): string {
  const date = new Date(updatedAt)
  const isToday = date.toDateString() === new Date().toDateString()
  return isToday
    ? date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
}
