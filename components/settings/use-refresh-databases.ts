/** Reads the databases again, and the secrets that hold their passwords. */
import { useQueryClient } from '@tanstack/react-query'
import { secretsKey } from './use-refresh-keys'

export const databasesKey = ['databases']

export function useRefreshDatabases(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await Promise.all([databasesKey, secretsKey].map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}
