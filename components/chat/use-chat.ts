'use client'
/**
 * The dialogue of the chat: its thread is the one in the address, its answers are the runs listed by the
 * server.
 */
import { useEffect, useMemo } from 'react'
import { useThread } from '#components/data/threads'
import type { ThreadAddress } from '#components/dialogue/dialogue-owner'
import type { Question } from '#components/dialogue/dialogue-state'
import { type Dialogue, useDialogue } from '#components/dialogue/use-dialogue'
import { useRun } from '#components/run/run-context'
import type { RunSummary } from '#lib/wire/runs'
import type { ChatAgent } from './chat-agent'
import { threadInUrl, useThreadInUrl } from './use-thread-in-url'

export interface Chat {
  readonly agentId: string
  readonly threadId: string | null
  /** Finished runs and the followed one, oldest first. */
  readonly runs: readonly RunSummary[]
  readonly thread: ReturnType<typeof useThread>
  readonly dialogue: Dialogue
  /** The last question; its run may not be listed yet. */
  readonly question: Question | null
  /** Whether a question is being sent or a run is under way. */
  readonly isBusy: boolean
  /** Whether a call of the followed run waits for a person. */
  readonly isWaiting: boolean
  /** The chat is the whole page, so its answers lead nowhere else in the product. */
  readonly isBare: boolean
  /** It belongs to the holder of a key. */
  readonly hasKey: boolean
  show(threadId: string): void
  startOver(): void
}

const noRuns: readonly RunSummary[] = []

export function useChat({ id: agentId, hindrance, isBare, hasKey }: ChatAgent): Chat {
  const [threadId, goTo] = useThreadInUrl()
  const shown = useThread(threadId)
  const address = useMemo(
    (): ThreadAddress => ({ read: threadInUrl, keep: (id) => goTo(id, 'replace') }),
    [goTo],
  )
  const dialogue = useDialogue(agentId, {
    rules: { canAsk: hindrance === undefined, savesFirst: false },
    address,
  })
  const { state, acts } = dialogue
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page has followed the address to another thread
  useEffect(() => acts.followAddress(), [acts, threadId])
  const runs = shown.data?.runs
  const followed = useRun((run) => run.runId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a list says depends on the run that is followed
  useEffect(() => {
    if (threadId !== null && runs !== undefined) acts.listRuns(threadId, runs)
  }, [acts, threadId, runs, followed, state.question?.stage])
  // Runs that wait for the thread are listed at the composer.
  const begun = useMemo(() => runs?.filter(({ behind }) => !behind) ?? noRuns, [runs])
  return {
    agentId,
    threadId,
    runs: begun,
    thread: shown,
    dialogue,
    question: state.question,
    isBusy: dialogue.isBusy,
    isWaiting: state.run.isUnderWay && state.run.status === 'waiting',
    isBare,
    hasKey,
    show: (id) => {
      if (id === threadId) return
      goTo(id, 'push')
      acts.followAddress()
    },
    startOver: () => {
      goTo(null, 'push')
      // If the address held no thread, it does not change, so the dialogue is left explicitly.
      acts.leave(null)
    },
  }
}
