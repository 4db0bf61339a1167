'use client'
/** Where a question is written, with its files and its model. */
import { useEffect, useRef } from 'react'
import { shortName } from '#components/models/entry'
import { ModelPicker } from '#components/models/model-picker'
import { useRunActions } from '#components/run/run-context'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { keyText } from '#components/ui/key-text'
import { useIsMac } from '#components/ui/use-is-mac'
import { AttachButton, pasteOf } from './attach-files'
import { AttachmentList } from './attachment-list'
import styles from './run-box.module.css'
import type { RunBoxProps, RunBoxState } from './use-run-box'

export interface ComposerProps extends Pick<RunBoxProps, 'model' | 'onModel'> {
  readonly box: RunBoxState
}

export function Composer({ model, onModel, box }: ComposerProps) {
  const { cancel } = useRunActions()
  const question = useRef<HTMLTextAreaElement>(null)
  // A link that means to run leads here.
  useEffect(() => {
    if (window.location.hash === '#ask') question.current?.focus()
  }, [])
  const { attachments, chosen, hindrance, isBusy, hasThread, queue } = box
  const { draft: text, setDraft: setText } = box
  const isEmpty = text.trim() === ''
  const canQueue = isBusy && !isEmpty && queue.text === null && hindrance === undefined
  const send = async () => {
    if (isEmpty || (isBusy && !canQueue)) return
    setText('')
    if (canQueue) queue.put(text)
    else if (!(await box.run(text))) setText((typed) => (typed === '' ? text : typed))
  }
  return (
    <>
      {queue.text !== null && (
        <p className={styles.queued}>
          <span className={styles.asking} title={queue.text}>
            {queue.text}
          </span>
          <em>sent when the run ends</em>
          <IconButton icon="pencil" size="s" label="Take the question back" onClick={queue.takeBack} />
        </p>
      )}
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
            question.current?.focus()
          }}
        />
        <textarea
          ref={question}
          rows={1}
          value={text}
          aria-label="Question"
          placeholder={hasThread ? 'Ask a follow-up' : 'Ask something'}
          onChange={(event) => setText(event.target.value)}
          onPaste={pasteOf(attachments.add)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void send()
          }}
        />
        <div className={styles.line}>
          <AttachButton onFiles={attachments.add} />
          <ModelPicker
            own={model}
            other={chosen}
            settingsHref={box.settingsHref}
            onOther={box.setOther}
            onKeep={onModel}
          />
          <span className={styles.spring} />
          {isBusy && !isEmpty && <span className={styles.later}>sent when the run ends</span>}
          <Go box={box} canQueue={canQueue} isEmpty={isEmpty} onStop={() => void cancel()} />
        </div>
      </form>
      {chosen !== null && (
        <p className={styles.hint}>
          Not the drawing’s {model === null ? 'model' : shortName(model)}: chosen in this box only.{' '}
          <button type="button" className={styles.link} onClick={() => box.setOther(null)}>
            Take the drawing’s
          </button>
        </p>
      )}
      {hindrance !== undefined && !isBusy && <p className={styles.hint}>{hindrance}</p>}
    </>
  )
}

interface GoProps {
  readonly box: RunBoxState
  readonly canQueue: boolean
  readonly isEmpty: boolean
  onStop(): void
}

/** Run; or, while a run goes, stop it or have the question wait for its end. */
function Go({ box, canQueue, isEmpty, onStop }: GoProps) {
  const isMac = useIsMac()
  if (!box.isBusy) {
    return (
      <Button size="s" variant="primary" icon="play" type="submit" disabled={!box.isReady || isEmpty}>
        Run {!isEmpty && <Kbd>{keyText('Mod+Enter', isMac)}</Kbd>}
      </Button>
    )
  }
  if (!isEmpty) {
    return (
      <IconButton
        icon="arrow-up"
        size="s"
        variant="plain"
        type="submit"
        label="Ask when the run ends"
        disabled={!canQueue}
      />
    )
  }
  return (
    <Button size="s" icon="square" onClick={onStop}>
      Stop <Kbd>Esc</Kbd>
    </Button>
  )
}
