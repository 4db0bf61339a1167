'use client'
/** What is asked for again once a key, a secret or an endpoint is another. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { modelKeys } from '#components/data/models'

export const secretsKey = ['secrets']

/** Resolves when providers, models and secrets shown stand as the server has them now. */
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
