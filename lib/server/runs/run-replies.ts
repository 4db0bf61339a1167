/** Replies to the questions of calls: checked by their forms, made once and stored, and declined when the time is over. */
import type { Replied } from '#lib/agent/call/decisions'
import { openCallAt } from '#lib/agent/call/inside'
import { faultOfReply } from '#lib/agent/call/question-rules'
import { givenEvent } from '#lib/agent/call/questions'
import { callAt } from '#lib/agent/state/inner-path'
import { openInputsOf } from '#lib/agent/state/input-fold'
import { AppError } from '#lib/spec/errors'
import type { EventOf } from '#lib/spec/event'
import type { AskedInput } from '#lib/spec/input'
import { jsonKey } from '#lib/spec/json'
import type { PendingReply } from '#lib/spec/pending'
import type { Redact } from '#lib/spec/redact'
import type { CallState, RunState } from '#lib/spec/state'
import type { GiveReply } from '#lib/wire/runs'
import { type AnswersContext, answerRun, readRun } from './run-answers'
import { type Deadlines, leftAfterStart } from './run-deadlines'

export interface Replies {
  /** A person's reply. Repeating it changes nothing; a different one is a `conflict` that names the first. */
  reply(runId: string, callId: string, said: GiveReply): Promise<void>
  /** The question is asked now: it is declined when its time is over. */
  asked(runId: string, event: EventOf<'input.requested'>): void
  /** The same for a question that was asked before the server started. */
  watch(runId: string, pending: PendingReply): void
  given(runId: string, event: EventOf<'input.given'>): void
}

export const lateWords = 'Nobody replied in time.'

type Question = Pick<Replied, 'callId' | 'inputId'>

export function createReplies(context: AnswersContext, deadlines: Deadlines): Replies {
  const reply = (runId: string, replied: Replied, redact?: Redact) =>
    answerRun(context, runId, {
      what: 'reply',
      callId: replied.callId,
      stands: (state, isAtWork) => {
        const { call, asked } = questionOf(state, replied)
        if (asked.given !== undefined) return checkSame(asked.given, replied, redact)
        if (openCallAt(state, replied.callId) === undefined)
          throw new AppError('conflict', 'The call has ended, so its question is closed.')
        checkOpen(call, isAtWork)
        return false
      },
      event: () => givenEvent({ redact }, replied),
      pass: (decisions) => decisions.reply(replied),
    })

  const decline = (runId: string, question: Question, leftMs: () => number) =>
    deadlines.watch({
      runId,
      key: keyOf(question),
      leftMs,
      act: () => reply(runId, { ...question, action: 'decline', text: lateWords, by: 'timeout' }),
    })

  return {
    reply: async (runId, callId, { inputId: named, action = 'answer', ...said }) => {
      const { row, state } = readRun(context, runId)
      const inputId = named ?? onlyQuestion(state, callId)
      const { asked } = questionOf(state, { callId, inputId })
      const assembled = await context.assemble(row.config)
      const redact = assembled.ok ? assembled.value.redact : undefined
      const fault = asked.given === undefined ? faultOfReply(asked, { action, ...said }) : undefined
      if (fault !== undefined) {
        const { message, fields } = fault
        throw new AppError('unprocessable', message, {
          path: asked.schema === undefined ? 'text' : 'values',
          ...(fields && { fields }),
        })
      }
      await reply(runId, { callId, inputId, action, ...said, by: 'person' }, redact)
      deadlines.unwatch(runId, keyOf({ callId, inputId }))
    },
    asked: (runId, { callId, inputId, expiresAt, refused, at }) => {
      if (expiresAt === undefined || refused !== undefined) return
      decline(runId, { callId, inputId }, () => expiresAt - at)
    },
    watch: (runId, { callId, input: { inputId }, expiresAt }) => {
      if (expiresAt === null) return
      decline(runId, { callId, inputId }, () => {
        const { asked } = questionOf(readRun(context, runId).state, { callId, inputId })
        return leftAfterStart(context.clock.now(), expiresAt, asked.askedAt)
      })
    },
    given: (runId, question) => deadlines.unwatch(runId, keyOf(question)),
  }
}

function keyOf({ callId, inputId }: Question): string {
  return JSON.stringify([callId, inputId])
}

function questionOf(
  state: RunState,
  { callId, inputId }: Question,
): { readonly call: CallState; readonly asked: AskedInput } {
  const call = callAt(state, callId)
  const asked = call?.inputs?.find((each) => each.inputId === inputId)
  if (call === undefined || asked === undefined)
    throw new AppError('not_found', 'This call has no such question.')
  return { call, asked }
}

/** The question that a reply without an id means: the only one that is open, or the last one. */
function onlyQuestion(state: RunState, callId: string): string {
  const call = callAt(state, callId)
  const open = call === undefined ? [] : openInputsOf(call)
  if (open.length > 1) {
    const ids = open.map(({ inputId }) => inputId)
    throw new AppError(
      'unprocessable',
      `This call has ${open.length} open questions. Say in inputId which one the reply is for: ${ids.join(', ')}.`,
      { path: 'inputId', open: ids },
    )
  }
  const inputId = open[0]?.inputId ?? call?.inputs?.at(-1)?.inputId
  if (inputId === undefined) throw new AppError('not_found', 'This call has no question.')
  return inputId
}

/** A question of a body at work ends with the server, even before its run is resumed. */
function checkOpen({ status }: CallState, isAtWork: boolean): void {
  if (isAtWork || status !== 'running') return
  throw new AppError(
    'conflict',
    'The server restarted while this question was open, so it is closed. If the call can run again, it asks again.',
  )
}

const closedWords = {
  person: 'by a person',
  timeout: 'because nobody replied in time',
  cancel: 'because the call or the run ended',
  restart: 'because the server restarted',
  rule: 'because it must not be put to a person',
}

function checkSame(stands: NonNullable<AskedInput['given']>, said: Replied, redact?: Redact): true {
  const key = ({ action, text, values }: Pick<Replied, 'action' | 'text' | 'values'>) =>
    action === 'answer' ? jsonKey({ text: text ?? null, values: values ?? null }) : action
  const { callId, inputId, by: _, ...reply } = said
  const own = givenEvent({ redact }, { callId, inputId, ...reply, by: 'person' })
  if (key(stands) === key(own)) return true
  const { action, by } = stands
  const word = { answer: 'answered', decline: 'declined', cancel: 'cancelled' }[action]
  throw new AppError('conflict', `The question was already ${word}, ${closedWords[by]}.`, {
    standing: { action, by },
  })
}
