'use client'
/** Refetches everything that depends on a key, a secret or an endpoint after one has changed. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { modelKeys } from '#components/data/models'

export const secretsKey = ['secrets']

/** The returned function resolves when the shown providers, models and secrets match the server. */
export function useRefreshKeys(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(
    () =>
      Promise.all(
        [modelKeys.providers, modelKeys.models, secretsKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
    [client],
  )
}
