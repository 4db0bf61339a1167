'use client'
/** The queries for skills, each under one key, and what changes them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from './client'

const skillKeys = {
  all: ['skills'] as const,
  one: (name: string) => ['skills', name] as const,
  file: (name: string, hash: string, path: string) => ['skills', name, hash, path] as const,
  changes: (name: string, from: string, to: string) => ['skills', name, from, to, 'changes'] as const,
}

export function useSkills() {
  return useQuery({ queryKey: skillKeys.all, queryFn: ({ signal }) => api.skills.list(signal) })
}

export function useSkill(name: string) {
  return useQuery({ queryKey: skillKeys.one(name), queryFn: ({ signal }) => api.skills.get(name, signal) })
}

/** One file of the version with this hash; what was read of it stays right when the skill changes. */
export function useSkillFile(name: string, hash: string, path: string) {
  return useQuery({
    queryKey: skillKeys.file(name, hash, path),
    queryFn: ({ signal }) => api.skills.file(name, { path, hash }, signal),
    retry: false,
  })
}

/** How the version that is here differs from an earlier one. */
export function useSkillChanges({ name, from, to }: { name: string; from: string; to: string }) {
  return useQuery({
    queryKey: skillKeys.changes(name, from, to),
    queryFn: ({ signal }) => api.skills.changes(name, from, signal),
    retry: false,
  })
}

/** The returned function resolves when the skills that are shown match the server. */
function useRefreshSkills(): () => Promise<unknown> {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: skillKeys.all }), [client])
}

export function usePreviewSkill() {
  return useMutation({ mutationFn: (archive: Blob) => api.skills.preview(archive) })
}

export function useImportSkill() {
  const refresh = useRefreshSkills()
  return useMutation({
    mutationFn: ({ archive, replaces }: { archive: Blob; replaces?: string | undefined }) =>
      api.skills.import(archive, replaces),
    onSettled: refresh,
  })
}

export function useRemoveSkill() {
  const refresh = useRefreshSkills()
  return useMutation({ mutationFn: (name: string) => api.skills.remove(name), onSettled: refresh })
}
