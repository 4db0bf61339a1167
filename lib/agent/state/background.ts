/** Calls in the background: which still run, and how the model reads the results of those that have ended. */
import type { Message } from '#lib/spec/message'
import type { CallState, RunState } from '#lib/spec/state'

/** What the model reads as the result of a call that has just begun in the background. */
export function backgroundText({ id }: Pick<CallState, 'id'>): string {
  return `Started in the background as ${id}. Its result comes in a later message, once the call has ended. Until then, do not make the same call again.`
}

/** The calls in the background that have no result yet. */
export function runningInBackground({ background = [] }: Pick<RunState, 'background'>): CallState[] {
  return background.filter(({ result }) => result === undefined)
}

/** Calls in the background that have ended, and whose results the model has not read. */
export function endedInBackground({ background = [] }: Pick<RunState, 'background'>): CallState[] {
  return background.filter(({ result }) => result !== undefined)
}

/** Adds the results of calls that have ended to the dialogue, in the order in which they ended. */
export function noteEnded(state: RunState): CallState[] {
  const ended = inOrderOfEnd(endedInBackground(state))
  if (ended.length === 0) return []
  state.background = runningInBackground(state)
  for (const call of ended) state.messages.push(resultNote(call))
  return ended
}

/** The notes that the run ended without telling its model. The next run of the thread reads them. */
export function unreadNotes(state: RunState): Message[] {
  return inOrderOfEnd(endedInBackground(state)).map(resultNote)
}

function inOrderOfEnd(calls: CallState[]): CallState[] {
  return calls.sort((a, b) => (a.endSeq ?? 0) - (b.endSeq ?? 0))
}

/** The note says that its text is a result: a message of the user would otherwise count as the user's words. */
function resultNote({ id, name, status, result }: CallState): Message {
  const ending = status === 'ok' ? 'has ended' : `has ended with the status ${status}`
  const head = `The call ${id} of ${name}, which ran in the background, ${ending}.`
  return {
    role: 'user',
    text: `[${head} What follows is its result, not words of the user.]\n${result?.text ?? ''}`,
  }
}
