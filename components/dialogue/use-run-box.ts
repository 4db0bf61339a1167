'use client'
/**
 * What the builder's run box adds to the dialogue: another model for its questions, and the run in the
 * address.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useThread } from '#components/data/threads'
import { configOf, type ModelEntry, sameEntry } from '#components/models/entry'
import { useRun, useRunActions } from '#components/run/run-context'
import { threadIdOf } from './dialogue-state'
import { type Dialogue, useDialogue } from './use-dialogue'

export interface RunBoxProps {
  readonly agentId: string
  readonly canRun: boolean
  /** Why it cannot run, in one sentence. */
  readonly reason?: string
  readonly samples: readonly string[]
  /** Where the samples are shown a second time: the empty trace, which is visible where this box is not. */
  readonly samplesAt?: HTMLElement | null
  /** The model in the drawing; null while its node is incomplete. */
  readonly model: ModelEntry | null
  /** Changes the model in the drawing, as one entry of the undo history. */
  onModel(entry: ModelEntry): void
  /** Saves the drawing, so that the run uses what is on the screen; false keeps the run from starting. */
  onBeforeRun?(): Promise<boolean>
  /** The calls that wait for a person, where nothing else on the page shows them. */
  readonly asks?: ReactNode
  /** Shows a call that waits for a person; called with the path of its entry. */
  onReview?(path: string): void
}

const urlKey = 'run'

export function useRunBox({ agentId, canRun, reason, model, onBeforeRun }: RunBoxProps) {
  const [other, setOther] = useState<ModelEntry | null>(null)
  // Once it is in the drawing, it no longer differs from the drawing's own model.
  const chosen = other !== null && (model === null || !sameEntry(other, model)) ? other : null
  const dialogue = useDialogue(agentId, {
    rules: {
      canAsk: canRun,
      savesFirst: onBeforeRun !== undefined,
      ...(chosen !== null && { overrides: { model: configOf(chosen) } }),
    },
    purpose: 'test',
    ...(onBeforeRun !== undefined && { save: onBeforeRun }),
  })
  const runId = useRememberedRun(dialogue.state.visit)
  useListedRuns(dialogue)
  return {
    dialogue,
    chosen,
    setOther,
    hindrance: canRun ? dialogue.fileHindrance : reason,
    settingsHref: settingsFrom(agentId, runId),
  }
}

/** The next run of the thread is followed once it begins, and those that wait are shown. */
function useListedRuns({ state, acts }: Dialogue): void {
  const threadId = threadIdOf(state)
  const runs = useThread(threadId).data?.runs
  const { stage } = state.question ?? {}
  // biome-ignore lint/correctness/useExhaustiveDependencies: what a list says depends on the question's stage
  useEffect(() => {
    if (threadId !== null && runs !== undefined) acts.listRuns(threadId, runs)
  }, [acts, threadId, runs, stage])
}

export type RunBoxState = ReturnType<typeof useRunBox>

/** A reload shows the same run again: its id stays in the address until the dialogue is left. */
function useRememberedRun(visit: number): string | null {
  const { watch } = useRunActions()
  const runId = useRun((run) => run.runId)
  useEffect(() => {
    const known = new URL(window.location.href).searchParams.get(urlKey)
    if (known !== null) watch(known)
  }, [watch])
  useEffect(() => {
    if (runId !== null) remember(runId)
  }, [runId])
  const left = useRef(visit)
  useEffect(() => {
    // A refused run leaves the id of the run before it in the address; only leaving the dialogue removes it.
    if (visit !== left.current) remember(runId)
    left.current = visit
  }, [visit, runId])
  return runId
}

function settingsFrom(agentId: string, runId: string | null): string {
  const back = `/agents/${encodeURIComponent(agentId)}${runId === null ? '' : `?run=${runId}`}`
  return `/settings?back=${encodeURIComponent(back)}#models`
}

function remember(runId: string | null): void {
  const url = new URL(window.location.href)
  if (runId === null) url.searchParams.delete(urlKey)
  else url.searchParams.set(urlKey, runId)
  window.history.replaceState(window.history.state, '', url)
}
