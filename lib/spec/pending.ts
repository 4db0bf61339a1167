/** What a run waits for a person to do: decide on a call, or reply to a question. */
import type { InputQuestion } from './input'
import type { JsonObject } from './json'

/** What a run waits for. Times are milliseconds since 1970; null when there is no time limit. */
export type Pending = PendingDecision | PendingReply

interface PendingCall {
  readonly callId: string
  readonly tool: string
  readonly args: JsonObject
  readonly expiresAt: number | null
}

export interface PendingDecision extends PendingCall {
  readonly kind: 'approval'
  /** The decision when nobody has decided by then. */
  readonly onTimeout: 'approve' | 'reject'
}

/** Without a reply by then the question is declined. Arguments are not part of a question, so `args` is empty. */
export interface PendingReply extends PendingCall {
  readonly kind: 'input'
  readonly input: InputQuestion
}
