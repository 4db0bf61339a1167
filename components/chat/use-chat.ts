'use client'
/** One dialogue at work: which thread, which run is followed, and what asking, asking again and stopping do. */
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { keys } from '#components/data/agents'
import { api } from '#components/data/client'
import { chatKeys, useThread } from '#components/data/threads'
import { threadAsked } from '#components/dialogue/thread-asked'
import { type Attachments, useAttachments } from '#components/dialogue/use-attachments'
import { useRun, useRunActions, useRunStore } from '#components/run/run-context'
import { isUnderWay } from '#components/run/under-way'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary } from '#lib/wire/runs'
import { type GoToThread, threadInUrl, useThreadInUrl } from './use-thread-in-url'

/** A question on its way, until its run tells of itself; and what it was asked with. */
export interface Asked {
  /** Null until the server has taken it. */
  readonly runId: string | null
  readonly input: string
  readonly files: readonly Artifact[]
  readonly replaces: string | null
}

export interface Chat {
  readonly agentId: string
  readonly threadId: string | null
  /** Finished ones and the one followed, oldest first. */
  readonly runs: readonly RunSummary[]
  readonly thread: ReturnType<typeof useThread>
  readonly asked: Asked | null
  /** A run is followed, or begins. */
  readonly isBusy: boolean
  readonly attachments: Attachments
  /** True when the run has begun. */
  ask(input: string): Promise<boolean>
  askAgain(run: Pick<RunSummary, 'id' | 'input'>): Promise<boolean>
  show(threadId: string): void
  startOver(): void
}

export function useChat(agentId: string): Chat {
  const client = useQueryClient()
  const [threadId, goTo] = useThreadInUrl()
  const shown = useThread(threadId)
  const store = useRunStore()
  const { begin, clear } = useRunActions()
  const [asked, setAsked] = useState<Asked | null>(null)
  const isBusy = useRun(isUnderWay)
  const { stay, settle } = useLeaving(threadId, goTo, () => leave())
  const ensureThread = useEnsuredThread(agentId, threadId, stay)
  const attachments = useAttachments(ensureThread)
  useFollowedRun(shown.data?.runs, asked !== null && asked.runId === null)
  useThreadOfRun(stay)
  useFreshLists(agentId, threadId)
  useEffect(() => clear, [clear])
  const put = async (question: Omit<Asked, 'runId'>) => {
    // The address follows the first question's thread a moment later than its answer.
    const thread = settle() ?? store.getState().threadId
    const begun = { ...question, runId: null }
    setAsked(begun)
    const { input, files, replaces } = question
    const runId = await begin(agentId, {
      input,
      ...(thread !== null && { threadId: thread }),
      ...(files.length > 0 && { files: files.map((each) => each.id) }),
      ...(replaces !== null && { replaces }),
    })
    // Another thread may be shown by now, and then nothing else tells the lists of this run.
    setAsked((now) => (now !== begun ? now : runId === null ? null : { ...question, runId }))
    if (runId === null) return false
    void client.invalidateQueries({ queryKey: chatKeys.threads(agentId) })
    if (thread !== null) void client.invalidateQueries({ queryKey: chatKeys.thread(thread) })
    return true
  }
  const leave = () => {
    clear()
    setAsked(null)
    attachments.clear()
  }
  return {
    agentId,
    threadId,
    runs: shown.data?.runs ?? [],
    thread: shown,
    asked,
    isBusy,
    attachments,
    ask: async (input) => {
      const sent = attachments.items
      const files = sent.flatMap(({ artifact }) => (artifact === undefined ? [] : [artifact]))
      if (!(await put({ input, files, replaces: null }))) return false
      for (const { key } of sent) attachments.remove(key)
      return true
    },
    // The files of the question go along by themselves.
    askAgain: ({ id, input }) => put({ input, files: [], replaces: id }),
    show: (id) => {
      if (id !== threadId) goTo(id, 'push')
    },
    startOver: () => {
      // Where no other thread comes into the address, none is seen to be left.
      if (threadId === null) leave()
      goTo(null, 'push')
    },
  }
}

/**
 * Leaves a thread once another stands in the address, by whichever way it came there: before that its run would be found
 * going, and followed again.
 */
function useLeaving(threadId: string | null, goTo: GoToThread, leave: () => void) {
  const shown = useRef(threadId)
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  const show = useCallback((id: string | null) => {
    if (shown.current === id) return
    shown.current = id
    latest.current()
  }, [])
  useEffect(() => show(threadId), [threadId, show])
  return {
    /** Puts a thread into the address that goes on with what is shown. */
    stay: useCallback(
      (id: string) => {
        shown.current = id
        goTo(id, 'replace')
      },
      [goTo],
    ),
    /** Leaves what the address has left already, though the page has not followed it yet; gives the thread of the address. */
    settle: useCallback(() => {
      const id = threadInUrl()
      show(id)
      return id
    }, [show]),
  }
}

/**
 * A run of the thread that is not over is followed, as after a reload. A list that does not know the run followed is older
 * than it, and may call one open that is over.
 */
function useFollowedRun(runs: readonly RunSummary[] | undefined, isAsking: boolean): void {
  const { watch } = useRunActions()
  const followed = useRun((run) => run.runId)
  const last = runs?.at(-1)
  const open = last !== undefined && last.finishedAt === null ? last.id : null
  const isOld = followed !== null && runs !== undefined && !runs.some(({ id }) => id === followed)
  useEffect(() => {
    if (open !== null && followed !== open && !isAsking && !isOld) watch(open)
  }, [open, followed, isAsking, isOld, watch])
}

/** A thread made by its first question gets into the address once the run tells it. */
function useThreadOfRun(stay: (id: string) => void): void {
  const followed = useRun((run) => run.threadId)
  const before = useRef<string | null>(null)
  useEffect(() => {
    if (followed !== null && followed !== before.current && threadInUrl() === null) stay(followed)
    before.current = followed
  }, [followed, stay])
}

/** The thread that files are uploaded to, made when there is none yet. */
function useEnsuredThread(
  agentId: string,
  threadId: string | null,
  stay: (id: string) => void,
): () => Promise<string> {
  const client = useQueryClient()
  const store = useRunStore()
  const making = useRef<Promise<string> | null>(null)
  const shown = useRef(threadId)
  useEffect(() => {
    shown.current = threadId
  }, [threadId])
  return useCallback(() => {
    if (threadId !== null) return Promise.resolve(threadId)
    const make = async () => {
      const known = await threadAsked(store)
      if (known !== null) return known
      const { id } = await api.threads.create({ agentId })
      // A thread that was chosen meanwhile stays.
      if (shown.current === null) stay(id)
      void client.invalidateQueries({ queryKey: chatKeys.threads(agentId) })
      return id
    }
    making.current ??= make().finally(() => {
      making.current = null
    })
    return making.current
  }, [agentId, threadId, stay, client, store])
}

/** What is kept of thread and list is asked for again when a run begins and when it ends. */
function useFreshLists(agentId: string, threadId: string | null): void {
  const client = useQueryClient()
  const runId = useRun((run) => (run.state === null ? null : run.runId))
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a run that begins or ends is what is waited for
  useEffect(() => {
    if (runId === null) return
    void client.invalidateQueries({ queryKey: chatKeys.threads(agentId) })
    void client.invalidateQueries({ queryKey: keys.lastRuns })
    if (threadId !== null) void client.invalidateQueries({ queryKey: chatKeys.thread(threadId) })
  }, [client, agentId, threadId, runId, isOver])
}
