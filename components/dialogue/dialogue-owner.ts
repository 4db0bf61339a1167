/**
 * Owns one dialogue: passes events to `reduce`, performs the effects that are due, and feeds the answers back
 * in.
 */
import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiError, api } from '#components/data/client'
import { ownUser } from '#components/data/own-user'
import { hasPageKey } from '#components/data/page-key'
import { asApiError, type FollowedRunStore, isUnderWay, type LiveRun } from '#components/run/run-store'
import type { CreatedRun, CreateRun, SteeredRun } from '#lib/wire/runs'
import {
  type DialogueDue,
  type DialogueEvent,
  type DialogueState,
  emptyDialogue,
  type FollowedRun,
  type Question,
  type Rules,
  threadIdOf,
} from './dialogue-state'
import { reduce } from './reduce'

/** What the dialogue needs from its page. Read again for each event, since the page may have changed. */
export interface DialoguePage {
  readonly rules: Rules
  /** The purpose of the threads that begin here. */
  readonly purpose?: 'test'
  /** Saves the drawing, on pages that save before a run; false keeps the run from starting. */
  save?(): Promise<boolean>
  /** Present on pages whose address holds the shown thread. */
  readonly address?: ThreadAddress
  /** Refetches the lists of threads and runs. */
  refresh(threadId: string): void
}

export interface ThreadAddress {
  read(): string | null
  /** Puts a thread into the address without adding an entry to the history. */
  keep(threadId: string): void
}

export interface DialogueOwner {
  readonly store: StoreApi<DialogueState>
  /** Call this before the first event, and whenever the page has changed. */
  setPage(page: DialoguePage): void
  happen(happening: DialogueEvent): void
  /** Leaves the dialogue if the address no longer holds its thread. */
  followAddress(): void
  /** Says what an uploaded file is; rejects when the server refuses. */
  describeFile(key: number, description: string): Promise<void>
  /** Shows an earlier thread; false if another thread, or an answer, was asked for while it was loading. */
  openThread(id: string): Promise<boolean>
  /** Follows the run of the page until the returned function is called. */
  open(): () => void
}

export function createDialogueOwner(agentId: string, run: FollowedRunStore): DialogueOwner {
  const store = createStore<DialogueState>(() => emptyDialogue)
  const queue: DialogueEvent[] = []
  let page: DialoguePage | null = null
  let isOpen = false
  let isAtWork = false

  /** Performing effects may cause more events; they wait until all current effects are performed. */
  const happen = (happening: DialogueEvent) => {
    queue.push(happening)
    if (isAtWork) return
    isAtWork = true
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const left = next.type === 'left' ? null : leftByAddress()
        if (left !== null) take(left)
        take(next)
      }
    } finally {
      isAtWork = false
    }
  }

  const take = (happening: DialogueEvent) => {
    if (page === null) throw new Error('a dialogue without a page')
    const { state, due } = reduce(store.getState(), happening, page.rules)
    store.setState(state, true)
    for (const each of due) perform(each, page)
  }

  /** The address may change before the page renders the change, for example with the back button. */
  const leftByAddress = (): DialogueEvent | null => {
    if (!isOpen || page?.address === undefined) return null
    const threadId = page.address.read()
    return threadId === threadIdOf(store.getState()) ? null : { type: 'left', threadId }
  }

  const perform = (due: DialogueDue, { save, purpose, address, refresh }: DialoguePage): void => {
    const { actions } = run
    switch (due.do) {
      case 'makeThread':
        void makeThread(due.visit, purpose)
        return
      case 'upload':
        void upload(due)
        return
      case 'save':
        void saveFirst(due.key, save)
        return
      case 'start':
        void start(due.question, due.threadId, purpose)
        return
      case 'sendLate':
        void sendLate(due, { purpose, save })
        return
      case 'withdraw':
        void withdraw(due)
        return
      case 'cancel':
        void actions.stop(due.runId)
        return
      case 'showStarting':
        actions.showStarting()
        return
      case 'showAgain':
        actions.showAgain()
        return
      case 'showRefusal':
        actions.showRefusal(due.error)
        return
      case 'follow':
        actions.watch(due.runId)
        return
      case 'unfollow':
        actions.clear()
        return
      case 'keepThread':
        address?.keep(due.id)
        return
      case 'refresh':
        refresh(due.threadId)
        return
    }
    due satisfies never
  }

  const saveFirst = async (key: number, save: DialoguePage['save']) => {
    const isSaved = save === undefined || (await save())
    happen({ type: isSaved ? 'saved' : 'saveFailed', key })
  }

  const makeThread = async (visit: number, purpose: DialoguePage['purpose']) => {
    try {
      const { id } = await api.threads.create({ agentId, ...(purpose && { purpose }) })
      happen({ type: 'threadMade', visit, id })
    } catch (error) {
      happen({ type: 'threadRefused', visit, reason: reasonOf(error) })
    }
  }

  const upload = async ({ key, file, threadId }: Extract<DialogueDue, { do: 'upload' }>) => {
    try {
      const artifact = await api.threads.files.upload(threadId, file)
      happen({ type: 'fileUploaded', key, artifact })
    } catch (error) {
      happen({ type: 'fileRefused', key, reason: reasonOf(error) })
    }
  }

  const describeFile = async (key: number, description: string) => {
    const { thread, files } = store.getState()
    const artifact = files.find((each) => each.key === key)?.artifact
    if (thread.at !== 'known' || artifact === undefined || artifact.path === null) return
    await api.threads.files.describe(thread.id, artifact.path, { description })
    const { description: _, ...plain } = artifact
    const described = description === '' ? plain : { ...plain, description }
    happen({ type: 'fileDescribed', key, artifact: described })
  }

  const start = async (question: Question, threadId: string | null, purpose: DialoguePage['purpose']) => {
    const { key } = question
    const body = { ...bodyOf(question, threadId), ...ownUserOf(agentId) }
    const answer = await api.runs.create(agentId, { ...body, ...(purpose && { purpose }) }).catch(asApiError)
    happen(
      answer instanceof ApiError
        ? { type: 'runRefused', key, error: answer }
        : { type: 'runStarted', key, runId: answer.id, threadId: answer.threadId },
    )
  }

  const sendLate = async (
    { message, threadId }: Extract<DialogueDue, { do: 'sendLate' }>,
    { purpose, save }: Pick<DialoguePage, 'purpose' | 'save'>,
  ) => {
    const { key, how } = message
    // A run of its own uses what is on the screen, as any other run of the page does.
    if (how === 'after' && save !== undefined && !(await save())) {
      happen({ type: 'messageRefused', key, error: unsaved })
      return
    }
    const body = {
      ...bodyOf({ ...message, replaces: null }, threadId),
      ...ownUserOf(agentId),
      ...(purpose && { purpose }),
    }
    const whenBusy = how === 'now' ? 'steer' : 'queue'
    const answer = await api.runs.create(agentId, { ...body, whenBusy }).catch(asApiError)
    if (answer instanceof ApiError) happen({ type: 'messageRefused', key, error: answer })
    else
      happen({ type: 'messageTaken', key, runId: answer.id, threadId: answer.threadId, as: takenAs(answer) })
  }

  const withdraw = async ({ run, edits, visit }: Extract<DialogueDue, { do: 'withdraw' }>) => {
    const isGone = await api.runs.withdraw(run.id).then(
      () => true,
      () => false,
    )
    happen({ type: 'withdrawn', run, edits, visit, isGone })
  }

  const openThread = async (id: string) => {
    happen({ type: 'threadWanted', id })
    const { runs } = await api.threads.get(id)
    if (store.getState().opening !== id) return false
    happen({ type: 'threadRead', id, lastRunId: runs.findLast((each) => !each.behind)?.id ?? null })
    return true
  }

  const open = () => {
    isOpen = true
    const look = (live: LiveRun) => {
      const known = store.getState().run
      const now = followedRun(live)
      if (!isSame(now, known)) happen({ type: 'runChanged', run: now })
      if (live.isStopWanted) happen({ type: 'stopped' })
    }
    const stop = run.store.subscribe(look)
    look(run.store.getState())
    return () => {
      stop()
      isOpen = false
      happen({ type: 'left', threadId: null })
    }
  }

  return {
    store,
    setPage: (next) => {
      page = next
    },
    happen,
    followAddress: () => {
      const left = leftByAddress()
      if (left !== null) happen(left)
    },
    openThread,
    describeFile,
    open,
  }
}

type Asked = Pick<Question, 'input' | 'files' | 'replaces' | 'overrides'>

function bodyOf({ input, files, replaces, overrides }: Asked, threadId: string | null): CreateRun {
  return {
    input,
    ...(threadId !== null && { threadId }),
    ...(files.length > 0 && { files: files.map(({ id }) => id) }),
    ...(replaces !== null && { replaces }),
    ...(overrides !== undefined && { overrides }),
  }
}

const unsaved = new ApiError({ code: 'unsaved', message: 'The drawing could not be saved.', status: 0 })

function takenAs(answer: CreatedRun | SteeredRun): 'steered' | 'behind' | 'begun' {
  if ('steered' in answer) return 'steered'
  return answer.behind ? 'behind' : 'begun'
}

function followedRun(live: LiveRun): FollowedRun {
  const { runId, threadId, state, connection } = live
  const isUntold = runId !== null && state === null && connection !== 'failed'
  return {
    id: runId,
    threadId: isUntold ? undefined : threadId,
    isUnderWay: isUnderWay(live),
    status: state?.status,
  }
}

function isSame(a: FollowedRun, b: FollowedRun): boolean {
  return a.id === b.id && a.threadId === b.threadId && a.isUnderWay === b.isUnderWay && a.status === b.status
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'not_found')
    return 'This thread no longer exists. Start a new one.'
  return error instanceof Error ? error.message : 'The question was not sent.'
}

/** The user whose memory the questions of this browser have; the holder of a key has that of the key. */
function ownUserOf(agentId: string): { user?: string } {
  const user = hasPageKey() ? undefined : ownUser(agentId)
  return user === undefined ? {} : { user }
}
