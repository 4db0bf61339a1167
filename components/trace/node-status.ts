'use client'
/** What a run says of one entry of the config: the state of its card, and whether its wire is in use. */
import type { CallState, RunState } from '#lib/spec/state'
import { argumentsText, duration, plural, streamedArguments } from './figures'
import { useRun } from './run-context'
import { statusWords } from './status-words'

export interface NodeStatus {
  readonly state: 'idle' | 'working' | 'ok' | 'error' | 'denied' | 'withheld'
  /** Stands in the state slot: `41 ms`, `4×`. */
  readonly figure?: string
  /** One line that hangs under the card. */
  readonly strap?: string
  /** Milliseconds since 1970, while it works. */
  readonly since?: number
}

const idle: NodeStatus = { state: 'idle' }

/** Status of the card that stands for `path`: `agent`, `model`, `tools/0`, `policies/3`. */
export function nodeStatus(state: RunState | null, path: string | undefined): NodeStatus {
  if (state === null || path === undefined) return idle
  if (path === 'agent') return agentStatus(state)
  if (path === 'model') return modelStatus(state)
  if (path.startsWith('tools/')) return toolStatus(state, path)
  if (path.startsWith('policies/')) return policyStatus(state, path)
  return idle
}

function agentStatus(state: RunState): NodeStatus {
  if (state.status === 'failed' || state.status === 'interrupted') {
    return { state: 'error', strap: state.error?.message ?? state.status }
  }
  if (state.finishedAt !== undefined) {
    const took = state.startedAt === undefined ? undefined : duration(state.finishedAt - state.startedAt)
    return state.status === 'completed'
      ? { state: 'ok', figure: took }
      : { state: 'idle', figure: state.status === 'new' ? undefined : statusWords[state.status].word }
  }
  return state.status === 'new' ? idle : { state: 'working' }
}

function modelStatus(state: RunState): NodeStatus {
  const last = state.steps.at(-1)
  if (last === undefined) return idle
  const asked = last.answeredAt === undefined && state.finishedAt === undefined ? last.request : undefined
  // One thing glows at a time: once the arguments of a call stream, it is the tool.
  if (asked !== undefined && last.calls.every((call) => call.status !== 'streaming')) {
    const failed = last.retries.at(-1)
    if (failed !== undefined && asked.at <= failed.at)
      return { state: 'working', since: failed.at, strap: `asks again: ${failed.reason}` }
    const heard = last.live.reasoning || last.live.text
    return {
      state: 'working',
      since: asked.at,
      strap: heard === '' ? 'waiting for the first word' : tailOf(heard),
    }
  }
  if (last.finishReason === 'fault' || last.finishReason === 'cut')
    return { state: 'error', strap: state.error?.message ?? 'The answer broke off' }
  const answers = last.answeredAt === undefined ? state.steps.length - 1 : state.steps.length
  return answers === 0 ? idle : { state: 'ok', figure: `${answers}×` }
}

function tailOf(heard: string): string {
  return heard.slice(-120).replace(/\s+/g, ' ').trim()
}

function toolStatus(state: RunState, path: string): NodeStatus {
  const { working, last, done } = callsOfNode(state, path)
  if (working !== undefined && state.finishedAt === undefined) {
    return { state: 'working', strap: shownArguments(working), since: working.startedAt }
  }
  if (last === undefined) return withheldStatus(state, path)
  switch (last.status) {
    case 'error':
    case 'timeout':
    case 'unknown':
      return { state: 'error', strap: last.result?.text ?? last.code ?? last.status }
    case 'denied':
      return { state: 'denied', strap: deniedBy(last) }
    case 'ok':
      return { state: 'ok', figure: done > 1 ? `${done}×` : duration(last.durationMs) }
    default:
      return idle
  }
}

interface NodeCalls {
  /** The call at work now, if any. */
  working: CallState | undefined
  last: CallState | undefined
  done: number
  rulings: number
}

const noCalls: NodeCalls = { working: undefined, last: undefined, done: 0, rulings: 0 }

/** Calls by the entry they belong to, and rulings by the policy: read once for each `seq`, however many cards ask. */
const read = new WeakMap<RunState, { seq: number; byPath: Map<string, NodeCalls> }>()

function callsOfNode(state: RunState, path: string): NodeCalls {
  let known = read.get(state)
  if (known?.seq !== state.seq) {
    known = { seq: state.seq, byPath: readCalls(state) }
    read.set(state, known)
  }
  return known.byPath.get(path) ?? noCalls
}

function readCalls(state: RunState): Map<string, NodeCalls> {
  const byPath = new Map<string, NodeCalls>()
  const of = (path: string) => {
    let found = byPath.get(path)
    if (found === undefined) {
      found = { ...noCalls }
      byPath.set(path, found)
    }
    return found
  }
  for (const call of state.calls.values()) {
    for (const ruling of call.rulings) of(ruling.node).rulings++
    if (call.node === null) continue
    const found = of(call.node)
    if (call.status === 'running' || call.status === 'streaming') found.working ??= call
    if (call.result !== undefined) found.last = call
    if (call.status === 'ok') found.done++
  }
  return byPath
}

function shownArguments(call: CallState): string {
  return call.args === undefined ? streamedArguments(call.argsText) : argumentsText(call.args)
}

function deniedBy(call: CallState): string {
  const ruling = call.rulings.find((each) => each.verdict === 'deny')
  return ruling === undefined ? 'denied' : ruling.reason
}

function withheldStatus(state: RunState, path: string): NodeStatus {
  const { offered = [], withheld = [] } = state.tools ?? {}
  const reason = withheld.find((each) => each.entry === path)?.reason
  if (reason === undefined || offered.some((each) => each.node === path)) return idle
  return { state: 'withheld', strap: reason }
}

function policyStatus(state: RunState, path: string): NodeStatus {
  const { rulings } = callsOfNode(state, path)
  const kept = state.tools?.withheld.filter((each) => each.node === path).length ?? 0
  if (rulings > 0) return { state: 'idle', figure: plural(rulings, 'ruling') }
  return kept > 0 ? { state: 'idle', figure: `${kept} withheld` } : idle
}

/** Whether something travels on the wire out of this entry now. */
export function edgeInUse(state: RunState | null, path: string | undefined): boolean {
  return (
    path !== undefined &&
    (path === 'model' || path.startsWith('tools/')) &&
    nodeStatus(state, path).state === 'working'
  )
}

function sameStatus(a: NodeStatus, b: NodeStatus): boolean {
  return a.state === b.state && a.figure === b.figure && a.strap === b.strap && a.since === b.since
}

export function useNodeStatus(path: string | undefined): NodeStatus {
  return useRun((run) => nodeStatus(run.state, path), sameStatus)
}

export function useEdgeInUse(path: string | undefined): boolean {
  return useRun((run) => edgeInUse(run.state, path))
}
