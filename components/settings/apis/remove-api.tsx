'use client'
/** Asks before an OpenAPI document is removed, and names the agents that use it. */
import { useRemoveApiDocument } from '#components/data/apis'
import { Button } from '#components/ui/button'
import { Dialog } from '#components/ui/dialog'
import { ErrorNote } from '#components/ui/notice'
import { listFirstNames } from '#lib/spec/tool-class'
import type { OpenapiDocumentView } from '#lib/wire/openapi-documents'

interface RemoveProps {
  readonly document: OpenapiDocumentView
  onClose(): void
}

export function RemoveApi({ document: { name, usedBy }, onClose }: RemoveProps) {
  const removal = useRemoveApiDocument()
  const users = listFirstNames(usedBy.map((each) => each.title || each.name))
  return (
    <Dialog
      title={`Remove ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button
            variant="danger"
            disabled={removal.isPending}
            onClick={() => removal.mutate(name, { onSuccess: onClose })}
          >
            Remove
          </Button>
        </>
      }
    >
      <p>
        {usedBy.length === 0
          ? 'No agent uses it.'
          : `${users} ${usedBy.length === 1 ? 'keeps' : 'keep'} the operations that were chosen, and can still call them. Their changes are no longer noticed.`}
      </p>
      {removal.isError && <ErrorNote error={removal.error} />}
    </Dialog>
  )
}
