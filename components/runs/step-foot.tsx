'use client'
/** Actions on a step: fork the run from here, and copy its exact request. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useCommands } from '#components/commands/commands-context'
import { stepRequestQuery } from '#components/data/runs'
import { useFork } from '#components/run/fork-context'
import { Kbd } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import type { StepState } from '#lib/spec/state'
import styles from './step-detail.module.css'

export interface StepFootProps {
  readonly runId: string
  readonly step: StepState
  /** The ids of the calls around the run, if it is inside a call. */
  readonly parent: string | undefined
}

export function StepFoot({ runId, step: { number, request }, parent }: StepFootProps) {
  const fork = useFork()
  const client = useQueryClient()
  const text = useCallback(async () => {
    const asked = await client.fetchQuery(stepRequestQuery(runId, { step: number, parent }))
    return JSON.stringify(asked.request, null, 2)
  }, [client, runId, number, parent])
  const commands = useMemo(
    () =>
      fork === null
        ? []
        : [
            {
              id: 'run.fork',
              label: `Fork from step ${number}`,
              group: 'Run',
              icon: 'git-fork',
              keys: ['F'],
              run: () => fork({ step: number }),
            },
          ],
    [fork, number],
  )
  useCommands(commands)
  if (fork === null && request === undefined) return null
  return (
    <footer className={styles.foot}>
      {fork !== null && (
        <Button variant="primary" icon="git-fork" onClick={() => fork({ step: number })}>
          Fork from step {number} <Kbd>F</Kbd>
        </Button>
      )}
      {request !== undefined && <CopyButton isWide label="Copy request" text={text} />}
    </footer>
  )
}
