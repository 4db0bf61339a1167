'use client'
/** Where a question is written, with its files; and, plainly, what answers where that is no AI. */
import Link from 'next/link'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { AttachButton, dropOf, fileHindrance, pasteOf } from '#components/dialogue/attach-files'
import { AttachmentList } from '#components/dialogue/attachment-list'
import { useRunActions } from '#components/run/run-context'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { lineOf } from '#lib/spec/line'
import type { ChatAgent } from './chat-agent'
import styles from './composer.module.css'
import type { Chat } from './use-chat'

const scriptWords = {
  demo: 'Answered by the scripted demo model: it follows plain rules and is not an AI.',
  turns: 'Played from the turns written in its model: it is not an AI.',
} as const

export function ChatComposer({ chat, agent }: { chat: Chat; agent: ChatAgent }) {
  const { cancel } = useRunActions()
  const [text, setText] = useState('')
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const hintId = useId()
  const { attachments, isBusy, runs } = chat
  const hindrance = agent.hindrance ?? fileHindrance(attachments.items)
  const isReady = hindrance === undefined && !isBusy && text.trim() !== ''
  useEffect(() => field.current?.focus(), [])
  const send = async () => {
    if (!isReady) return
    const input = text
    // What fails to begin comes back into the field.
    setText('')
    if (!(await chat.ask(input))) setText((typed) => (typed === '' ? input : typed))
  }
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      void send()
    }
    const last = runs.at(-1)?.input
    if (event.key === 'ArrowUp' && text === '' && last !== undefined) {
      event.preventDefault()
      setText(last)
    }
  }
  return (
    <div className={styles.place} data-over={isOver || undefined} {...dropOf(attachments.add, setOver)}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <AttachmentList
          items={attachments.items}
          remove={(key) => {
            attachments.remove(key)
            // The button is gone with its file.
            field.current?.focus()
          }}
        />
        <textarea
          ref={field}
          id="question"
          rows={1}
          value={text}
          aria-label="Question"
          aria-describedby={hintId}
          placeholder={chat.threadId === null ? `Ask ${lineOf(agent.title)}` : 'Ask a follow-up'}
          onChange={(event) => setText(event.target.value)}
          onPaste={pasteOf(attachments.add)}
          onKeyDown={keys}
        />
        <div className={styles.line}>
          <AttachButton onFiles={attachments.add} />
          <span className={styles.spring} />
          {isBusy ? (
            <Button size="s" icon="square" onClick={() => void cancel()}>
              Stop <Kbd>Esc</Kbd>
            </Button>
          ) : (
            <Button size="s" variant="primary" icon="arrow-up" type="submit" disabled={!isReady}>
              Send <Kbd>↵</Kbd>
            </Button>
          )}
        </div>
      </form>
      <p id={hintId} className={styles.hint}>
        {hindrance ?? (agent.script !== null && scriptWords[agent.script])}{' '}
        {agent.hindrance !== undefined && (
          <Link href={`/agents/${encodeURIComponent(agent.id)}`}>Open in the builder</Link>
        )}
        {hindrance === undefined && agent.script !== null && (
          <Link href={settingsFrom(agent.id)}>Use a real model</Link>
        )}
      </p>
    </div>
  )
}

function settingsFrom(agentId: string): string {
  return `/settings?back=${encodeURIComponent(`/agents/${agentId}/chat`)}#models`
}
