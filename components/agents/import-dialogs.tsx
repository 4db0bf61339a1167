'use client'
/** Importing agents: a dialog for pasted JSON, and what is shown while files are dragged over the page. */
import { useState } from 'react'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { TextArea } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import styles from './import-dialogs.module.css'

export function PasteDialog({ onClose, onPaste }: { onClose(): void; onPaste(text: string): void }) {
  const [text, setText] = useState('')
  return (
    <Dialog
      wide
      title="Paste an agent"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={text.trim() === ''} onClick={() => onPaste(text)}>
            Import
          </Button>
        </>
      }
    >
      <TextArea
        mono
        rows={14}
        aria-label="The agent as JSON"
        placeholder={'{ "name": "…" }'}
        value={text}
        onChange={setText}
        spellCheck={false}
      />
    </Dialog>
  )
}

/** Covers the whole window while files are dragged over it. */
export function DropOverlay() {
  return (
    <div className={styles.overlay} role="status">
      <div>
        <Icon name="file-braces" size={20} />
        <b>Drop to import</b>
        <span>Agent files, one or many. Nothing here is overwritten.</span>
      </div>
    </div>
  )
}
