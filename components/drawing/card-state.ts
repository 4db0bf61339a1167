/**
 * Chooses the one state that a card shows when several apply: waiting > working > error > denied > diagnostic
 * > ok.
 */
import type { NodeStatus } from '#components/run/node-status'
import type { Diagnostic } from '#lib/spec/errors'
import type { Permit } from './permits'

export interface CardState {
  readonly name:
    | 'idle'
    | 'waiting'
    | 'working'
    | 'error'
    | 'denied'
    | 'ok'
    | 'withheld'
    | 'asks'
    | 'fault'
    | 'warning'
    | 'off'
    | 'inactive'
    | 'loose'
  /** One line under the card. */
  readonly strap?: string
  /** The strap is the end of a growing text: it is cut at its beginning. */
  readonly isTail?: true
  readonly figure?: string
  /** Milliseconds since 1970, while something is running. */
  readonly since?: number
  /** The text in the state slot, next to its icon. */
  readonly word?: string
  /** The full sentence, for the tooltip. */
  readonly detail?: string
}

export interface CardInput {
  readonly status: NodeStatus
  readonly finding: Diagnostic | undefined
  readonly isOff: boolean
  /** It is, or is wired to, a group that is not switched on. */
  readonly isInactive?: boolean
  /** Drawn but not wired to anything. */
  readonly isLoose: boolean
  /** What the policies allow it, for a card about which a run says nothing. */
  readonly permit?: Permit
}

export function cardState({ status, finding, isOff, isInactive, isLoose, permit }: CardInput): CardState {
  const { state, figure, strap, since, isTail } = status
  if (state === 'waiting') return { name: 'waiting', strap: strap ?? 'Waiting for you' }
  if (state === 'working') return { name: 'working', strap, figure, since, ...(isTail && { isTail }) }
  if (state === 'error') return { name: 'error', strap: strap ?? 'Failed', figure, detail: strap }
  if (state === 'denied') return { name: 'denied', strap: strap ?? 'Denied', figure, detail: strap }
  if (isOff) return { name: 'off', word: 'off', detail: 'Switched off: drawn, but not part of the agent' }
  if (finding?.severity === 'error') return { name: 'fault', strap: finding.message, detail: finding.message }
  if (isInactive)
    return {
      name: 'inactive',
      word: state === 'withheld' ? figure : 'inactive',
      detail: strap ?? 'Its group is switched off, so the model is not offered its tools',
    }
  if (isLoose)
    return { name: 'loose', word: 'not wired', detail: 'Not connected, so the agent cannot use it' }
  if (finding?.severity === 'warning') return { name: 'warning', detail: finding.message }
  if (state === 'withheld') return { name: 'withheld', word: 'withheld', detail: strap }
  if (state === 'ok') return { name: 'ok', figure, detail: strap }
  if (permit !== undefined && figure === undefined) return permitState(permit)
  return { name: 'idle', figure }
}

function permitState({ offered, withheld, asks, reason }: Permit): CardState {
  if (withheld > 0)
    return { name: 'withheld', word: offered > 0 ? `${withheld} withheld` : 'withheld', detail: reason }
  if (asks === 0) return { name: 'idle' }
  const which = asks === offered ? 'Each call' : `Calls of ${asks} of its ${offered} tools`
  return { name: 'asks', word: 'asks first', detail: `${which} must be approved by a person` }
}

/** Drawn with a dashed border and hollow ports, because it is not part of what the model is offered. */
export function isHollow({ name }: CardState): boolean {
  return name === 'off' || name === 'inactive'
}
