'use client'
/** One entry of a memory, which can be changed in its place, and forgotten. */
import Link from 'next/link'
import { useRef, useState } from 'react'
import { useChangeMemory } from '#components/data/recall'
import { Button, IconButton } from '#components/ui/button'
import { TextArea } from '#components/ui/field'
import { describeError } from '#components/ui/notice'
import { RemovalDialog } from '#components/ui/removal-dialog'
import shared from '#components/ui/shared.module.css'
import { ago } from '#components/ui/when'
import { maxMemoryChars } from '#lib/spec/recall'
import { visible } from '#lib/spec/visible'
import type { MemoryEntry } from '#lib/wire/memory'
import styles from './memory.module.css'

export function MemoryItem({ agentId, entry }: { agentId: string; entry: MemoryEntry }) {
  const [draft, setDraft] = useState<string | null>(null)
  const [isForgetting, setForgetting] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const { edit, forget } = useChangeMemory(agentId)
  const stop = () => {
    setDraft(null)
    edit.reset()
    requestAnimationFrame(() => pencil.current?.focus())
  }
  const save = () => {
    if (draft === null || draft.trim() === '') return
    if (draft.trim() === entry.text) return stop()
    edit.mutate({ id: entry.id, text: draft.trim() }, { onSuccess: stop })
  }
  return (
    <li className={styles.item}>
      {draft === null ? (
        <div className={styles.body}>
          <p className={styles.text}>{visible(entry.text)}</p>
          <p className={styles.facts}>
            {ago(entry.updatedAt, Date.now())}
            {entry.runId !== null && (
              <>
                {' · '}
                <Link className={shared.link} href={`/runs/${encodeURIComponent(entry.runId)}`}>
                  run
                </Link>
              </>
            )}
          </p>
        </div>
      ) : (
        <div className={styles.body}>
          <TextArea
            value={draft}
            onChange={setDraft}
            rows={3}
            maxLength={maxMemoryChars}
            aria-label="Entry"
            autoFocus
            onKeyDown={(event) => {
              if (event.key === 'Escape') stop()
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
            }}
          />
          {edit.isError && (
            <p className={styles.fault} role="alert">
              {describeError(edit.error).what}
            </p>
          )}
          <div className={styles.buttons}>
            <Button
              size="s"
              variant="primary"
              disabled={draft.trim() === '' || edit.isPending}
              onClick={save}
            >
              Save
            </Button>
            <Button size="s" variant="quiet" onClick={stop}>
              Cancel
            </Button>
          </div>
        </div>
      )}
      {draft === null && (
        <span className={styles.itemTools}>
          <IconButton
            ref={pencil}
            icon="pencil"
            size="s"
            label="Change this entry"
            onClick={() => setDraft(entry.text)}
          />
          <IconButton icon="trash-2" size="s" label="Forget this entry" onClick={() => setForgetting(true)} />
        </span>
      )}
      {isForgetting && (
        <RemovalDialog
          title="Forget this entry?"
          verb="Forget"
          isPending={forget.isPending}
          error={forget.error}
          onRemove={() => forget.mutate(entry.id, { onSuccess: () => setForgetting(false) })}
          onClose={() => setForgetting(false)}
        >
          <p className={styles.quoted}>{visible(entry.text)}</p>
        </RemovalDialog>
      )}
    </li>
  )
}
