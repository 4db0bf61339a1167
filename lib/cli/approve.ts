/**
 * Asks at the terminal about calls that wait for a person; without an interactive
 * terminal each call is rejected.
 */
import { createInterface } from 'node:readline'
import type { Decided } from '#lib/agent/call/decisions'
import { waitingCallsOf } from '#lib/agent/state/reading'
import type { CallState, RunState } from '#lib/spec/state'
import { visible } from '#lib/spec/visible'
import type { Terminal } from './terminal'

/** A decision on every waiting call, in call order; empty once the run is stopped. */
export async function decideAll(
  state: RunState,
  terminal: Terminal,
  { approvesAll, signal }: { approvesAll: boolean; signal: AbortSignal },
): Promise<Decided[]> {
  const waiting = waitingCallsOf(state)
  if (approvesAll) return waiting.map((call) => decisionOf(call, 'yes'))
  if (!terminal.isInteractive) return waiting.map(rejectUnasked)
  // The reader ends with the input and with the signal, so it never waits for an answer that cannot come.
  const reader = createInterface({ input: terminal.input, signal })
  const answers = reader[Symbol.asyncIterator]()
  const decided: Decided[] = []
  try {
    for (const call of waiting) {
      terminal.err(questionOf(call))
      const { value, done } = await answers.next()
      if (signal.aborted) return []
      decided.push(done === true ? rejectUnasked(call) : decisionOf(call, value))
    }
  } finally {
    reader.close()
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
