'use client'
/** Asks before an OpenAPI document is removed, and names the agents that use it. */
import { useRemoveApiDocument } from '#components/data/apis'
import { RemovalDialog } from '#components/ui/removal-dialog'
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
    <RemovalDialog
      title={`Remove ${name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>
        {usedBy.length === 0
          ? 'No agent uses it.'
          : `${users} ${usedBy.length === 1 ? 'keeps' : 'keep'} the operations that were chosen, and can still call them. Their changes are no longer noticed.`}
      </p>
    </RemovalDialog>
  )
}
