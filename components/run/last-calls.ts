/** The latest calls of one entry in a run. Each finished step is read only once. */
import type { CallState, RunState, StepState } from '#lib/spec/state'

export interface CallAtRead {
  readonly call: CallState
  readonly step: number
  /** The status when it was read: a call is changed in place. */
  readonly status: CallState['status']
}

export interface LastCalls {
  /** Newest first. */
  readonly calls: readonly CallAtRead[]
  readonly total: number
}

const kept = 5
const none: LastCalls = { calls: [], total: 0 }

interface Reading {
  settled: number
  past: LastCalls
}

const readings = new WeakMap<RunState, Map<string, Reading>>()

/** The calls of a tool entry, or those that a policy ruled on. */
export function lastCalls(state: RunState | null, path: string): LastCalls {
  if (state === null) return none
  let byPath = readings.get(state)
  if (byPath === undefined) {
    byPath = new Map()
    readings.set(state, byPath)
  }
  let reading = byPath.get(path)
  if (reading === undefined) {
    reading = { settled: 0, past: none }
    byPath.set(path, reading)
  }
  for (
    let step = state.steps[reading.settled];
    step?.finishedAt !== undefined;
    step = state.steps[reading.settled]
  ) {
    reading.past = withStep(reading.past, step, path)
    reading.settled += 1
  }
  return state.steps.slice(reading.settled).reduce((known, step) => withStep(known, step, path), reading.past)
}

function withStep(known: LastCalls, step: StepState, path: string): LastCalls {
  const own = step.calls.filter(
    (each) => each.node === path || each.rulings.some((ruling) => ruling.node === path),
  )
  if (own.length === 0) return known
  const fresh = own.map((call) => ({ call, step: step.number, status: call.status })).reverse()
  return { calls: [...fresh, ...known.calls].slice(0, kept), total: known.total + own.length }
}

export function sameCalls(a: LastCalls, b: LastCalls): boolean {
  return (
    a.total === b.total &&
    a.calls.length === b.calls.length &&
    a.calls.every(({ call, status }, at) => call === b.calls[at]?.call && status === b.calls[at]?.status)
  )
}
