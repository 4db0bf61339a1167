'use client'
/** Replies to a question with a text. */
import { type ReactNode, useId, useState } from 'react'
import { Button } from '#components/ui/button'
import { Property, TextArea } from '#components/ui/field'
import styles from './ask-card.module.css'

export interface TextReplyProps {
  readonly label: string
  /** There is no other way to answer. */
  readonly isMain: boolean
  readonly isSaying: boolean
  /** Buttons that are shown next to Send. */
  readonly children: ReactNode
  onSend(text: string): void
}

export function TextReply({ label, isMain, isSaying, children, onSend }: TextReplyProps) {
  const id = useId()
  const [text, setText] = useState('')
  const isEmpty = text.trim() === ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isEmpty && !isSaying) onSend(text.trim())
      }}
    >
      <Property label={label} htmlFor={id} wide>
        <TextArea
          id={id}
          rows={isMain ? 3 : 1}
          maxLength={20_000}
          value={text}
          onChange={setText}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            // Enter sends, as in the box for questions.
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </Property>
      <div className={styles.actions}>
        <Button type="submit" variant={isMain ? 'primary' : 'plain'} disabled={isSaying || isEmpty}>
          Send
        </Button>
        {children}
      </div>
    </form>
  )
}
