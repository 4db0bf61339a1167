'use client'
/**
 * The field for a question and its files. The builder's run box and the chat pass in its words and layout.
 */
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { useRunActions } from '#components/run/run-context'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { keyText } from '#components/ui/key-text'
import { useIsMac } from '#components/ui/use-is-mac'
import { AttachButton, pasteOf } from './attach-files'
import { AttachmentList } from './attachment-list'
import styles from './composer.module.css'
import type { Dialogue } from './use-dialogue'
import { WaitingMessages } from './waiting-messages'

export interface ComposerProps {
  readonly dialogue: Dialogue
  readonly place: 'box' | 'page'
  readonly placeholder: string
  readonly send: SendWords
  /** Whether the field takes the focus when the page opens. */
  wantsFocus(): boolean
  /** The id of the field, by which the page finds it. */
  readonly id?: string
  /** The id of the element that describes the field. */
  readonly describedBy?: string
  /** The question that the arrow up key puts into the empty field. */
  readonly lastQuestion?: string | undefined
  /** Whether files are being dragged over the drop zone. */
  readonly isOver?: boolean
  /** Controls shown next to the attach button. */
  readonly children?: ReactNode
}

export interface SendWords {
  readonly label: string
  readonly icon: string
  /** The key that sends. */
  readonly keys: string
  /** Whether the key is shown while the field is empty. */
  readonly alwaysShowsKeys: boolean
}

export function Composer(props: ComposerProps) {
  const { dialogue, place, placeholder, send, wantsFocus, id, describedBy, isOver, children } = props
  const { state, acts } = dialogue
  const draft = useStore(dialogue.store, (each) => each.draft)
  const isEmpty = draft.trim() === ''
  const field = useRef<HTMLTextAreaElement>(null)
  const isWanted = useRef(wantsFocus)
  useEffect(() => {
    if (isWanted.current()) field.current?.focus()
  }, [])
  const keys = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const isRecall = event.key === 'ArrowUp' && draft === '' && props.lastQuestion !== undefined
    const isSend = event.key === 'Enter' && !event.shiftKey
    if (!isRecall && !isSend) return
    event.preventDefault()
    if (isSend) acts.send(event.altKey ? 'after' : 'now')
    else acts.type(props.lastQuestion ?? '')
  }
  return (
    <form
      className={styles.form}
      data-place={place}
      data-over={isOver || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        acts.send()
      }}
    >
      <AttachmentList
        files={state.files}
        onDescribe={acts.describeFile}
        onRemove={(key) => {
          acts.removeFile(key)
          // The remove button disappears with its file, so the field takes the focus.
          field.current?.focus()
        }}
      />
      <WaitingMessages dialogue={dialogue} />
      <textarea
        ref={field}
        id={id}
        rows={1}
        value={draft}
        aria-label="Question"
        aria-describedby={describedBy}
        placeholder={placeholder}
        onChange={(event) => acts.type(event.target.value)}
        onPaste={pasteOf(acts.giveFiles)}
        onKeyDown={keys}
      />
      <div className={styles.line}>
        <AttachButton onFiles={acts.giveFiles} />
        {children}
        <span className={styles.ends}>
          <SendButton dialogue={dialogue} send={send} isEmpty={isEmpty} />
        </span>
      </div>
    </form>
  )
}

interface SendButtonProps extends Pick<ComposerProps, 'dialogue' | 'send'> {
  readonly isEmpty: boolean
}

/** Sends the question. While a run is under way, stops the run or sends a message to it. */
function SendButton({ dialogue, send, isEmpty }: SendButtonProps) {
  const { cancel } = useRunActions()
  const { isBusy, canSend } = dialogue
  const { label, icon, keys, alwaysShowsKeys } = send
  if (!isBusy) {
    return (
      <Button size="s" variant="primary" icon={icon} type="submit" disabled={!canSend || isEmpty}>
        {label} {(alwaysShowsKeys || !isEmpty) && <Kbd>{keys}</Kbd>}
      </Button>
    )
  }
  if (!isEmpty) return <LateButtons dialogue={dialogue} />
  return (
    <Button size="s" icon="square" onClick={() => void cancel()}>
      Stop <Kbd>Esc</Kbd>
    </Button>
  )
}

/** While a run is under way: its next step reads the message, or the message waits until the run has ended. */
function LateButtons({ dialogue: { state, canFollowUp, acts } }: Pick<ComposerProps, 'dialogue'>) {
  const isMac = useIsMac()
  const hasFiles = state.files.length > 0
  const after = (
    <Button
      size="s"
      variant={hasFiles ? 'primary' : 'quiet'}
      disabled={!canFollowUp}
      title={`Ask this when the run has ended (${keyText('Alt+Enter', isMac)})`}
      onClick={() => acts.send('after')}
    >
      After this
    </Button>
  )
  // A run that is under way takes words only.
  if (hasFiles) return after
  return (
    <>
      {after}
      <Button
        size="s"
        variant="primary"
        type="submit"
        disabled={!canFollowUp}
        title="The agent reads this at its next step"
      >
        Send now <Kbd>↵</Kbd>
      </Button>
    </>
  )
}
