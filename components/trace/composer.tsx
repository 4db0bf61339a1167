'use client'
/** Where a question is written, with its files and its model. */
import { type ClipboardEvent, useRef, useState } from 'react'
import { shortName } from '#components/models/entry'
import { Kbd } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { AttachmentList } from './attachment-list'
import { ModelPicker } from './model-picker'
import styles from './run-box.module.css'
import { useRunActions } from './run-context'
import type { RunBoxProps, RunBoxState } from './use-run-box'

export interface ComposerProps extends Pick<RunBoxProps, 'model' | 'onModel'> {
  readonly box: RunBoxState
}

export function Composer({ model, onModel, box }: ComposerProps) {
  const { cancel } = useRunActions()
  const [text, setText] = useState('')
  const question = useRef<HTMLTextAreaElement>(null)
  const { attachments, chosen, hindrance, isBusy, isReady, hasThread } = box
  const send = async () => {
    if (await box.run(text)) setText('')
  }
  return (
    <>
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
          onPaste={(event: ClipboardEvent) => {
            const files = [...event.clipboardData.files]
            if (files.length === 0) return
            event.preventDefault()
            attachments.add(files)
          }}
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
          {isBusy ? (
            <Button size="s" icon="square" onClick={() => void cancel()}>
              Stop <Kbd>Esc</Kbd>
            </Button>
          ) : (
            <Button
              size="s"
              variant="primary"
              icon="play"
              type="submit"
              disabled={!isReady || text.trim() === ''}
            >
              Run {text.trim() !== '' && <Kbd>↵</Kbd>}
            </Button>
          )}
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

function AttachButton({ onFiles }: { onFiles(files: readonly File[]): void }) {
  const choose = () => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.onchange = () => onFiles([...(input.files ?? [])])
    input.click()
  }
  return (
    <IconButton
      icon="paperclip"
      size="s"
      label="Attach files"
      title="Attach files, or drop them here"
      onClick={choose}
    />
  )
}
