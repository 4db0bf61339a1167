'use client'
/** The threads of an agent, the most recently used first: open, begin, find, rename, delete. */
import { useMemo, useState } from 'react'
import { useThreads } from '#components/data/threads'
import { Kbd, Skeleton } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import { ThreadRow } from './thread-row'
import styles from './threads.module.css'
import type { Chat } from './use-chat'

/** Above this number of threads, a filter field is shown. */
const many = 8

export function ThreadsRail({ chat }: { chat: Chat }) {
  const threads = useThreads(chat.agentId)
  const [typed, setTyped] = useState('')
  const items = useMemo(() => threads.data?.pages.flatMap((page) => page.items), [threads.data])
  const word = typed.trim().toLowerCase()
  const shown = items?.filter((each) => each.title.toLowerCase().includes(word))
  return (
    <nav className={styles.rail} aria-label="Threads">
      <div className={styles.head}>
        <Button icon="square-pen" onClick={() => begin(chat)}>
          New thread <Kbd>N</Kbd>
        </Button>
        {items !== undefined && items.length > many && (
          <TextField
            value={typed}
            onChange={setTyped}
            icon="search"
            placeholder="Find a thread"
            aria-label="Find a thread"
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || typed === '') return
              event.preventDefault()
              setTyped('')
            }}
          />
        )}
      </div>
      {threads.isPending && <Loading />}
      {threads.isError && (
        <ErrorNote error={threads.error}>
          <Button size="s" onClick={() => void threads.refetch()}>
            Try again
          </Button>
        </ErrorNote>
      )}
      {items?.length === 0 && <p className={styles.told}>Threads you begin stand here.</p>}
      {shown?.length === 0 && items?.length !== 0 && <p className={styles.told}>No thread is called that.</p>}
      {shown !== undefined && shown.length > 0 && (
        <ul>
          {shown.map((each) => (
            <ThreadRow
              key={each.id}
              thread={each}
              isShown={each.id === chat.threadId}
              isBusy={each.id === chat.threadId && chat.isBusy}
              onShow={() => chat.show(each.id)}
              onRemoved={() => {
                if (each.id === chat.threadId) begin(chat)
              }}
            />
          ))}
        </ul>
      )}
      {threads.hasNextPage && (
        <Button
          variant="quiet"
          disabled={threads.isFetchingNextPage}
          onClick={() => void threads.fetchNextPage()}
        >
          Show older ones
        </Button>
      )}
    </nav>
  )
}

function begin(chat: Chat): void {
  chat.startOver()
  document.getElementById('question')?.focus()
}

function Loading() {
  return (
    <div className={styles.loading} role="status" aria-label="Loading the threads">
      {['a', 'b', 'c'].map((each) => (
        <Skeleton key={each} height={20} />
      ))}
    </div>
  )
}
