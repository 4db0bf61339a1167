'use client'
/** What the builder's box adds to the dialogue: another model for its questions, and the run in the address. */
import { useEffect, useRef, useState } from 'react'
import { configOf, type ModelEntry, sameEntry } from '#components/models/entry'
import { useRun, useRunActions } from '#components/run/run-context'
import { useDialogue } from './use-dialogue'

export interface RunBoxProps {
  readonly agentId: string
  readonly canRun: boolean
  /** Why it cannot run, in one sentence. */
  readonly reason?: string
  readonly samples: readonly string[]
  /** Where the samples are shown a second time: the empty trace, in view where this box is not. */
  readonly samplesAt?: HTMLElement | null
  /** The model drawn; null while its node is not finished. */
  readonly model: ModelEntry | null
  /** Draws another model, as one entry of the history. */
  onModel(entry: ModelEntry): void
  /** Saves what is drawn, so that what runs is what is seen; false keeps the run from starting. */
  onBeforeRun?(): Promise<boolean>
  /** Brings the entry of a call that waits for a person into view. */
  onReview?(path: string): void
}

const urlKey = 'run'

export function useRunBox({ agentId, canRun, reason, model, onBeforeRun }: RunBoxProps) {
  const [other, setOther] = useState<ModelEntry | null>(null)
  // Once it is drawn, it is no other model any more.
  const chosen = other !== null && (model === null || !sameEntry(other, model)) ? other : null
  const dialogue = useDialogue(agentId, {
    rules: {
      canAsk: canRun,
      hasFollowUps: true,
      savesFirst: onBeforeRun !== undefined,
      ...(chosen !== null && { overrides: { model: configOf(chosen) } }),
    },
    ...(onBeforeRun !== undefined && { save: onBeforeRun }),
  })
  const runId = useRememberedRun(dialogue.state.visit)
  return {
    dialogue,
    chosen,
    setOther,
    hindrance: canRun ? dialogue.fileHindrance : reason,
    settingsHref: settingsFrom(agentId, runId),
  }
}

export type RunBoxState = ReturnType<typeof useRunBox>

/** A reload shows the same run again: the address holds it until the dialogue is left. */
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
    // A run that is refused leaves the run before it in the address: only leaving takes it away.
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
