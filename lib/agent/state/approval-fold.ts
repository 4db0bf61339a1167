/** Folds rulings, approval requests and people's decisions into the state. */
import type { EventOf } from '#lib/spec/event'
import type { RunState } from '#lib/spec/state'
import { isCopied } from './fork-copied'
import { beginWait, endWait } from './waiting'

export function approvalRequested(state: RunState, event: EventOf<'approval.requested'>): RunState {
  const call = state.calls.get(event.callId)
  if (call === undefined) return state
  const { at, expiresAt, onTimeout = 'reject', args } = event
  if (call.status !== 'waiting') beginWait(state, at)
  call.status = 'waiting'
  if (event.persona !== undefined) call.persona = event.persona
  call.approval = { askedAt: at, expiresAt, onTimeout, args }
  return state
}

export function approvalDecided(state: RunState, event: EventOf<'approval.decided'>): RunState {
  const call = state.calls.get(event.callId)
  if (call?.approval === undefined) return state
  const { at, decision, scope, by, reason, args, redacted } = event
  if (call.approval.decided !== undefined) return state
  call.approval.decided = {
    at,
    decision,
    scope,
    by,
    ...(reason && { reason }),
    ...(args && { args }),
    ...(redacted && { redacted }),
  }
  // Approval for the rest of one run does not apply to a fork of it.
  if (decision === 'approve' && scope === 'run' && !isCopied(state))
    for (const { verdict, node, reason } of call.rulings)
      if (verdict === 'confirm') state.granted.add(grantKey(node, call.name, reason))
  if (args !== undefined && call.hooks !== undefined) call.hooksBefore = call.hooks.length
  if (call.status !== 'waiting') return state
  call.status = 'due'
  endWait(state, at)
  return state
}

/** Identifies a policy's entry that may not ask again about a tool for the same reason. */
export function grantKey(node: string, tool: string, reason: string): string {
  return `${node}\n${tool}\n${reason}`
}

export function policyRuled(state: RunState, event: EventOf<'policy.ruled'>): RunState {
  const { policy, node, verdict, reason, ends, at } = event
  const ruled = { policy, node, verdict, reason, ...(ends && { ends }), at }
  state.calls.get(event.callId)?.rulings.push(ruled)
  if (ends !== undefined && !isCopied(state)) state.overBudget ??= reason
  return state
}
