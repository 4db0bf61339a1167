/** Brings what people say about the calls of runs inside calls to the bodies of these calls, or records it for them. */
import type { Decided, PeopleSaid, Replied } from '#lib/spec/people-said'
import type { CallState, RunState } from '#lib/spec/state'
import type { Engine } from '../engine'
import { callAt, joinPath, splitPath } from '../state/inner-path'
import type { Hiding, Originals } from './originals'

/** The line to the body around a call inside a run inside; undefined when it is not at work. */
export function peopleInside({ ledger, background }: Engine, path: string): PeopleSaid | undefined {
  const [callId, rest] = splitPath(path)
  if (rest === undefined) return undefined
  return ledger?.peopleOf(callId) ?? background?.peopleOf(callId)
}

/** The same, as the run inside the outermost call knows the call. */
export function oneDeeper<S extends Decided | Replied>(said: S): S {
  const [, rest] = splitPath(said.callId)
  return rest === undefined ? said : { ...said, callId: rest }
}

/** Gives what a body at rest has not taken back to the run, which then records it. */
export function leaveToRun({ deps }: Pick<Engine, 'deps'>, callId: string, left: PeopleSaid): boolean {
  if (left.isEmpty || deps.decisions === undefined) return false
  for (const each of left.take()) deps.decisions.push({ ...each, callId: joinPath(callId, each.callId) })
  for (const each of left.takeReplies())
    deps.decisions.reply({ ...each, callId: joinPath(callId, each.callId) })
  return true
}

/** The call with this id or path that has no result yet, and neither have those around it. */
export function openCallAt(state: RunState, path: string): CallState | undefined {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1))
    if (callAt(state, path.slice(0, at))?.result !== undefined) return undefined
  const call = callAt(state, path)
  return call?.result === undefined ? call : undefined
}

/** Keeps the originals of the calls inside a call under their paths. */
export function originalsInside(
  originals: Originals | undefined,
  parent: string | undefined,
): Hiding['originals'] {
  if (originals === undefined || parent === undefined) return originals
  return {
    keep: (callId, source, args) => originals.keep(joinPath(parent, callId), source, args),
    of: (callId, source) => originals.of(joinPath(parent, callId), source),
  }
}
