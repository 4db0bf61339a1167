'use client'
/** The threads of an agent, the most recently used first: open, begin, find, rename, delete. */
import { useMemo, useState } from 'react'
import { useIsTyping } from '#components/commands/typing'
import { useThreads, useWaitingThreads } from '#components/data/threads'
import { Kbd, Loading } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { TextField } from '#components/ui/field'
import { ErrorNote } from '#components/ui/notice'
import type { ThreadSummary } from '#lib/wire/threads'
import type { ChatAgent } from './chat-agent'
import { ThreadRow } from './thread-row'
import styles from './threads.module.css'
import type { Chat } from './use-chat'

/** Above this number of threads, a filter field is shown. */
const many = 8

export interface ThreadsRailProps {
  readonly chat: Chat
  readonly agent: ChatAgent
  /** Called when another thread is shown or begun. */
  onLeave?(): void
}

export function ThreadsRail({ chat, agent, onLeave }: ThreadsRailProps) {
  const [isTests, setTests] = useState(false)
  const threads = useThreads(chat.agentId, isTests ? 'test' : 'other')
  const waiting = useWaitingThreads(chat.agentId, !agent.hasKey)
  const [typed, setTyped] = useState('')
  const isTyping = useIsTyping()
  const items = useMemo(() => threads.data?.pages.flatMap((page) => page.items), [threads.data])
  const word = typed.trim().toLowerCase()
  const shown = items?.filter((each) => each.title.toLowerCase().includes(word))
  const begin = () => {
    chat.startOver()
    onLeave?.()
    document.getElementById('question')?.focus()
  }
  return (
    <nav className={styles.rail} aria-label="Threads">
      <div className={styles.head}>
        <Button icon="square-pen" onClick={begin}>
          New thread {!isTyping && <Kbd>N</Kbd>}
        </Button>
        {!agent.isBare && (
          <Button
            size="s"
            variant="quiet"
            icon="funnel"
            pressed={isTests}
            title="Threads that were started in the builder"
            onClick={() => setTests(!isTests)}
          >
            Test runs
          </Button>
        )}
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
      {threads.isPending && <Loading what="the threads" heights={[20, 20, 20]} className={styles.loading} />}
      {threads.isError && <ErrorNote error={threads.error} onRetry={() => void threads.refetch()} />}
      {items?.length === 0 && (
        <p className={styles.told}>
          {isTests ? 'Questions asked in the builder appear here.' : 'Your conversations appear here.'}
        </p>
      )}
      {shown?.length === 0 && items?.length !== 0 && (
        <p className={styles.told}>No thread matches “{typed.trim()}”.</p>
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul>
          {shown.map((each) => (
            <ThreadRow
              key={each.id}
              thread={each}
              isShown={each.id === chat.threadId}
              doing={doingOf(each, chat, waiting)}
              canRemove={!agent.hasKey}
              onShow={() => {
                chat.show(each.id)
                onLeave?.()
              }}
              onRemoved={() => {
                if (each.id === chat.threadId) begin()
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
          Show older threads
        </Button>
      )}
    </nav>
  )
}

/** The page follows the shown thread; of the others it knows which ones wait. */
function doingOf({ id }: ThreadSummary, chat: Chat, waiting: ReadonlySet<string>) {
  if (id !== chat.threadId) return waiting.has(id) ? 'waiting' : null
  if (chat.isWaiting) return 'waiting'
  return chat.isBusy ? 'working' : null
}
