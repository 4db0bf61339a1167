'use client'
/**
 * Lets a person fork the followed run: choosing a step or call opens the dialog, and the new fork opens when
 * it has been created.
 */
import { useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useRouter } from 'next/navigation'
import { type ReactNode, useCallback, useState } from 'react'
import { type ForkAim, ForkProvider } from '#components/run/fork-context'
import { useRun } from '#components/run/run-context'
import { runInside } from '#components/run/run-inside'

// Loaded when it is first opened.
const ForkDialog = dynamic(() => import('./fork-dialog').then((each) => each.ForkDialog), { ssr: false })

export function ForkPlace({ children }: { children: ReactNode }) {
  const [aim, setAim] = useState<ForkAim | null>(null)
  const router = useRouter()
  const client = useQueryClient()
  const parent = aim?.parent
  const step = useRun(({ state }) =>
    state === null ? undefined : runInside(state, parent)?.steps.find((each) => each.number === aim?.step),
  )
  const agent = useRun(({ state }) =>
    state === null || parent === undefined ? undefined : runInside(state, parent)?.start.agent.name,
  )
  const runId = useRun((run) => run.runId)
  const input = useRun(({ state }) => state?.start.input ?? '')
  const close = useCallback(() => setAim(null), [])
  const leave = useCallback(
    (id: string) => {
      setAim(null)
      void client.invalidateQueries({ queryKey: ['runs'] })
      router.push(`/runs/${id}`)
    },
    [client, router],
  )
  return (
    <ForkProvider fork={setAim}>
      {children}
      {aim !== null && step !== undefined && runId !== null && (
        <ForkDialog
          runId={runId}
          input={input}
          step={step}
          agent={agent}
          aim={aim}
          onClose={close}
          onForked={leave}
        />
      )}
    </ForkProvider>
  )
}
