'use client'
/** Asks before an OpenAPI document is removed. */
import { useRemoveApiDocument } from '#components/data/apis'
import type { OpenapiDocumentView } from '#lib/wire/openapi-documents'
import { RemoveUsed } from '../remove-used'

interface RemoveProps {
  readonly document: OpenapiDocumentView
  onClose(): void
}

export function RemoveApi({ document: { name, usedBy }, onClose }: RemoveProps) {
  const removal = useRemoveApiDocument()
  return (
    <RemoveUsed
      name={name}
      usedBy={usedBy}
      then="can still call the operations that were chosen, but changes to them are no longer noticed"
      removal={removal}
      onRemove={() => removal.mutate(name, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
