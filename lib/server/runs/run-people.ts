/** What runs ask people, and what people say: decisions on calls, and replies to their questions. */
import type { Pending } from '#lib/spec/pending'
import type { AboutPeople } from './about-people'
import type { AnswersContext } from './run-answers'
import { type Approvals, createApprovals } from './run-approvals'
import { createDeadlines } from './run-deadlines'
import { createReplies, type Replies } from './run-replies'

export interface People extends Pick<Approvals, 'decide'>, Pick<Replies, 'reply'> {
  /** An event of a run that is at work. */
  heed(runId: string, event: AboutPeople): void
  /** Watches the time of what a run waited for when the server started. */
  watch(runId: string, pending: readonly Pending[]): void
  /** The run is over. */
  ended(runId: string): void
}

interface PeopleContext extends AnswersContext {
  /** Ends every wait. */
  readonly signal: AbortSignal
  report(error: unknown, runId: string): void
}

export function createPeople(context: PeopleContext): People {
  const deadlines = createDeadlines(context)
  const approvals = createApprovals(context, deadlines)
  const replies = createReplies(context, deadlines)
  return {
    decide: approvals.decide,
    reply: replies.reply,
    heed: (runId, event) => {
      switch (event.type) {
        case 'approval.requested':
          return approvals.asked(runId, event)
        case 'approval.decided':
          return approvals.decided(runId, event)
        case 'input.requested':
          return replies.asked(runId, event)
        case 'input.given':
          return replies.given(runId, event)
      }
      event satisfies never
    },
    watch: (runId, pending) => {
      for (const each of pending) {
        if (each.kind === 'approval') approvals.watch(runId, each)
        else replies.watch(runId, each)
      }
    },
    ended: (runId) => deadlines.unwatch(runId),
  }
}
