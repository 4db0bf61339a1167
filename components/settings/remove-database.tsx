'use client'
/** Asks before a database is removed from the list, and names the passwords that are deleted with it. */
import { useMutation } from '@tanstack/react-query'
import { api } from '#components/data/client'
import { RemovalDialog } from '#components/ui/removal-dialog'
import type { DatabaseView } from '#lib/wire/databases'
import { removalWords } from './database-words'
import { useRefreshDatabases } from './use-refresh-databases'

export function RemoveDatabase({ database, onClose }: { database: DatabaseView; onClose(): void }) {
  const refresh = useRefreshDatabases()
  const removal = useMutation({
    mutationFn: () => api.databases.remove(database.name),
    onSuccess: async () => {
      onClose()
      await refresh()
    },
  })
  return (
    <RemovalDialog
      title={`Remove ${database.name}?`}
      verb="Remove"
      isPending={removal.isPending}
      error={removal.error}
      onRemove={() => removal.mutate()}
      onClose={onClose}
    >
      <p>{removalWords(database)}</p>
    </RemovalDialog>
  )
}
