'use client'
/** The dialogue of a page, for the builder's run box and the chat: its state and its actions. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { StoreApi } from 'zustand/vanilla'
import { keys } from '#components/data/agents'
import { chatKeys } from '#components/data/threads'
import { useRunActions, useRunStore } from '#components/run/run-context'
import type { RunSummary } from '#lib/wire/runs'
import { createDialogueOwner, type DialoguePage } from './dialogue-owner'
import { canFollowUp, canSend, type DialogueState, isBusy, type MessageTime } from './dialogue-state'
import { fileHindrance } from './given-files'

export interface Dialogue {
  /** Without the draft, which changes with each key press and matters to the composer alone. */
  readonly state: Omit<DialogueState, 'draft'>
  readonly store: StoreApi<DialogueState>
  /** Whether a question is being sent or a run is under way. */
  readonly isBusy: boolean
  readonly canSend: boolean
  readonly canFollowUp: boolean
  /** Why the attached files keep a question from being sent. */
  readonly fileHindrance: string | undefined
  readonly acts: DialogueActs
}

/** The actions of a person. Their identity is stable across renders. */
export interface DialogueActs {
  type(text: string): void
  /** Sends the draft. While a run is under way, `how` says when it is read. */
  send(how?: MessageTime): void
  ask(input: string): void
  /** Asks the question of a run again. */
  retry(run: { readonly id: string; readonly input: string }): void
  takeHeldBack(): void
  /** Deletes a run that waits for its thread; with `edits`, its question returns to the field. */
  removeWaiting(id: string, edits: boolean): void
  giveFiles(files: readonly File[]): void
  removeFile(key: number): void
  /** Says what an uploaded file is; rejects when the server refuses. */
  describeFile(key: number, description: string): Promise<void>
  /** Switches to another thread; null begins a new one. */
  leave(threadId: string | null): void
  followAddress(): void
  openThread(id: string): Promise<boolean>
  /** Reports the runs of a thread as listed by the server, oldest first. */
  listRuns(
    threadId: string,
    runs: readonly Pick<RunSummary, 'id' | 'input' | 'finishedAt' | 'behind'>[],
  ): void
}

export function useDialogue(agentId: string, page: Omit<DialoguePage, 'refresh'>): Dialogue {
  const client = useQueryClient()
  const store = useRunStore()
  const actions = useRunActions()
  const [owner] = useState(() => createDialogueOwner(agentId, { store, actions }))
  const state = useStore(owner.store, useShallow(withoutDraft))
  useEffect(() => {
    owner.setPage({
      ...page,
      refresh: (threadId) => {
        void client.invalidateQueries({ queryKey: chatKeys.threads(agentId) })
        void client.invalidateQueries({ queryKey: chatKeys.thread(threadId) })
        void client.invalidateQueries({ queryKey: keys.lastRuns })
      },
    })
  })
  useEffect(() => owner.open(), [owner])
  const acts = useMemo((): DialogueActs => {
    const { happen, followAddress, openThread, describeFile } = owner
    return {
      type: (text) => happen({ type: 'typed', text }),
      send: (how) => happen({ type: 'sent', ...(how && { how }) }),
      ask: (input) => happen({ type: 'asked', input }),
      retry: ({ id, input }) => happen({ type: 'retried', runId: id, input }),
      takeHeldBack: () => happen({ type: 'heldTakenBack' }),
      removeWaiting: (id, edits) => happen({ type: 'waitingRemoved', id, edits }),
      giveFiles: (files) => happen({ type: 'filesGiven', files }),
      removeFile: (key) => happen({ type: 'fileRemoved', key }),
      describeFile,
      leave: (threadId) => happen({ type: 'left', threadId }),
      followAddress,
      openThread,
      listRuns: (threadId, runs) => {
        const listed = runs.map(({ id, input, finishedAt, behind = false }) => {
          return { id, input, isOver: finishedAt !== null, isBehind: behind }
        })
        happen({ type: 'runsListed', threadId, runs: listed })
      },
    }
  }, [owner])
  return {
    state,
    store: owner.store,
    isBusy: isBusy(state),
    canSend: canSend(state, page.rules),
    canFollowUp: canFollowUp(state, page.rules),
    fileHindrance: fileHindrance(state.files),
    acts,
  }
}

function withoutDraft({ draft: _, ...rest }: DialogueState): Omit<DialogueState, 'draft'> {
  return rest
}
