/**
 * The calls of a run by the entry they belong to, and the withheld tools by entry and by policy, so that each
 * card finds its own in constant time.
 */
import { isWaiting } from '#lib/agent/state/reading'
import type { CallState, RunState, StepState } from '#lib/spec/state'

export interface NodeCalls {
  /** The first call that is waiting for a person, if any. */
  waiting: CallState | undefined
  /** The first call that is running now, if any. */
  working: CallState | undefined
  last: CallState | undefined
  done: number
  rulings: number
}

interface Reading {
  seq: number
  /** The number of steps whose calls are in `past` and will not change. */
  settled: number
  readonly past: Map<string, NodeCalls>
  /** Calls of those steps that still run in the background. */
  detached: readonly CallState[]
  /** The calls of unfinished steps; rebuilt whenever the run changes. */
  now: Map<string, NodeCalls>
  /** Policies that have a call waiting for a person's decision, with the entries of those calls. */
  asking: Map<string, Set<string>>
}

const none: NodeCalls = { waiting: undefined, working: undefined, last: undefined, done: 0, rulings: 0 }
/** Finished steps are read once and the current step once per `seq`, however many cards read them. */
const readings = new WeakMap<RunState, Reading>()

export function callsOfNode(state: RunState, path: string): NodeCalls {
  const { past, now } = readingOf(state)
  const before = past.get(path)
  const live = now.get(path)
  if (before === undefined || live === undefined) return live ?? before ?? none
  return {
    waiting: live.waiting,
    working: live.working,
    last: live.last ?? before.last,
    done: before.done + live.done,
    rulings: before.rulings + live.rulings,
  }
}

/**
 * Whether this policy has a call of the entry (or any call, for the agent) waiting for a person's decision.
 */
export function hasOpenApproval(
  state: RunState,
  { policy, over }: { policy: string; over: string },
): boolean {
  const asked = readingOf(state).asking.get(policy)
  return asked !== undefined && (over === 'agent' || asked.has(over))
}

function readingOf(state: RunState): Reading {
  let known = readings.get(state)
  if (known?.seq === state.seq) return known
  if (known === undefined) {
    known = { seq: -1, settled: 0, past: new Map(), detached: [], now: new Map(), asking: new Map() }
    readings.set(state, known)
  }
  known.seq = state.seq
  let step = state.steps[known.settled]
  const seen = [...known.detached]
  while (step?.finishedAt !== undefined) {
    seen.push(...step.calls)
    known.settled += 1
    step = state.steps[known.settled]
  }
  const isDetached = ({ background, result }: CallState) => background !== undefined && result === undefined
  known.detached = seen.filter(isDetached)
  for (const call of seen) if (!isDetached(call)) count(known.past, call)
  known.now = new Map()
  for (const call of known.detached) count(known.now, call)
  known.asking = new Map()
  for (const open of state.steps.slice(known.settled)) readOpen(open, known)
  return known
}

function readOpen(step: StepState, { now, asking }: Reading): void {
  for (const call of step.calls) {
    count(now, call)
    if (call.status !== 'waiting' || call.node === null || call.approval?.decided !== undefined) continue
    for (const { verdict, node } of call.rulings) {
      if (verdict !== 'confirm') continue
      const over = asking.get(node)
      if (over === undefined) asking.set(node, new Set([call.node]))
      else over.add(call.node)
    }
  }
}

function count(byPath: Map<string, NodeCalls>, call: CallState): void {
  for (const ruling of call.rulings) at(byPath, ruling.node).rulings += 1
  if (call.node === null) return
  const found = at(byPath, call.node)
  if (call.result === undefined && isWaiting(call)) found.waiting ??= call
  if (call.status === 'running' || call.status === 'streaming') found.working ??= call
  if (call.result !== undefined) found.last = call
  if (call.status === 'ok') found.done += 1
}

function at(byPath: Map<string, NodeCalls>, path: string): NodeCalls {
  let found = byPath.get(path)
  if (found === undefined) {
    found = { ...none }
    byPath.set(path, found)
  }
  return found
}

export interface WithheldTools {
  /** Why all of an entry's tools are withheld; absent while any of them is offered. */
  readonly reason: string | undefined
  /** How many of the entry's tools are withheld. */
  readonly count: number
  /** How many tools a policy withholds. */
  readonly kept: number
}

type Tools = NonNullable<RunState['tools']>

const nothingKept: WithheldTools = { reason: undefined, count: 0, kept: 0 }
const kept = new WeakMap<Tools, ReadonlyMap<string, WithheldTools>>()

export function withheldOf({ tools }: RunState, path: string): WithheldTools {
  if (tools === undefined) return nothingKept
  let known = kept.get(tools)
  if (known === undefined) {
    known = readWithheld(tools)
    kept.set(tools, known)
  }
  return known.get(path) ?? nothingKept
}

const counts = new WeakMap<Tools, ReadonlyMap<string, number>>()

/** How many tools an entry has in this run, offered or withheld. */
export function toolsOfNode({ tools }: RunState, path: string): number {
  if (tools === undefined) return 0
  let known = counts.get(tools)
  if (known === undefined) {
    const made = new Map<string, number>()
    const entries = [...tools.offered.map(({ node }) => node), ...tools.withheld.map(({ entry }) => entry)]
    for (const entry of entries) made.set(entry, (made.get(entry) ?? 0) + 1)
    counts.set(tools, made)
    known = made
  }
  return known.get(path) ?? 0
}

function readWithheld({ offered, withheld }: Tools): ReadonlyMap<string, WithheldTools> {
  const open = new Set(offered.map((each) => each.node))
  const byPath = new Map<string, WithheldTools>()
  const add = (path: string, change: (known: WithheldTools) => WithheldTools) =>
    byPath.set(path, change(byPath.get(path) ?? nothingKept))
  for (const { entry, node, reason } of withheld) {
    if (!open.has(entry))
      add(entry, (known) => ({ ...known, reason: known.reason ?? reason, count: known.count + 1 }))
    add(node, (known) => ({ ...known, kept: known.kept + 1 }))
  }
  return byPath
}
