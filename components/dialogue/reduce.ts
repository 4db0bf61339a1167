/**
 * The reducer of a dialogue: from its state and an event, the next state and the effects due. Pure. It
 * decides what becomes of every late answer.
 */
import {
  canFollowUp,
  canSend,
  type DialogueDue,
  type DialogueEvent,
  type DialogueState,
  isBusy,
  isReached,
  type LateMessage,
  type ListedRun,
  type MessageTime,
  noRun,
  type Outcome,
  type Question,
  type Rules,
  type Thread,
  threadIdOf,
} from './dialogue-state'
import { addFiles, type GivenFile, readyArtifacts } from './given-files'

export function reduce(state: DialogueState, happening: DialogueEvent, rules: Rules): Outcome {
  const changed = change(state, happening, rules)
  // These effects follow from the new state, whatever event led to it.
  return [sendHeld, sendQuestion, placeFiles].reduce((known, advance) => {
    const { state: next, due } = advance(known.state, rules)
    return { state: next, due: [...known.due, ...due] }
  }, changed)
}

function outcome(state: DialogueState, ...due: DialogueDue[]): Outcome {
  return { state, due }
}

function alsoDue({ state, due }: Outcome, ...more: DialogueDue[]): Outcome {
  return { state, due: [...due, ...more] }
}

function change(state: DialogueState, happening: DialogueEvent, rules: Rules): Outcome {
  switch (happening.type) {
    case 'typed':
      return outcome({ ...state, draft: happening.text, problem: null })
    case 'sent':
      return sendDraft(state, happening.how ?? 'now', rules)
    case 'asked':
      return canSend(state, rules) && happening.input.trim() !== ''
        ? ask(state, { input: happening.input, isWritten: false }, rules)
        : outcome(state)
    case 'retried':
      return isBusy(state)
        ? outcome(state)
        : ask(state, { input: happening.input, isWritten: false, replaces: happening.runId }, rules)
    case 'heldTakenBack':
      return outcome({ ...state, held: null, draft: beforeDraft(state) })
    case 'messageTaken':
      return messageTaken(state, happening)
    case 'messageRefused':
      return outcome(messageRefused(state, happening))
    case 'waitingRemoved': {
      const run = state.waiting.find(({ id }) => id === happening.id)
      const { visit } = state
      return run === undefined
        ? outcome(state)
        : outcome(state, { do: 'withdraw', run, edits: happening.edits, visit })
    }
    case 'withdrawn':
      return outcome(...withdrawn(state, happening))
    case 'filesGiven': {
      const { nextKey } = state
      const files = addFiles(state.files, happening.files, nextKey)
      return outcome({ ...state, files, nextKey: nextKey + happening.files.length })
    }
    case 'fileRemoved':
      return outcome({ ...state, files: state.files.filter(({ key }) => key !== happening.key) })
    case 'fileUploaded':
    case 'fileDescribed':
      return outcome(withFile(state, happening.key, { state: 'ready', artifact: happening.artifact }))
    case 'fileRefused':
      return outcome(withFile(state, happening.key, { state: 'failed', reason: happening.reason }))
    case 'threadMade':
      return threadMade(state, happening)
    case 'threadRefused':
      return threadRefused(state, happening)
    case 'saved':
      return saved(state, happening.key)
    case 'saveFailed':
      return state.question?.key === happening.key && state.question.stage === 'save'
        ? outcome(giveBack(state), { do: 'showAgain' })
        : outcome(state)
    case 'runStarted':
      return runStarted(state, happening)
    case 'runRefused':
      return runRefused(state, happening)
    case 'runChanged':
      return runChanged(state, happening.run)
    case 'stopped':
      return stop(state)
    case 'left':
      return leave(state, happening.threadId)
    case 'threadWanted':
      return outcome({ ...state, opening: happening.id })
    case 'threadRead':
      return threadRead(state, happening)
    case 'runsListed':
      return runsListed(state, happening)
  }
  return happening satisfies never
}

type Of<T extends DialogueEvent['type']> = Extract<DialogueEvent, { type: T }>

/** Text that returns to the field is put before what was written since. */
function before(draft: string, text: string | null): string {
  if (text === null) return draft
  return draft === '' ? text : `${text}\n${draft}`
}

/** The draft, after a message that was held back. */
function beforeDraft({ draft, held }: DialogueState): string {
  return before(draft, held?.input ?? null)
}

function sendDraft(state: DialogueState, how: MessageTime, rules: Rules): Outcome {
  const input = state.draft
  if (input.trim() === '') return outcome(state)
  const next = { ...state, draft: '', problem: null }
  if (canSend(state, rules)) return ask(next, { input, isWritten: true }, rules)
  if (!canFollowUp(state, rules)) return outcome(state)
  return isReached(state) ? sendLate(next, { input, how }, rules) : outcome({ ...next, held: { input, how } })
}

function ask(
  state: DialogueState,
  asked: Pick<Question, 'input' | 'isWritten'> & { readonly replaces?: string },
  { overrides }: Rules,
): Outcome {
  const { input, isWritten, replaces = null } = asked
  // A question that is asked again already has its files.
  const taken = replaces === null ? state.files : []
  const question: Question = {
    key: state.nextKey,
    input,
    files: readyArtifacts(taken),
    fileKeys: taken.map(({ key }) => key),
    replaces,
    ...(overrides !== undefined && { overrides }),
    isWritten,
    stage: 'thread',
    runId: null,
    isStopped: false,
  }
  const next = { ...state, question, opening: null, nextKey: state.nextKey + 1 }
  return outcome(next, { do: 'showStarting' })
}

/** The question was not asked: it returns to the field, together with the message that was held back. */
function giveBack(state: DialogueState): DialogueState {
  const { question } = state
  const draft = beforeDraft(state)
  return {
    ...state,
    question: null,
    held: null,
    draft: question?.isWritten ? before(draft, question.input) : draft,
  }
}

function saved(state: DialogueState, key: number): Outcome {
  const { question } = state
  return question?.key === key && question.stage === 'save' ? start(state, question) : outcome(state)
}

function start(state: DialogueState, question: Question): Outcome {
  const starting: Question = { ...question, stage: 'start' }
  const due: DialogueDue = { do: 'start', question: starting, threadId: threadIdOf(state) }
  return outcome({ ...state, question: starting }, due)
}

function runStarted(state: DialogueState, { key, runId, threadId }: Of<'runStarted'>): Outcome {
  const asked = state.question?.key === key ? state.question : state.behind.find((each) => each.key === key)
  if (asked === undefined) return outcome(state)
  const filesOf = asked.files.length === 0 ? state.filesOf : new Map(state.filesOf).set(runId, asked.files)
  const cancel: DialogueDue[] = asked.isStopped ? [{ do: 'cancel', runId }] : []
  const refresh: DialogueDue = { do: 'refresh', threadId }
  if (asked !== state.question) return outcome({ ...withoutBehind(state, key), filesOf }, ...cancel, refresh)
  const next: DialogueState = {
    ...state,
    question: { ...asked, stage: 'begun', runId },
    // Files attached since then go with the next question.
    files: state.files.filter((each) => !asked.fileKeys.includes(each.key)),
    filesOf,
    run: { id: runId, threadId, isUnderWay: true, status: undefined },
  }
  return alsoDue(enter(next, threadId), { do: 'follow', runId }, ...cancel, refresh)
}

function runRefused(state: DialogueState, { key, error }: Of<'runRefused'>): Outcome {
  if (state.question?.key === key) return outcome(giveBack(state), { do: 'showRefusal', error })
  const left = state.behind.find((each) => each.key === key)
  const draft = left?.isWritten ? before(state.draft, left.input) : state.draft
  return outcome({ ...withoutBehind(state, key), draft })
}

function withoutBehind(state: DialogueState, key: number): DialogueState {
  return { ...state, behind: state.behind.filter((each) => each.key !== key) }
}

/** The dialogue continues in this thread. */
function enter(state: DialogueState, id: string): Outcome {
  if (threadIdOf(state) === id) return outcome(state)
  return outcome({ ...state, thread: { at: 'known', id } }, { do: 'keepThread', id })
}

function threadMade(state: DialogueState, { visit, id }: Of<'threadMade'>): Outcome {
  const isWanted = visit === state.visit && state.thread.at === 'making'
  const entered = isWanted ? enter(state, id) : outcome(state)
  return alsoDue(entered, { do: 'refresh', threadId: id })
}

function threadRefused(state: DialogueState, { visit, reason }: Of<'threadRefused'>): Outcome {
  if (visit !== state.visit || state.thread.at !== 'making') return outcome(state)
  const files = state.files.map(
    (each): GivenFile => (each.state === 'waiting' ? { ...each, state: 'failed', reason } : each),
  )
  return outcome({ ...state, files, thread: { at: 'none' } })
}

function withFile(state: DialogueState, key: number, more: Partial<GivenFile>): DialogueState {
  return { ...state, files: state.files.map((each) => (each.key === key ? { ...each, ...more } : each)) }
}

function runChanged(state: DialogueState, run: DialogueState['run']): Outcome {
  const next = { ...state, run }
  const entered = typeof run.threadId === 'string' ? enter(next, run.threadId) : outcome(next)
  const threadId = threadIdOf(entered.state)
  const hasEnded = run.id !== null && run.id === state.run.id && state.run.isUnderWay && !run.isUnderWay
  return hasEnded && threadId !== null ? alsoDue(entered, { do: 'refresh', threadId }) : entered
}

function stop(state: DialogueState): Outcome {
  const { question } = state
  if (question === null || question.stage === 'begun') return outcome(state)
  return question.stage === 'start'
    ? outcome({ ...state, question: { ...question, isStopped: true } })
    : outcome(giveBack(state), { do: 'showAgain' })
}

function leave(state: DialogueState, threadId: string | null): Outcome {
  const { question } = state
  // A message that was held back belongs to no thread yet, so it returns to the field.
  const draft = beforeDraft(state)
  const isSent = question === null || question.stage === 'start' || question.stage === 'begun'
  const thread: Thread = threadId === null ? { at: 'none' } : { at: 'known', id: threadId }
  const next: DialogueState = {
    ...state,
    visit: state.visit + 1,
    thread,
    draft: !isSent && question.isWritten ? before(draft, question.input) : draft,
    files: [],
    question: null,
    held: null,
    waiting: [],
    problem: null,
    behind: question?.stage === 'start' ? [...state.behind, question] : state.behind,
    opening: null,
    run: noRun,
  }
  return outcome(next, { do: 'unfollow' })
}

function threadRead(state: DialogueState, { id, lastRunId }: Of<'threadRead'>): Outcome {
  // While it was loading, another thread was opened or a question was asked.
  if (state.opening !== id) return outcome(state)
  const left = leave(state, id)
  return lastRunId === null ? left : alsoDue(left, { do: 'follow', runId: lastRunId })
}

/** Follows the last run of the thread if it is not over, as after a reload. */
function runsListed(known: DialogueState, { threadId, runs }: Of<'runsListed'>): Outcome {
  if (threadIdOf(known) !== threadId) return outcome(known)
  const state = withWaiting(known, runs)
  const { question, run } = state
  const last = runs.findLast(({ isBehind }) => !isBehind)
  if (last === undefined || last.isOver) return outcome(state)
  const isAsking = question !== null && question.stage !== 'begun'
  // A list without the followed run is older than that run, and may list a finished run as open.
  const isOld = run.id !== null && !runs.some(({ id }) => id === run.id)
  const isFollowed = last.id === run.id
  return isAsking || isOld || isFollowed ? outcome(state) : outcome(state, { do: 'follow', runId: last.id })
}

function withWaiting(state: DialogueState, runs: readonly ListedRun[]): DialogueState {
  const waiting = runs.filter(({ isBehind }) => isBehind).map(({ id, input }) => ({ id, input }))
  const isSame =
    waiting.length === state.waiting.length && waiting.every(({ id }, at) => id === state.waiting[at]?.id)
  return isSame ? state : { ...state, waiting }
}

/** A message that was held back goes once the question before it has begun. */
function sendHeld(state: DialogueState, rules: Rules): Outcome {
  const { held } = state
  if (held === null) return outcome(state)
  const free = { ...state, held: null }
  if (isReached(state)) return sendLate(free, held, rules)
  // The question before it did not begin, or its run is over already.
  return isBusy(state) ? outcome(state) : outcome({ ...free, draft: beforeDraft(state) })
}

function sendLate(
  state: DialogueState,
  { input, how }: Pick<LateMessage, 'input' | 'how'>,
  { overrides }: Rules,
): Outcome {
  const threadId = threadIdOf(state)
  if (threadId === null) return outcome({ ...state, draft: before(state.draft, input) })
  const files = readyArtifacts(state.files)
  const message: LateMessage = {
    key: state.nextKey,
    input,
    // A run that is under way takes words only, so files go with a run of their own.
    how: files.length > 0 ? 'after' : how,
    files,
    fileKeys: state.files.map(({ key }) => key),
    ...(overrides !== undefined && { overrides }),
  }
  const next = { ...state, late: [...state.late, message], nextKey: state.nextKey + 1 }
  return outcome(next, { do: 'sendLate', message, threadId })
}

function messageTaken(state: DialogueState, { key, runId, threadId, as }: Of<'messageTaken'>): Outcome {
  const message = state.late.find((each) => each.key === key)
  const refresh: DialogueDue = { do: 'refresh', threadId }
  if (message === undefined) return outcome(state, refresh)
  const next: DialogueState = {
    ...state,
    late: state.late.filter((each) => each !== message),
    files: state.files.filter((each) => !message.fileKeys.includes(each.key)),
  }
  if (threadIdOf(state) !== threadId || as === 'steered') return outcome(next, refresh)
  if (as === 'begun') return outcome(next, { do: 'follow', runId }, refresh)
  const isKnown = state.waiting.some(({ id }) => id === runId)
  const waiting = isKnown ? state.waiting : [...state.waiting, { id: runId, input: message.input }]
  return outcome({ ...next, waiting }, refresh)
}

/** The words return to the field. */
function messageRefused(state: DialogueState, { key, error }: Of<'messageRefused'>): DialogueState {
  const message = state.late.find((each) => each.key === key)
  if (message === undefined) return state
  const late = state.late.filter((each) => each !== message)
  return { ...state, late, draft: before(state.draft, message.input), problem: error.message }
}

function withdrawn(
  state: DialogueState,
  { run, edits, visit, isGone }: Of<'withdrawn'>,
): [DialogueState, ...DialogueDue[]] {
  const threadId = threadIdOf(state)
  if (visit !== state.visit || threadId === null) return [state]
  const waiting = state.waiting.filter(({ id }) => id !== run.id)
  const draft = edits && isGone ? before(state.draft, run.input) : state.draft
  return [
    { ...state, waiting, draft },
    { do: 'refresh', threadId },
  ]
}

/** A question moves on once its thread is known, or when no thread is being created. */
function sendQuestion(state: DialogueState, { savesFirst }: Rules): Outcome {
  const { question } = state
  if (question?.stage !== 'thread' || state.thread.at === 'making') return outcome(state)
  if (!savesFirst) return start(state, question)
  return outcome({ ...state, question: { ...question, stage: 'save' } }, { do: 'save', key: question.key })
}

/** Uploads files to the thread of the question; without a question, the first file creates the thread. */
function placeFiles(state: DialogueState): Outcome {
  const waiting = state.files.filter((each) => each.state === 'waiting')
  if (waiting.length === 0) return outcome(state)
  const { thread, question, run, visit } = state
  if (thread.at === 'known') {
    const files = state.files.map(
      (each): GivenFile => (each.state === 'waiting' ? { ...each, state: 'uploading' } : each),
    )
    const uploads = waiting.map(
      ({ key, file }): DialogueDue => ({ do: 'upload', key, file, threadId: thread.id }),
    )
    return outcome({ ...state, files }, ...uploads)
  }
  const isComing = run.threadId === undefined || (question !== null && question.stage !== 'begun')
  if (thread.at === 'making' || isComing) return outcome(state)
  return outcome({ ...state, thread: { at: 'making' } }, { do: 'makeThread', visit })
}
