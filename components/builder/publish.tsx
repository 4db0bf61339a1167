'use client'
/** Publishes the drawing as the next version, which never changes again; its changes are shown first. */
import { useState } from 'react'
import type { Autosave } from '#components/drawing/autosave'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { ChangeList } from '#components/versions/change-list'
import { useDraft, usePublish } from '#components/versions/use-versions'
import { publishWords } from '#components/versions/words'

export interface PublishProps {
  readonly agentId: string
  readonly autosave: Autosave
}

export function Publish({ agentId, autosave }: PublishProps) {
  const draft = useDraft(agentId)
  const [isOpen, setOpen] = useState(false)
  const { label, reason } = publishWords(draft)
  return (
    <>
      <Button
        onClick={() => setOpen(true)}
        disabled={reason !== null}
        title={reason ?? 'Keep what is drawn now as a version, which never changes'}
      >
        {label}
      </Button>
      {isOpen && <Ask agentId={agentId} autosave={autosave} onClose={() => setOpen(false)} />}
    </>
  )
}

function Ask({ agentId, autosave, onClose }: PublishProps & { onClose(): void }) {
  const draft = useDraft(agentId)
  const publish = usePublish(agentId, autosave)
  const { label, reason } = publishWords(draft)
  const { newest, changes } = draft
  return (
    <Dialog
      title={publish.isError ? 'Not published' : label}
      onClose={onClose}
      wide={changes !== null && changes.length > 0}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={reason !== null || publish.isPending}
            onClick={() => publish.mutate(undefined, { onSuccess: onClose })}
          >
            {publish.isError ? 'Try again' : label}
          </Button>
        </>
      }
    >
      {publish.isError && <ErrorNote error={publish.error} />}
      {newest == null ? (
        <p>The first version. It never changes again: runs, exports and the API can name it.</p>
      ) : (
        <p>What it changes since v{newest.version}:</p>
      )}
      {changes !== null && changes.length > 0 && <ChangeList changes={changes} />}
    </Dialog>
  )
}
