'use client'
/** What a run says of one entry of the config: the state of its card, and what happens on its wire. */
import { awaitedRetry } from '#lib/agent/state/reading'
import { argumentsLine, lineOf, shortenText } from '#lib/spec/line'
import type { CallState, RunState } from '#lib/spec/state'
import { duration, plural, streamedArguments } from './figures'
import { callsOfNode, hasOpenApproval, toolsOfNode, withheldOf } from './node-calls'
import { reasonWords } from './reason-words'
import { ownMs } from './retime'
import { useRun } from './run-context'
import { shownState } from './run-store'
import { statusWords } from './status-words'
import { waitOf } from './waiting'

export interface NodeStatus {
  readonly state: 'idle' | 'waiting' | 'working' | 'ok' | 'error' | 'denied' | 'withheld'
  /** Shown in the state slot: `41 ms`, `4×`. */
  readonly figure?: string
  /** One line shown under the card. */
  readonly strap?: string
  /** The strap is the end of a text that is still growing. */
  readonly isTail?: true
  /** Milliseconds since 1970, while it is working. */
  readonly since?: number
}

const idle: NodeStatus = { state: 'idle' }

/** Status of the card at `path`: `agent`, `model`, `tools/0`, `policies/3`. */
export function nodeStatus(state: RunState | null, path: string | undefined): NodeStatus {
  if (state === null || path === undefined) return idle
  if (path === 'agent') return inLine(agentStatus(state))
  if (path === 'model') return inLine(modelStatus(state))
  if (path.startsWith('tools/')) return inLine(toolStatus(state, path))
  if (path.startsWith('policies/')) return policyStatus(state, path)
  return idle
}

/** The strap has one line, whatever text a tool, a model or a service returned. */
function inLine(status: NodeStatus): NodeStatus {
  return status.strap === undefined ? status : { ...status, strap: lineOf(status.strap) }
}

function agentStatus(state: RunState): NodeStatus {
  if (state.status === 'failed' || state.status === 'interrupted') {
    return { state: 'error', strap: state.error?.message ?? state.status }
  }
  if (state.finishedAt !== undefined) {
    const ms = ownMs(state)
    const took = ms === null ? undefined : duration(ms)
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
  // Only one card glows at a time: once the arguments of a call are streaming, it is the tool's card.
  if (asked !== undefined && last.calls.every((call) => call.status !== 'streaming')) {
    const failed = awaitedRetry(last)
    if (failed !== undefined)
      return { state: 'working', since: failed.at, strap: `retrying: ${failed.reason}` }
    const heard = last.live.text || last.live.reasoning
    return {
      state: 'working',
      since: asked.at,
      ...(heard === '' ? { strap: 'waiting for the first word' } : { strap: endOf(heard), isTail: true }),
    }
  }
  if (last.finishReason === 'cancelled') return { state: 'idle', figure: 'cancelled' }
  if (last.finishReason === 'fault' || last.finishReason === 'cut')
    return { state: 'error', strap: state.error?.message ?? 'The answer broke off' }
  const answers = last.answeredAt === undefined ? state.steps.length - 1 : state.steps.length
  return answers === 0 ? idle : { state: 'ok', figure: `${answers}×` }
}

function endOf(heard: string): string {
  return heard.slice(-120).replace(/\s+/g, ' ').trim()
}

function toolStatus(state: RunState, path: string): NodeStatus {
  const { waiting, working, last, done } = callsOfNode(state, path)
  if (waiting !== undefined && state.finishedAt === undefined) {
    return {
      state: 'waiting',
      strap: named(state, path, waiting, 'Waiting for you'),
      since: waitOf(waiting).since,
    }
  }
  if (working !== undefined && state.finishedAt === undefined) {
    return {
      state: 'working',
      strap: named(state, path, working, workingLine(working)),
      since: working.startedAt,
    }
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
    case 'due':
    case 'streaming':
    case 'waiting':
    case 'running':
    case 'skipped':
    case 'interrupted':
      return idle
  }
  return last.status satisfies never
}

/** The persona of the call that a card is about. */
export function personaOf(state: RunState | null, path: string | undefined): string | undefined {
  if (state === null || path === undefined || !path.startsWith('tools/')) return undefined
  const { waiting, working, last } = callsOfNode(state, path)
  return (waiting ?? working ?? last)?.persona
}

/** On the card of several tools, which of them a line is about. */
function named(state: RunState, path: string, { name }: CallState, line: string): string {
  if (toolsOfNode(state, path) < 2) return line
  return line === '' ? name : `${name} · ${line}`
}

function workingLine(call: CallState): string {
  const shown = shownArguments(call)
  if (call.background === undefined) return shown
  return shown === '' ? 'background' : `background · ${shown}`
}

function shownArguments(call: CallState): string {
  return call.args === undefined ? streamedArguments(call.argsText) : argumentsLine(call.args)
}

function deniedBy(call: CallState): string {
  const decided = call.approval?.decided
  if (decided?.decision === 'reject') return decided.reason ? `Rejected: ${decided.reason}` : 'Rejected'
  // When nobody could be asked, the reason is the ruling that required the approval.
  const ruling = call.rulings.find((each) => each.verdict === 'deny') ?? call.rulings.at(-1)
  if (ruling !== undefined) return reasonWords(ruling.reason)
  // "sql.execute is not permitted: skills denies it." without the name, which the card already shows.
  const told = shortenText(call.result?.text ?? '', 1_000)
    .split('\n', 1)[0]
    ?.replace(/^.* is not permitted: /, '')
  return told === undefined || told === '' ? 'Denied' : reasonWords(told)
}

function withheldStatus(state: RunState, path: string): NodeStatus {
  const { reason, count } = withheldOf(state, path)
  return reason === undefined
    ? idle
    : { state: 'withheld', strap: reasonWords(reason), figure: `${count} withheld` }
}

function policyStatus(state: RunState, path: string): NodeStatus {
  const { rulings } = callsOfNode(state, path)
  if (rulings > 0) return { state: 'idle', figure: plural(rulings, 'ruling') }
  const { kept } = withheldOf(state, path)
  return kept > 0 ? { state: 'idle', figure: `${kept} withheld` } : idle
}

export interface WirePaths {
  /** The entry where the wire starts and, for a policy's wire, the entry where it ends. */
  readonly from: string | undefined
  readonly to?: string | undefined
}

/** The current state of a wire: in use, waiting for a person, or neither. */
export function edgeState(state: RunState | null, { from, to }: WirePaths): 'use' | 'waiting' | undefined {
  if (state === null || from === undefined || state.finishedAt !== undefined) return undefined
  if (from.startsWith('policies/'))
    return to !== undefined && hasOpenApproval(state, { policy: from, over: to }) ? 'waiting' : undefined
  const travels = from === 'model' || from.startsWith('tools/')
  return travels && nodeStatus(state, from).state === 'working' ? 'use' : undefined
}

function sameStatus(a: NodeStatus, b: NodeStatus): boolean {
  return a.state === b.state && a.figure === b.figure && a.strap === b.strap && a.since === b.since
}

export function useNodeStatus(path: string | undefined): NodeStatus {
  return useRun((run) => nodeStatus(shownState(run), path), sameStatus)
}

export function usePersona(path: string | undefined): string | undefined {
  return useRun((run) => personaOf(shownState(run), path))
}

export function useEdgeState(paths: WirePaths): 'use' | 'waiting' | undefined {
  return useRun((run) => edgeState(shownState(run), paths))
}

/**
 * Whether a group's tools are offered; undefined without a group, and while the run has not reported its
 * groups.
 */
export function useGroupState(group: string | undefined): boolean | undefined {
  return useRun((run) =>
    group === undefined ? undefined : shownState(run)?.groups?.some((each) => each === group),
  )
}
