/** Finds the finished blocks of a run that a `print` hook has not been shown yet. */
import type { JsonValue } from '#lib/spec/json'
import type { CallState, HookCalled, RunState, StepState } from '#lib/spec/state'

export interface Unprinted {
  readonly block: { readonly type: 'text' | 'reasoning' | 'call' | 'result' } & Record<string, JsonValue>
  /** The call whose result it is. */
  readonly callId?: string
}

/**
 * The first block that the hook has not been shown: the parts of the last answer in order, then results in the
 * order in which they came. Answers of earlier steps were shown before the step that followed.
 */
export function unprinted(state: RunState, node: string): Unprinted | undefined {
  const step = state.steps.at(-1)
  return step && (unprintedPart(step, node) ?? unprintedResult(state, step, node))
}

/** Parts have no id, so they are counted: each is shown in its turn. */
function unprintedPart({ parts = [], hooks, fault }: StepState, node: string): Unprinted | undefined {
  if (fault !== undefined) return undefined
  let printed = countOf(hooks, node)
  for (const part of parts) {
    if (part.type === 'opaque') continue
    if (printed > 0) printed -= 1
    else if (part.type === 'call')
      return { block: { type: 'call', id: part.id, tool: part.name, args: part.args ?? part.rawArgs } }
    else return { block: { type: part.type, text: part.text } }
  }
  return undefined
}

/** Results of calls in the background belong to no step, so those that came lately are looked at as well. */
function unprintedResult(
  { background = [] }: RunState,
  { calls, noted = [] }: StepState,
  node: string,
): Unprinted | undefined {
  let first: CallState | undefined
  for (const call of [...calls, ...background, ...noted]) {
    if (call.endSeq === undefined || call.copied || countOf(call.hooks, node) > 0) continue
    if (first?.endSeq === undefined || call.endSeq < first.endSeq) first = call
  }
  if (first?.result === undefined) return undefined
  const { id, name, status, code, result } = first
  return { block: { type: 'result', id, tool: name, text: result.text, status, code }, callId: id }
}

function countOf(hooks: readonly HookCalled[] = [], node: string): number {
  return hooks.filter((each) => each.on === 'print' && each.node === node).length
}
