'use client'
/** What the run box holds between questions, and what asking one does. */
import { useEffect, useRef, useState } from 'react'
import { api } from '#components/data/client'
import { configOf, type ModelEntry, sameEntry } from '#components/models/entry'
import { useRun, useRunActions, useRunStore } from '#components/run/run-context'
import { isUnderWay } from '#components/run/under-way'
import type { Artifact } from '#lib/spec/artifact'
import { fileHindrance } from './attach-files'
import { threadAsked } from './thread-asked'
import { useAttachments } from './use-attachments'

export interface RunBoxProps {
  readonly agentId: string
  readonly canRun: boolean
  /** Why it cannot run, in one sentence. */
  readonly reason?: string
  readonly samples: readonly string[]
  /** Where the samples stand a second time: the empty trace, in view where this box is not. */
  readonly samplesAt?: HTMLElement | null
  /** The model drawn; null while its node is not finished. */
  readonly model: ModelEntry | null
  /** Draws another model, as one entry of the history. */
  onModel(entry: ModelEntry): void
  /** Stores what is drawn, so that what runs is what is seen; false keeps the run from starting. */
  onBeforeRun?(): Promise<boolean>
  /** Brings the entry of a call that waits for a person into view. */
  onReview?(path: string): void
}

const urlKey = 'run'

export function useRunBox({ agentId, canRun, reason, model, onBeforeRun }: RunBoxProps) {
  const { begin, watch, clear } = useRunActions()
  const [isStarting, setStarting] = useState(false)
  const [other, setOther] = useState<ModelEntry | null>(null)
  const [given, setGiven] = useState<ReadonlyMap<string, readonly Artifact[]>>(() => new Map())
  const [draft, setDraft] = useState('')
  // What a person asked for last is shown, not what is answered last.
  const opening = useRef<string | null>(null)
  const runId = useRememberedRun()
  const isBusy = useRun(isUnderWay)
  const thread = useThread(agentId)
  const attachments = useAttachments(thread.ensure)
  // Drawn in the meantime, it is no other model any more.
  const chosen = other !== null && (model === null || !sameEntry(other, model)) ? other : null
  const hindrance = canRun ? fileHindrance(attachments.items) : reason
  const isReady = canRun && hindrance === undefined && !isBusy && !isStarting
  /** True when the run has begun. */
  const run = async (input: string): Promise<boolean> => {
    if (input.trim() === '' || !isReady) return false
    setStarting(true)
    opening.current = null
    try {
      const sent = attachments.items
      const files = sent.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact]))
      const question = {
        input,
        ...(thread.id !== null && { threadId: thread.id }),
        ...(files.length > 0 && { files: files.map((each) => each.id) }),
        ...(chosen !== null && { overrides: { model: configOf(chosen) } }),
      }
      const started = await begin(agentId, question, onBeforeRun)
      if (started === null) return false
      if (files.length > 0) setGiven((known) => new Map(known).set(started, files))
      // Those given since go with the next question.
      for (const { key } of sent) attachments.remove(key)
      return true
    } finally {
      setStarting(false)
    }
  }
  /** What was written since stays, after it. */
  const giveBack = (text: string) => setDraft((typed) => (typed === '' ? text : `${text}\n${typed}`))
  const queue = useQueue({ isBusy, isStarting, run, onReturned: giveBack })
  const startOver = () => {
    opening.current = null
    queue.drop()
    clear()
    thread.forget()
    attachments.clear()
    remember(null)
  }
  /** Shows a thread by its last run; without any it only takes the next question. */
  const openThread = async (id: string) => {
    opening.current = id
    const { runs } = await api.threads.get(id)
    if (opening.current !== id) return false
    startOver()
    const last = runs.at(-1)
    if (last === undefined) thread.choose(id)
    else watch(last.id)
    return true
  }
  return {
    run,
    startOver,
    openThread,
    threadId: thread.id,
    draft,
    setDraft,
    queue,
    isReady,
    // From the moment it is sent a question is answered, though its run has no id yet.
    isBusy: isBusy || isStarting,
    isNew: thread.id === null && runId === null,
    hasThread: thread.id !== null,
    hindrance,
    given,
    attachments,
    chosen,
    setOther,
    settingsHref: settingsFrom(agentId, runId),
  }
}

export type RunBoxState = ReturnType<typeof useRunBox>

interface Queue {
  /** The question that goes when the run ends; null while none waits. */
  readonly text: string | null
  put(text: string): void
  /** Takes it back into the field. */
  takeBack(): void
  drop(): void
}

interface UseQueue {
  readonly isBusy: boolean
  readonly isStarting: boolean
  run(input: string): Promise<boolean>
  onReturned(text: string): void
}

/** Ends after which a follow-up still means what it meant when it was written. */
const goesOn: ReadonlySet<string> = new Set(['completed', 'max_steps', 'budget'])

/** One question asked while a run goes: sent when it ends, or given back when it ended otherwise than well. */
function useQueue({ isBusy, isStarting, run, onReturned }: UseQueue): Queue {
  const [text, put] = useState<string | null>(null)
  const status = useRun((known) => known.state?.status)
  useEffect(() => {
    if (text === null || isBusy || isStarting) return
    put(null)
    if (status === undefined || !goesOn.has(status)) onReturned(text)
    else
      void run(text).then((begun) => {
        if (!begun) onReturned(text)
      })
  })
  return {
    text,
    put,
    takeBack: () => {
      if (text !== null) onReturned(text)
      put(null)
    },
    drop: () => put(null),
  }
}

/** A reload in mid-run shows the same run again: the address holds it. */
function useRememberedRun(): string | null {
  const { watch, clear } = useRunActions()
  const runId = useRun((run) => run.runId)
  useEffect(() => {
    const known = new URL(window.location.href).searchParams.get(urlKey)
    if (known !== null) watch(known)
    return clear
  }, [watch, clear])
  useEffect(() => {
    if (runId !== null) remember(runId)
  }, [runId])
  return runId
}

/** The thread the next question goes to: that of the run followed, or one made for files that came before a question. */
function useThread(agentId: string) {
  const store = useRunStore()
  const followed = useRun((run) => run.threadId)
  const [id, setId] = useState<string | null>(null)
  const making = useRef<Promise<string> | null>(null)
  // A start that fails clears the run, and the thread it was asked in must outlive that.
  if (followed !== null && followed !== id) setId(followed)
  return {
    id,
    ensure: () => {
      if (id !== null) return Promise.resolve(id)
      const make = async () => {
        const found = (await threadAsked(store)) ?? (await api.threads.create({ agentId })).id
        setId(found)
        return found
      }
      making.current ??= make().finally(() => {
        making.current = null
      })
      return making.current
    },
    choose: setId,
    forget: () => setId(null),
  }
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
