/** Remembers results of reading calls in this run, so that an equal call can reuse them. */
import type { EventBody } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState, RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { firstByName } from '../request/codecs'
import { changedArgs } from '../state/hook-record'
import { callKey } from '../state/past'
import { isRedacted } from './originals'

export interface Recall {
  /** Updates the memory after an event was folded. */
  note(body: EventBody): void
  /** The finished call that can answer a call with these arguments. */
  answerOf(tool: BoundTool, args: JsonObject): CallState | undefined
}

/** Only a call that changes nothing can be skipped. */
export function isCached({ cache, effect }: BoundTool): boolean {
  return cache === true && effect === 'read'
}

/**
 * Remembers calls of tools whose entry sets `cache`, by tool and arguments. A tool that may change something
 * clears the memory, and a result read while such a tool ran is not kept. Undefined when no tool is cached.
 * @param mayChange whether other tools may be listed later
 */
export function createRecall(
  state: RunState,
  tools: () => readonly BoundTool[],
  mayChange: boolean,
): Recall | undefined {
  if (!mayChange && !tools().some(isCached)) return undefined
  let names: { of: readonly BoundTool[]; byName: Map<string, BoundTool> } | undefined
  const toolOf = (name: string) => {
    const all = tools()
    if (names?.of !== all) names = { of: all, byName: firstByName(all) }
    return names.byName.get(name)
  }
  const known = new Map<string, CallState>()
  /** By call, the number of possible changes when it began. */
  const begun = new Map<string, number>()
  let changes = 0
  const isReading = (name: string) => toolOf(name)?.effect === 'read'
  const change = () => {
    changes += 1
    known.clear()
  }
  const keep = (call: CallState) => {
    const tool = toolOf(call.name)
    // An observation that names replaced arguments fits no other call.
    const isOwn = changedArgs(call) === undefined
    if (tool === undefined || !isCached(tool) || call.status !== 'ok' || !isOwn) return
    // Its key would be that of a call with another secret.
    if (!isRedacted(call)) known.set(callKey(call), call)
  }
  for (const { calls } of state.steps) {
    // Calls that a fork copied were read from other files.
    const ran = calls.filter(({ startedAt, copied }) => startedAt !== undefined && !copied)
    if (ran.every(({ name }) => isReading(name))) ran.forEach(keep)
    else change()
    // After a resume, these calls end without beginning again.
    for (const { id, status } of ran) if (status === 'running') begun.set(id, changes)
  }
  return {
    note(body) {
      if (body.type === 'call.started') {
        if (!isReading(body.name)) change()
        begun.set(body.callId, changes)
      } else if (body.type === 'call.finished') {
        const at = begun.get(body.callId)
        begun.delete(body.callId)
        const call = state.calls.get(body.callId)
        if (call === undefined || at === undefined) return
        if (!isReading(call.name)) change()
        else if (at === changes && !isChanging()) keep(call)
      }
    },
    answerOf: ({ name }, args) => known.get(callKey({ name, args, rawArgs: '' })),
  }

  function isChanging(): boolean {
    return [...begun.keys()].some((id) => !isReading(state.calls.get(id)?.name ?? ''))
  }
}
