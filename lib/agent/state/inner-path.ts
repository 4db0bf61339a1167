/** The ids of calls of runs inside calls: those from the outermost call to the call itself, joined by `/`. */
import type { CallState, RunState } from '#lib/spec/state'

const separator = '/'

/** The outermost call of a path, and the rest of it: undefined for a call of the run itself. */
export function splitPath(path: string): readonly [callId: string, rest: string | undefined] {
  const at = path.indexOf(separator)
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 1)]
}

/** The call itself, and the path of the call around it: undefined for a call of the run itself. */
export function placeOf(path: string): { readonly callId: string; readonly parent?: string } {
  const at = path.lastIndexOf(separator)
  return at < 0 ? { callId: path } : { callId: path.slice(at + 1), parent: path.slice(0, at) }
}

/** The path of a call or event inside a call. */
export function joinPath(callId: string, inner?: string): string {
  return inner === undefined ? callId : `${callId}${separator}${inner}`
}

export function callAt(state: RunState, path: string): CallState | undefined {
  const [callId, rest] = splitPath(path)
  const call = state.calls.get(callId)
  if (rest === undefined || call === undefined) return call
  return call.inner && callAt(call.inner, rest)
}

/** The run that has this call, and how deep it is: the run itself for one of its own calls. */
export function runAround(state: RunState, path: string): RunState | undefined {
  const { parent } = placeOf(path)
  return parent === undefined ? state : callAt(state, parent)?.inner
}
