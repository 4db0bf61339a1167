'use client'
/** The queries for OpenAPI documents, each under one key, and what changes them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { AddOpenapiDocument } from '#lib/wire/openapi-documents'
import { api } from './client'

const apiKeys = {
  documents: ['openapi-documents'] as const,
  document: (name: string) => ['openapi-documents', name] as const,
}

export function useApiDocuments() {
  return useQuery({
    queryKey: apiKeys.documents,
    queryFn: ({ signal }) => api.openapiDocuments.list(signal),
  })
}

/** One document with its operations; nothing is asked while the name is empty. */
export function useApiDocument(name: string) {
  return useQuery({
    queryKey: apiKeys.document(name),
    queryFn: ({ signal }) => api.openapiDocuments.get(name, signal),
    enabled: name !== '',
    retry: false,
  })
}

/** The returned function resolves when the documents that are shown match the server. */
function useRefreshApis(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: apiKeys.documents }), [client])
}

/** Adds a document, or reads one again. */
export function useAddApiDocument() {
  const refresh = useRefreshApis()
  return useMutation({
    mutationFn: (body: AddOpenapiDocument) => api.openapiDocuments.add(body),
    onSettled: refresh,
  })
}

export function useRemoveApiDocument() {
  const refresh = useRefreshApis()
  return useMutation({ mutationFn: (name: string) => api.openapiDocuments.remove(name), onSettled: refresh })
}
