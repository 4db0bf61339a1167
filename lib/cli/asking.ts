/** Puts what the calls of a run ask to the person at the terminal: one after the other, and each once. */
import type { Decisions } from '#lib/agent/call/decisions'
import { openCallAt } from '#lib/agent/call/inside'
import { runningInBackground } from '#lib/agent/state/background'
import { type AskingCall, askingCallsOf, openInputsOf } from '#lib/agent/state/reading'
import { isAskingAtWork } from '#lib/agent/state/waiting'
import type { RunEvent } from '#lib/spec/event'
import type { AskedInput, InputQuestion, InputReply } from '#lib/spec/input'
import type { RunState } from '#lib/spec/state'
import { decide } from './approve'
import type { Person } from './person'

interface AskingGiven {
  readonly person: Person
  readonly approvesAll: boolean
  readonly decisions: Decisions
  readonly signal: AbortSignal
  reply(question: InputQuestion): Promise<InputReply>
}

export interface AskingLine {
  /** Asks while the run is at work, where the run does not come to rest before it has the answer. */
  heed(event: RunEvent): void
  /** Asks about everything that is open; resolves once it is answered. */
  askAll(): Promise<void>
}

/** @param state the state of the run, which changes while the run is at work */
export function createAsking(state: RunState, given: AskingGiven): AskingLine {
  // By their objects: when the run inside a call begins once more, its calls have the same ids again.
  const asked = new WeakSet<object>()
  let line = Promise.resolve()

  const once = (what: object, ask: () => Promise<void>) => {
    if (asked.has(what)) return
    asked.add(what)
    line = line.then(ask)
  }

  const askAbout = (asking: AskingCall) => {
    const { call, path } = asking
    const { approval } = call
    if (approval !== undefined && isUndecided(asking)) once(approval, () => askToDecide(state, asking, given))
    for (const input of openInputsOf(call)) once(input, () => askToReply(state, path, { input, ...given }))
  }

  return {
    heed({ type }) {
      if (!mayAsk.has(type)) return
      // With calls in the background the run may stay at work until somebody answers.
      const isBusy = runningInBackground(state).length > 0
      for (const each of askingCallsOf(state)) if (isBusy || isAskingAtWork(each.call)) askAbout(each)
    },
    askAll() {
      for (const each of askingCallsOf(state)) askAbout(each)
      return line
    },
  }
}

/** After these events there may be something to ask. */
const mayAsk: ReadonlySet<RunEvent['type']> = new Set([
  'approval.requested',
  'input.requested',
  'call.started',
])

function isUndecided({ call: { approval } }: AskingCall): boolean {
  return approval !== undefined && approval.decided === undefined
}

async function askToDecide(
  state: RunState,
  asking: AskingCall,
  { person, approvesAll, decisions, signal }: AskingGiven,
): Promise<void> {
  // The call may have ended while the person answered another question.
  if (signal.aborted || openCallAt(state, asking.path) === undefined || !isUndecided(asking)) return
  const decided = await decide(asking, person, { approvesAll, isOwn: asking.of === state })
  if (!signal.aborted) decisions.push(decided)
}

async function askToReply(
  state: RunState,
  callId: string,
  { input, reply, decisions, signal }: AskingGiven & { readonly input: AskedInput },
): Promise<void> {
  if (signal.aborted || openCallAt(state, callId) === undefined || input.given !== undefined) return
  const said = await reply(input)
  if (!signal.aborted) decisions.reply({ callId, inputId: input.inputId, by: 'person', ...said })
}
