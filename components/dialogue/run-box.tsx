'use client'
/** The run box: ask, give files along, choose the model, watch the answer come, ask on, stop. Run lives here and only here. */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { api } from '#components/data/client'
import { useRunActions } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import { dropOf } from './attach-files'
import { Composer } from './composer'
import styles from './run-box.module.css'
import { RunDialogue } from './run-dialogue'
import { Samples } from './samples'
import { ThreadHistory } from './thread-history'
import { type RunBoxProps, useRunBox } from './use-run-box'

export function RunBox(props: RunBoxProps) {
  const box = useRunBox(props)
  const { samples, samplesAt } = props
  const canRun = props.canRun && box.isReady
  const ask = (question: string) => void box.run(question)
  const { cancel } = useRunActions()
  const [isOver, setOver] = useState(false)
  // The key of the command that stops holds in the field as well, where commands keep still.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.isBusy || event.defaultPrevented) return
    event.preventDefault()
    void cancel()
  }
  return (
    <section
      className={styles.box}
      aria-label="Run"
      data-over={isOver || undefined}
      onKeyDown={onKeyDown}
      {...dropOf(box.attachments.add, setOver)}
    >
      <header className={styles.head}>
        <h2>Chat</h2>
        <ThreadName threadId={box.threadId} />
        {!box.isNew && (
          <IconButton
            icon="plus"
            label="New thread"
            size="s"
            onClick={(event) => {
              const field = event.currentTarget.closest('section')?.querySelector('textarea')
              box.startOver()
              field?.focus()
            }}
          />
        )}
        <ThreadHistory agentId={props.agentId} threadId={box.threadId} onOpen={box.openThread} />
      </header>
      <RunDialogue
        samples={samples}
        canRun={canRun}
        settingsHref={box.settingsHref}
        given={box.given}
        onAsk={ask}
        onReview={props.onReview}
      />
      <Composer model={props.model} onModel={props.onModel} box={box} />
      {samplesAt != null && createPortal(<Samples {...{ samples, canRun, onAsk: ask }} />, samplesAt)}
    </section>
  )
}

/** What the thread was named: its first question, until a person gives it another name. */
function ThreadName({ threadId }: { threadId: string | null }) {
  const thread = useQuery({
    queryKey: ['threads', threadId],
    queryFn: ({ signal }) => api.threads.get(threadId ?? '', signal),
    enabled: threadId !== null,
  })
  const title = threadId === null ? 'New thread' : (thread.data?.title ?? '')
  return (
    <span className={styles.thread} title={title}>
      {title}
    </span>
  )
}
