'use client'
/** Deletes runs and takes the deletion back for ten seconds. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, api } from '#components/data/client'

export interface Removed {
  readonly ids: readonly string[]
  /** How many runs stayed because they are not finished. */
  readonly unfinished: number
}

export interface RunRemoval {
  /** What was deleted last, while it can be restored. */
  readonly removed: Removed | null
  readonly fault: string | null
  /** The runs are removed from the list at once. */
  remove(ids: readonly string[]): Promise<void>
  undo(): Promise<void>
  dismiss(): void
}

/** Milliseconds; the server waits a little longer. */
const undoMs = 10_000
/** The most runs that one request deletes. */
const atOnce = 200

export function useRemoval(): RunRemoval {
  const queries = useQueryClient()
  const [removed, setRemoved] = useState<Removed | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    if (removed === null) return
    const timer = setTimeout(() => setRemoved(null), undoMs)
    return () => clearTimeout(timer)
  }, [removed])

  async function change(work: () => Promise<void>): Promise<void> {
    setFault(null)
    try {
      await work()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFault(error.message)
    }
    await queries.invalidateQueries({ queryKey: ['runs'] })
  }

  return {
    removed,
    fault,
    remove: (ids) =>
      change(async () => {
        const all: Removed = { ids: [], unfinished: 0 }
        const parts = Array.from({ length: Math.ceil(ids.length / atOnce) }, (_, at) =>
          ids.slice(at * atOnce, (at + 1) * atOnce),
        )
        const answers = await Promise.all(parts.map((part) => api.runs.remove(part)))
        setRemoved(
          answers.reduce(
            (sum, { deleted, unfinished }) => ({
              ids: [...sum.ids, ...deleted],
              unfinished: sum.unfinished + unfinished.length,
            }),
            all,
          ),
        )
      }),
    undo: () =>
      change(async () => {
        if (removed === null) return
        for (let at = 0; at < removed.ids.length; at += atOnce)
          await api.runs.bringBack(removed.ids.slice(at, at + atOnce))
        setRemoved(null)
      }),
    dismiss: () => setRemoved(null),
  }
}
