'use client'
/** The programs that can be installed for the sandbox: the list, and installing, cancelling and removing them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { WallPackageList, WallPackageView } from '#lib/wire/wall-packages'
import { call } from './call'

const queryKey = ['wall-packages']
/** How often the list is asked for while something is being installed. */
const everyMs = 500

export type WallPackageName = WallPackageView['name']

/** The list, asked for again while something is being installed. */
export function useWallPackages() {
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/sandbox/packages', { signal }),
    refetchInterval: ({ state }) => (isInstalling(state.data) ? everyMs : false),
  })
}

export function isInstalling(list: WallPackageList | undefined): boolean {
  return list?.items.some(({ installing }) => installing !== null) ?? false
}

/** One change of the packages; the list then shows its result. */
function useChange<V>(change: (value: V) => Promise<WallPackageList>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (list) => client.setQueryData(queryKey, list),
    onError: () => void client.invalidateQueries({ queryKey }),
  })
}

export function useInstallPackages() {
  return useChange(async (names: readonly WallPackageName[]) => {
    const lists = names.map((name) => call('POST /api/sandbox/packages/{name}', { params: { name } }))
    const [last] = (await Promise.all(lists)).slice(-1)
    if (last === undefined) throw new Error('There is nothing to install.')
    return last
  })
}

export function useCancelInstallation() {
  return useChange(async (names: readonly WallPackageName[]) => {
    const lists = names.map((name) => call('POST /api/sandbox/packages/{name}/cancel', { params: { name } }))
    const [last] = (await Promise.all(lists)).slice(-1)
    if (last === undefined) throw new Error('There is nothing to cancel.')
    return last
  })
}

/** Sends the archive of a package to the server. */
export function useInstallFromFile() {
  return useChange(({ name, content }: { name: WallPackageName; content: Blob }) =>
    call('POST /api/sandbox/packages/{name}/file', { params: { name }, body: content }),
  )
}

export function useRemovePackage() {
  return useChange((name: WallPackageName) =>
    call('DELETE /api/sandbox/packages/{name}', { params: { name } }),
  )
}
