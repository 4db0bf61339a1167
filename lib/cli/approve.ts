/** Asks at the terminal about calls that wait for a person; where nobody sits there, each is rejected. */
import { createInterface } from 'node:readline/promises'
import type { Decided } from '#lib/agent/decisions'
import type { CallState, RunState } from '#lib/spec/state'
import { plain, type Terminal } from './terminal'

/** A decision on every call that waits, in call order. */
export async function decideAll(
  state: RunState,
  terminal: Terminal,
  { approvesAll, signal }: { approvesAll: boolean; signal: AbortSignal },
): Promise<Decided[]> {
  const decided: Decided[] = []
  for (const call of state.steps.at(-1)?.calls ?? []) {
    if (signal.aborted) break
    if (call.status !== 'waiting') continue
    const word = approvesAll ? 'y' : await ask(call, terminal, signal)
    if (word !== undefined) decided.push(decisionOf(call, word))
    else decided.push({ ...decisionOf(call, 'n'), reason: 'nobody can be asked here' })
  }
  return decided
}

function decisionOf({ id }: CallState, word: string): Decided {
  const isYes = /^(y|yes|a|all)$/i.test(word.trim())
  const scope = /^a/i.test(word.trim()) ? 'run' : 'call'
  return { callId: id, decision: isYes ? 'approve' : 'reject', scope, by: 'person' }
}

/** Undefined where nobody answers. */
async function ask(call: CallState, terminal: Terminal, signal: AbortSignal): Promise<string | undefined> {
  if (!terminal.isInteractive) return undefined
  const lines = createInterface({ input: terminal.input })
  const args = plain(JSON.stringify(call.approval?.args ?? call.args ?? {}, null, 2))
  terminal.err(`\n${plain(call.name)} ${args}\nRun it? y(es), a(ll calls of it in this run), n(o) `)
  try {
    return await lines.question('', { signal })
  } catch {
    return undefined
  } finally {
    lines.close()
  }
}
