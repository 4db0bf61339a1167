/**
 * Decisions on calls that wait for a person: made once, stored, and made by default when the time is over.
 */
import { decidedEvent, personsArgs } from '#lib/agent/call/approvals'
import type { Decided } from '#lib/agent/call/decisions'
import { openCallAt } from '#lib/agent/call/inside'
import { withoutSecrets } from '#lib/agent/call/originals'
import { fitArgs } from '#lib/agent/fit/args'
import { callAt, placeOf, runAround } from '#lib/agent/state/inner-path'
import { AppError } from '#lib/spec/errors'
import type { EventOf } from '#lib/spec/event'
import { jsonKey } from '#lib/spec/json'
import type { PendingDecision } from '#lib/spec/pending'
import type { Redact } from '#lib/spec/redact'
import type { Approval } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { DecideCall } from '#lib/wire/runs'
import { type AnswersContext, answerRun, configAround, readRun } from './run-answers'
import { type Deadlines, leftAfterStart } from './run-deadlines'

export interface Approvals {
  /**
   * A person's decision. Repeating it changes nothing; a different one is a `conflict` that names the first.
   */
  decide(runId: string, callId: string, said: DecideCall): Promise<void>
  /** A person is asked now: the call is decided without them when the time is over. */
  asked(runId: string, event: EventOf<'approval.requested'>): void
  /** The same for a person who was asked before the server started. */
  watch(runId: string, pending: PendingDecision): void
  decided(runId: string, event: EventOf<'approval.decided'>): void
}

type Asked = Pick<PendingDecision, 'callId' | 'onTimeout'>

export function createApprovals(context: AnswersContext, deadlines: Deadlines): Approvals {
  async function decide(runId: string, decided: Decided, written: Written = {}): Promise<void> {
    const { callId } = decided
    await answerRun(context, runId, {
      what: 'decision',
      callId,
      stands: (state) => {
        const approval = callAt(state, callId)?.approval
        if (approval === undefined)
          throw new AppError('not_found', 'This call is not waiting for a decision.')
        if (approval.decided === undefined && openCallAt(state, callId) === undefined)
          throw new AppError('conflict', 'The call has ended, so there is nothing left to decide.')
        if (approval.decided === undefined) return false
        checkSame(approval.decided, decided, written)
        return true
      },
      event: (state) => {
        const call = callAt(state, callId)
        if (call === undefined) throw new Error('a decision is on a call that the run does not have')
        const { redact, tool } = written
        return decidedEvent({ redact, originals: context.originals?.(runId) }, decided, { call, tool })
      },
      pass: (decisions) => decisions.push(decided),
    })
    deadlines.unwatch(runId, callId)
  }

  const decideLater = (runId: string, { callId, onTimeout }: Asked, leftMs: () => number) =>
    deadlines.watch({
      runId,
      key: callId,
      leftMs,
      act: () => decide(runId, { callId, decision: onTimeout, scope: 'call', by: 'timeout' }),
    })

  return {
    decide: async (runId, callId, { decision, scope = 'call', reason, args }) => {
      const written = args === undefined ? undefined : await toolOf(context, runId, callId)
      if (args !== undefined && decision === 'approve') checkArgs(context, { runId, callId, args, written })
      const more = { ...(reason !== undefined && { reason }), ...(args !== undefined && { args }) }
      await decide(runId, { callId, decision, scope, by: 'person', ...more }, written)
    },
    asked: (runId, { callId, expiresAt, onTimeout = 'reject', at }) => {
      if (expiresAt !== null) decideLater(runId, { callId, onTimeout }, () => expiresAt - at)
    },
    watch: (runId, { callId, expiresAt, onTimeout }) => {
      if (expiresAt === null) return
      decideLater(runId, { callId, onTimeout }, () => {
        const askedAt = callAt(readRun(context, runId).state, callId)?.approval?.askedAt
        return leftAfterStart(context.clock.now(), expiresAt, askedAt)
      })
    },
    decided: (runId, { callId }) => deadlines.unwatch(runId, callId),
  }
}

function checkSame(stands: NonNullable<Approval['decided']>, said: Decided, { redact }: Written): void {
  const key = ({ args }: Pick<Decided, 'args'>) =>
    args === undefined ? undefined : jsonKey(withoutSecrets(redact, args))
  if (stands.decision === said.decision && key(stands) === key(said)) return
  const word = stands.decision === 'approve' ? 'approved' : 'rejected'
  const who = {
    person: 'by a person',
    timeout: 'because nobody decided in time',
    cancel: 'because the run ended',
  }[stands.by]
  const { decision, by } = stands
  throw new AppError('conflict', `The call was already ${word}, ${who}.`, { standing: { decision, by } })
}

/** What arguments that a person wrote are read with; empty when the tool no longer exists. */
interface Written {
  readonly tool?: BoundTool | undefined
  readonly redact?: Redact | undefined
}

async function toolOf(context: AnswersContext, runId: string, callId: string): Promise<Written> {
  const { row, state } = readRun(context, runId)
  const config = configAround(context.runs, row, runAround(state, callId))
  const assembled = config === undefined ? undefined : await context.assemble(config)
  if (!assembled?.ok) return {}
  const { tools, redact } = assembled.value
  const name = callAt(state, callId)?.name
  return { tool: tools.find((each) => each.name === name), redact }
}

interface Given {
  readonly runId: string
  readonly callId: string
  readonly args: NonNullable<DecideCall['args']>
  readonly written: Written | undefined
}

/** Arguments that a person wrote must fit the tool just as a model's must. */
function checkArgs(context: AnswersContext, { runId, callId, args, written = {} }: Given): void {
  const call = callAt(readRun(context, runId).state, callId)
  const { tool, redact } = written
  if (call?.redacted && placeOf(callId).parent !== undefined)
    throw new AppError(
      'unprocessable',
      'Arguments that hold a secret cannot be changed in a call of another agent. Approve the call as it is, or reject it.',
      { path: 'args' },
    )
  if (tool === undefined || call === undefined) return
  const stored = context.originals?.(runId)
  // Only the decision that counts may keep anything.
  const originals = stored && { ...stored, keep: () => undefined }
  const { original, redacted } = personsArgs({ redact, originals }, args, { call, tool })
  const fit = fitArgs(tool, original)
  if (!('invalid' in fit)) return
  const message = redacted ? 'The arguments do not fit the tool.' : fit.invalid.message
  throw new AppError('unprocessable', message, { path: 'args' })
}
