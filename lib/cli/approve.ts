/** Asks the person at the terminal about calls that wait for a decision; where nobody is there, each is rejected. */
import type { Decided } from '#lib/agent/call/decisions'
import { type AskingCall, askingCallsOf } from '#lib/agent/state/reading'
import type { RunState } from '#lib/spec/state'
import { visible } from '#lib/spec/visible'
import type { Person } from './person'

/** A decision on every call that waits for one, in call order; empty once the run is stopped. */
export async function decideAll(
  state: RunState,
  person: Person,
  { approvesAll, signal }: { approvesAll: boolean; signal: AbortSignal },
): Promise<Decided[]> {
  const waiting = askingCallsOf(state).filter(
    ({ call: { approval } }) => approval !== undefined && approval.decided === undefined,
  )
  if (approvesAll) return waiting.map((asking) => decisionOf(asking, 'yes'))
  const decided: Decided[] = []
  for (const asking of waiting) {
    const answer = await person.ask(questionOf(asking, asking.of === state))
    if (signal.aborted) return []
    decided.push(answer === undefined ? rejectUnasked(asking) : decisionOf(asking, answer))
  }
  return decided
}

function questionOf({ call: { name, args, approval }, of }: AskingCall, isOwn: boolean): string {
  const shown = visible(JSON.stringify(approval?.args ?? args ?? {}, null, 2))
  const who = isOwn ? '' : `${visible(of.start.agent.name)}: `
  return `\n${who}${visible(name)} ${shown}\nRun it? y(es), a(ll calls of it in this run), n(o) `
}

function decisionOf({ path }: AskingCall, answer: string): Decided {
  const word = answer.trim().toLowerCase()
  const isForRun = word === 'a' || word === 'all'
  const isYes = isForRun || word === 'y' || word === 'yes'
  return {
    callId: path,
    decision: isYes ? 'approve' : 'reject',
    scope: isForRun ? 'run' : 'call',
    by: 'person',
  }
}

function rejectUnasked(asking: AskingCall): Decided {
  return { ...decisionOf(asking, 'no'), reason: 'nobody can be asked here' }
}
