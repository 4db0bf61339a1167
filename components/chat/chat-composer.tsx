'use client'
/** Where a question is written, with its files; and, plainly, what answers where that is no AI. */
import Link from 'next/link'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { AttachmentList } from '#components/trace/attachment-list'
import { useRunActions } from '#components/trace/run-context'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import type { ChatAgent } from './chat-regions'
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
          placeholder={chat.threadId === null ? `Ask ${agent.title}` : 'Ask a follow-up'}
          onChange={(event) => setText(event.target.value)}
          onPaste={(event: ClipboardEvent) => {
            const files = [...event.clipboardData.files]
            if (files.length === 0) return
            event.preventDefault()
            attachments.add(files)
          }}
          onKeyDown={keys}
        />
        <div className={styles.line}>
          <IconButton
            icon="paperclip"
            size="s"
            label="Attach files"
            title="Attach files, or drop them here"
            onClick={() => chooseFiles(attachments.add)}
          />
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

/** A file that is not there yet, or never came, keeps the question from going without it. */
function fileHindrance(items: Chat['attachments']['items']): string | undefined {
  if (items.some((each) => each.state === 'failed'))
    return 'A file was not taken: remove it, or add it again.'
  return items.some((each) => each.state === 'uploading') ? 'Files are on their way.' : undefined
}

function settingsFrom(agentId: string): string {
  return `/settings?back=${encodeURIComponent(`/agents/${agentId}/chat`)}#models`
}

function chooseFiles(take: (files: readonly File[]) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => take([...(input.files ?? [])])
  input.click()
}

function dropOf(add: (files: readonly File[]) => void, setOver: (isOver: boolean) => void) {
  const carriesFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    onDragOver: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      const { currentTarget, relatedTarget } = event
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      setOver(false)
      add([...event.dataTransfer.files])
    },
  }
}
