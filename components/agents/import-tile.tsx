'use client'
/** The place to bring an agent in: choose a file, paste JSON, or drop it; and what is wrong with one that does not fit. */
import { useEffect, useRef, useState } from 'react'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { TextArea } from '#components/ui/field'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { ApiError } from '#lib/http/client'
import styles from './import-tile.module.css'
import type { Importing } from './use-import'

export function ImportTile({ importing }: { importing: Importing }) {
  const [isPasting, setPasting] = useState(false)
  return (
    <section className={styles.tile} data-over={importing.isOver || undefined} aria-label="Import an agent">
      <Icon name="file-braces" />
      <h2>Drop an agent file here</h2>
      <p>A .json file, as exported by this or another Loopwright. Nothing here is overwritten.</p>
      <div className={styles.actions}>
        <Button onClick={importing.choose} disabled={importing.isBusy}>
          Choose a file
        </Button>
        <Button variant="quiet" onClick={() => setPasting(true)} disabled={importing.isBusy}>
          Paste JSON
        </Button>
        {importing.isBusy && <Spinner />}
      </div>
      {importing.error !== null && <ImportError importing={importing} />}
      {isPasting && (
        <PasteDialog
          onClose={() => setPasting(false)}
          onPaste={(text) => {
            setPasting(false)
            importing.paste(text)
          }}
        />
      )}
    </section>
  )
}

function ImportError({ importing }: { importing: Importing }) {
  const { error, from } = importing
  const place = useRef<HTMLDivElement>(null)
  // With many agents the tile is far down, and a file may be dropped anywhere.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isTaken = error instanceof ApiError && error.code === 'name_taken'
  return (
    <div ref={place} className={styles.error}>
      <ErrorNote
        error={error}
        advice={isTaken ? 'Import it under the next free name, or rename the one that is here.' : undefined}
      >
        {isTaken && (
          <Button size="s" onClick={importing.again}>
            Import under another name
          </Button>
        )}
        <Button size="s" variant="quiet" onClick={importing.forget}>
          Dismiss
        </Button>
        <span className={styles.from}>From {from}</span>
      </ErrorNote>
    </div>
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
