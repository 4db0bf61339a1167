/** Asks the person at the terminal about calls that wait for a decision; where nobody is there, each is rejected. */
import type { Decided } from '#lib/agent/call/decisions'
import { waitingCallsOf } from '#lib/agent/state/reading'
import type { CallState, RunState } from '#lib/spec/state'
import { visible } from '#lib/spec/visible'
import type { Person } from './person'

/** A decision on every call that waits for one, in call order; empty once the run is stopped. */
export async function decideAll(
  state: RunState,
  person: Person,
  { approvesAll, signal }: { approvesAll: boolean; signal: AbortSignal },
): Promise<Decided[]> {
  const waiting = waitingCallsOf(state).filter(
    ({ approval }) => approval !== undefined && approval.decided === undefined,
  )
  if (approvesAll) return waiting.map((call) => decisionOf(call, 'yes'))
  const decided: Decided[] = []
  for (const call of waiting) {
    const answer = await person.ask(questionOf(call))
    if (signal.aborted) return []
    decided.push(answer === undefined ? rejectUnasked(call) : decisionOf(call, answer))
  }
  return decided
}

function questionOf({ name, args, approval }: CallState): string {
  const shown = visible(JSON.stringify(approval?.args ?? args ?? {}, null, 2))
  return `\n${visible(name)} ${shown}\nRun it? y(es), a(ll calls of it in this run), n(o) `
}

function decisionOf({ id }: CallState, answer: string): Decided {
  const word = answer.trim().toLowerCase()
  const isForRun = word === 'a' || word === 'all'
  const isYes = isForRun || word === 'y' || word === 'yes'
  return {
    callId: id,
    decision: isYes ? 'approve' : 'reject',
    scope: isForRun ? 'run' : 'call',
    by: 'person',
  }
}

function rejectUnasked(call: CallState): Decided {
  return { ...decisionOf(call, 'no'), reason: 'nobody can be asked here' }
}
