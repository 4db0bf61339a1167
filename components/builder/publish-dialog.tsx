'use client'
/** Publishes the drawing as the next version, which never changes again; its changes are shown first. */
import type { Autosave } from '#components/drawing/autosave'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { ChangeList } from '#components/versions/change-list'
import { useDraft, usePublish } from '#components/versions/use-versions'
import { publishWords } from '#components/versions/words'

export interface PublishDialogProps {
  readonly agentId: string
  readonly autosave: Autosave
  onClose(): void
}

export function PublishDialog({ agentId, autosave, onClose }: PublishDialogProps) {
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
      {reason !== null && !publish.isPending && <p>{reason}</p>}
      {newest == null ? (
        <p>This is the first version. It will never change, so runs, exports and the API can refer to it.</p>
      ) : (
        <p>What it changes since v{newest.version}:</p>
      )}
      {changes !== null && changes.length > 0 && <ChangeList changes={changes} />}
    </Dialog>
  )
}
