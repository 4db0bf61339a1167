/**
 * What a tool that is tried asks a person. A question is told when it is asked, answered by default when its time is
 * over, and closed with the call that asked it.
 */
import type { Decisions } from '#lib/agent/call/decisions'
import { joinPath } from '#lib/agent/state/inner-path'
import type { EventOf, RunEvent } from '#lib/spec/event'
import type { InputQuestion, InputReply } from '#lib/spec/input'
import { createDeadlines } from '../runs/run-deadlines'
import { lateWords } from '../runs/run-replies'

/** A question of a tool that is tried. `callId` is the path of the call inside which it is asked. */
export interface AskedInTry {
  readonly callId: string
  readonly tool: string
  readonly input: InputQuestion
}

/** What a person at the page is told of questions. */
export interface TellsQuestions {
  /** The tool asks a person. */
  asks?(asked: AskedInTry): void
  /** The question is closed. */
  answered?(callId: string, inputId: string): void
}

interface QuestionsContext extends Pick<Parameters<typeof createDeadlines>[0], 'clock' | 'signal'> {
  readonly people: Decisions
  readonly tell: TellsQuestions
  report(error: unknown): void
}

export interface TryQuestions {
  heed(event: RunEvent): void
  /** The try is over: its questions are closed. */
  end(): void
}

const approvalId = 'approval'
const approve = 'Approve'

export function createTryQuestions({ people, tell, ...context }: QuestionsContext): TryQuestions {
  const open = new Map<string, AskedInTry>()
  const deadlines = createDeadlines(context)

  function ask(asked: AskedInTry, at: number, late: () => void): void {
    const key = keyOf(asked.callId, asked.input.inputId)
    const { expiresAt } = asked.input
    open.set(key, asked)
    tell.asks?.(asked)
    if (expiresAt === undefined) return
    deadlines.watch({ runId: ofTry, key, leftMs: () => expiresAt - at, act: async () => late() })
  }

  function close(callId: string, inputId: string): void {
    const key = keyOf(callId, inputId)
    deadlines.unwatch(ofTry, key)
    if (open.delete(key)) tell.answered?.(callId, inputId)
  }

  const closeWhere = (isEnded: (callId: string) => boolean) => {
    for (const { callId, input } of [...open.values()]) if (isEnded(callId)) close(callId, input.inputId)
  }

  return {
    heed: (event) => {
      if (!('callId' in event) || event.callId === undefined) return
      const callId = event.parent === undefined ? event.callId : joinPath(event.parent, event.callId)
      switch (event.type) {
        case 'input.requested': {
          if (event.refused !== undefined) return
          const { inputId } = event
          const reply = { callId, inputId, action: 'decline', text: lateWords, by: 'timeout' } as const
          return ask(question(event, callId), event.at, () => people.reply(reply))
        }
        case 'approval.requested': {
          const decided = { decision: event.onTimeout ?? 'reject', scope: 'call', by: 'timeout' } as const
          return ask(approval(event, callId), event.at, () => people.push({ callId, ...decided }))
        }
        case 'input.given':
          return close(callId, event.inputId)
        case 'approval.decided':
          return close(callId, approvalId)
        case 'call.finished':
          // A call that ends in another way leaves its questions, and those of its run inside, without an answer.
          return closeWhere((each) => each === callId || each.startsWith(`${callId}/`))
        default:
          // Other events neither ask nor answer anything.
          return
      }
    },
    end: () => closeWhere(() => true),
  }
}

/** The deadlines of a try are its own. */
const ofTry = 'try'
const keyOf = (callId: string, inputId: string) => `${callId} ${inputId}`

function question(event: EventOf<'input.requested'>, callId: string): AskedInTry {
  const { tool, inputId, from, server, question, choices, schema, url, expiresAt } = event
  return {
    callId,
    tool,
    input: {
      ...{ inputId, from, question },
      ...(server !== undefined && { server }),
      ...(choices && { choices }),
      ...(schema && { schema }),
      ...(url !== undefined && { url }),
      ...(expiresAt !== undefined && { expiresAt }),
    },
  }
}

/** An agent inside the call asks whether one of its own calls may run. */
function approval({ tool, args, expiresAt }: EventOf<'approval.requested'>, callId: string): AskedInTry {
  const question = `May ${tool} run with these arguments?\n${JSON.stringify(args, null, 2)}`
  const input = { inputId: approvalId, from: 'tool', question, choices: [approve, 'Reject'] } as const
  const until = expiresAt === null ? {} : { expiresAt }
  return { callId, tool, input: { ...input, choices: [...input.choices], ...until } }
}

/** Passes what a person said to the try. */
export function sayToTry(people: Decisions, { callId, input: { inputId } }: AskedInTry, said: InputReply) {
  if (inputId !== approvalId) return people.reply({ callId, inputId, ...said, by: 'person' })
  const decision = said.action === 'answer' && said.text === approve ? 'approve' : 'reject'
  people.push({ callId, decision, scope: 'call', by: 'person' })
}
