'use client'
/** The queries for memories and collections, and what changes them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { CreateCollection, SaveEmbeddings, SearchCollections } from '#lib/wire/knowledge'
import type { MemoryQuery } from '#lib/wire/memory'
import { api } from './client'

const knowledgeKey = ['knowledge'] as const
const embeddingsKey = ['embeddings'] as const
const memoryKey = (agentId: string) => ['agents', agentId, 'memory'] as const

export function useCollections() {
  return useQuery({ queryKey: knowledgeKey, queryFn: ({ signal }) => api.knowledge.list(signal) })
}

export function useCollection(name: string) {
  return useQuery({
    queryKey: [...knowledgeKey, name],
    queryFn: ({ signal }) => api.knowledge.get(name, signal),
  })
}

/** The returned function resolves when the collections that are shown match the server. */
export function useRefreshCollections(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: knowledgeKey }), [client])
}

export function useCreateCollection() {
  const onSettled = useRefreshCollections()
  return useMutation({ mutationFn: (body: CreateCollection) => api.knowledge.create(body), onSettled })
}

export function useRemoveCollection() {
  const onSettled = useRefreshCollections()
  return useMutation({ mutationFn: (name: string) => api.knowledge.remove(name), onSettled })
}

export function useRemoveFile(collection: string) {
  const onSettled = useRefreshCollections()
  return useMutation({ mutationFn: (id: string) => api.knowledge.removeFile(collection, id), onSettled })
}

export function useSearchCollections() {
  return useMutation({ mutationFn: (body: SearchCollections) => api.knowledge.search(body) })
}

/** Asked again while texts are still without vectors. */
export function useEmbeddings() {
  return useQuery({
    queryKey: embeddingsKey,
    queryFn: ({ signal }) => api.embeddings.get(signal),
    refetchInterval: ({ state: { data } }) => (data?.model && data.done < data.texts ? 1_500 : false),
  })
}

export function useSaveEmbeddings() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: SaveEmbeddings) => api.embeddings.save(body),
    onSuccess: (view) => client.setQueryData(embeddingsKey, view),
  })
}

export function useMemoryOwners(agentId: string) {
  return useQuery({
    queryKey: [...memoryKey(agentId), 'owners'],
    queryFn: ({ signal }) => api.memory.owners(agentId, signal),
  })
}

export function useMemories(agentId: string, query: MemoryQuery) {
  return useQuery({
    queryKey: [...memoryKey(agentId), query],
    queryFn: ({ signal }) => api.memory.list(agentId, query, signal),
    placeholderData: (before) => before,
  })
}

export function useChangeMemory(agentId: string) {
  const client = useQueryClient()
  const onSettled = () => client.invalidateQueries({ queryKey: memoryKey(agentId) })
  return {
    edit: useMutation({
      mutationFn: ({ id, text }: { id: string; text: string }) => api.memory.edit(agentId, id, { text }),
      onSettled,
    }),
    forget: useMutation({ mutationFn: (id: string) => api.memory.forget(agentId, id), onSettled }),
    forgetAll: useMutation({
      mutationFn: (owner: string) => api.memory.forgetAll(agentId, { owner }),
      onSettled,
    }),
  }
}
