/** Asks the person at the terminal about a call that waits for a decision; where nobody is there, it is rejected. */
import type { Decided } from '#lib/agent/call/decisions'
import type { AskingCall } from '#lib/agent/state/reading'
import { visible } from '#lib/spec/visible'
import type { Person } from './person'

/** @param isOwn whether the call belongs to the run itself, not to one inside a call */
export async function decide(
  asking: AskingCall,
  person: Person,
  { approvesAll, isOwn }: { readonly approvesAll: boolean; readonly isOwn: boolean },
): Promise<Decided> {
  if (approvesAll) return decisionOf(asking, 'yes')
  const answer = await person.ask(questionOf(asking, isOwn))
  return answer === undefined ? rejectUnasked(asking) : decisionOf(asking, answer)
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
