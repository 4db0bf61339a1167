'use client'
/** Creates a new agent and opens it. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { starterGraph } from '#components/drawing/starter'

export function useNewAgent() {
  const router = useRouter()
  const client = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const [catalog, agents] = await Promise.all([api.catalog(), api.agents.list()])
      return api.agents.create({
        graph: starterGraph(catalog, new Set(agents.items.map((each) => each.name))),
      })
    },
    onSuccess: ({ id }) => {
      void client.invalidateQueries({ queryKey: keys.agents })
      router.push(`/agents/${encodeURIComponent(id)}`)
    },
  })
  return {
    // The shortcut may be pressed again before the new agent exists.
    make: () => {
      if (!isPending) mutate()
    },
    isMaking: isPending,
    error,
  }
}
