'use client'
/** The place to import agents: choose files, paste JSON, or drop files anywhere on the page. */
import { useState } from 'react'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { TextArea } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { Keys } from '#components/ui/keys'
import styles from './import-tile.module.css'
import type { Importing } from './use-import'

export function ImportTile({ importing }: { importing: Importing }) {
  const [isPasting, setPasting] = useState(false)
  return (
    <li className={styles.tile}>
      <Icon name="file-braces" />
      <h2>Drop an agent file here</h2>
      <p>A .json file. What this server lacks is listed, and nothing is lost.</p>
      <div className={styles.actions}>
        <Button onClick={importing.choose} disabled={importing.isBusy}>
          Choose a file
        </Button>
        <Button variant="quiet" onClick={() => setPasting(true)} disabled={importing.isBusy}>
          Paste JSON <Keys keys="Mod+V" />
        </Button>
        {importing.isBusy && <Spinner />}
      </div>
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onPaste={(text) => {
            setPasting(false)
            importing.paste(text)
          }}
        />
      )}
    </li>
  )
}

function PasteDialog({ onClose, onPaste }: { onClose(): void; onPaste(text: string): void }) {
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
