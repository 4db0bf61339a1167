'use client'
/** The queries for providers and models, each under one key. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ProviderList, ProviderView, SaveProvider } from '#lib/wire/providers'
import { api } from './client'

export const modelKeys = {
  providers: ['providers'] as const,
  models: ['models'] as const,
}

export function useProviders() {
  return useQuery({ queryKey: modelKeys.providers, queryFn: ({ signal }) => api.providers.list(signal) })
}

/** The server asks each provider and caches the answer for a while. */
export function useModels() {
  return useQuery({
    queryKey: modelKeys.models,
    queryFn: ({ signal }) => api.models(signal),
    staleTime: 30_000,
  })
}

/** Asks a provider for its models; a test of the saved settings updates every screen that shows it. */
export function useProviderTest(name: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (unsaved?: SaveProvider) => api.providers.test(name, unsaved),
    onMutate: () => {
      const known = client.getQueryData<ProviderList>(modelKeys.providers)
      return known?.items.filter((each) => each.name === name).map(connectionOf)[0]
    },
    onSuccess: (test, unsaved, asked) => {
      if (unsaved !== undefined) return
      // The result does not apply to an address or a key saved since.
      const isOf = (each: ProviderView) => each.name === name && connectionOf(each) === asked
      client.setQueryData<ProviderList>(
        modelKeys.providers,
        (known) => known && { items: known.items.map((each) => (isOf(each) ? { ...each, test } : each)) },
      )
      void client.invalidateQueries({ queryKey: modelKeys.models })
    },
  })
}

/** The settings that a test was made with, as far as screens know them. */
function connectionOf({ baseUrl, key }: ProviderView): string {
  return JSON.stringify([baseUrl, key])
}
