/** What reading calls of this run have given, so that an equal call need not ask again. */
import type { EventBody } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState, RunState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { changedArgs } from '../state/hook-record'
import { callKey } from '../state/past'

export interface Recall {
  /** Takes note of what has been folded. */
  note(body: EventBody): void
  /** The finished call that answers one with these arguments. */
  answerOf(tool: BoundTool, args: JsonObject): CallState | undefined
}

/** Only what changes nothing can be left out. */
export function isCached({ cache, effect }: BoundTool): boolean {
  return cache === true && effect === 'read'
}

/**
 * Remembers calls of tools whose entry says `cache`, by tool and arguments. A tool that may change something makes all
 * of it old, and what was read while it ran is not kept. Undefined when no tool is to be cached.
 */
export function createRecall(state: RunState, tools: readonly BoundTool[]): Recall | undefined {
  if (!tools.some(isCached)) return undefined
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const known = new Map<string, CallState>()
  /** How often something may have changed, by call when it began. */
  const begun = new Map<string, number>()
  let changes = 0
  const isReading = (name: string) => byName.get(name)?.effect === 'read'
  const change = () => {
    changes += 1
    known.clear()
  }
  const keep = (call: CallState) => {
    const tool = byName.get(call.name)
    // Other arguments in place of the model's stand in the observation, which fits no other call.
    const isOwn = changedArgs(call) === undefined
    if (tool !== undefined && isCached(tool) && call.status === 'ok' && isOwn) known.set(callKey(call), call)
  }
  for (const { calls } of state.steps) {
    // What a fork took over was read when its files were others.
    const ran = calls.filter(({ startedAt, copied }) => startedAt !== undefined && !copied)
    if (ran.every(({ name }) => isReading(name))) ran.forEach(keep)
    else change()
    // Taken up again, they end without beginning anew.
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
