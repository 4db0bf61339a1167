/** One call of a client of `loopwright mcp`: a run at work, which may ask the client's person something meanwhile. */
import { randomBytes } from 'node:crypto'
import { faultOfReply } from '#lib/agent/call/question-rules'
import { type ClientForm, formOf, replyOf } from '#lib/mcp/elicitation'
import type { AgentAnswer, AgentAsks, AgentQuestion } from '#lib/mcp/serve'
import type { InputQuestion, InputReply } from '#lib/spec/input'

/** What a run has of its client. */
export interface ClientOfRun {
  /** Aborts when the client cancels the call, in whichever round, or closes the connection. */
  readonly cancelled: AbortSignal
  progress(sentence: string): void
  /** Undefined for a question that this client cannot be asked. */
  ask(question: InputQuestion): Promise<InputReply | undefined>
}

export interface ServedCall {
  /** Goes with each question, and comes back with its reply. */
  readonly state: string
  /** The end of the run, or its next question. */
  next(asked: AgentQuestion): Promise<AgentAnswer | AgentAsks>
}

/** The one question that is open: the runs of the command line ask one after the other. */
interface OpenQuestion {
  readonly question: InputQuestion
  readonly form: ClientForm
  settle(reply: InputReply): void
}

const onlyKey = 'question'

/** @param closed aborts when the connection is closed */
export function openServedCall(
  closed: AbortSignal,
  begin: (client: ClientOfRun) => Promise<AgentAnswer>,
): ServedCall {
  const state = randomBytes(16).toString('hex')
  const stop = new AbortController()
  const stopWith = (signal: AbortSignal) => {
    if (signal.aborted) stop.abort()
    else signal.addEventListener('abort', () => stop.abort(), { once: true })
  }
  stopWith(closed)
  let current: Pick<AgentQuestion, 'progress' | 'canAsk'> = { progress: () => undefined, canAsk: false }
  let open: OpenQuestion | undefined
  let tell = () => {}
  let end: Promise<AgentAnswer> | undefined

  const ask = (question: InputQuestion): Promise<InputReply | undefined> => {
    const form = current.canAsk ? formOf(question) : undefined
    if (form === undefined || stop.signal.aborted) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      const settle = (reply: InputReply) => {
        open = undefined
        stop.signal.removeEventListener('abort', cancel)
        resolve(reply)
      }
      const cancel = () => settle({ action: 'cancel' })
      stop.signal.addEventListener('abort', cancel, { once: true })
      open = { question, form, settle }
      tell()
    })
  }

  /** Returns what is wrong with the reply. */
  const take = ({ replied }: AgentQuestion): string | undefined => {
    const said = replied?.reply(onlyKey)
    if (open === undefined || said === undefined) return undefined
    const reply = replyOf(open.question, said)
    const fault = faultOfReply(open.question, reply)
    if (fault === undefined) open.settle(reply)
    return fault?.message
  }

  const asksNow = (fault?: string): AgentAsks | undefined => {
    if (open === undefined) return undefined
    const { form } = open
    const message = fault === undefined ? form.message : `${fault}\n\n${form.message}`
    return { asks: { [onlyKey]: { ...form, message } }, state }
  }

  return {
    state,
    next(asked) {
      current = asked
      stopWith(asked.cancelled)
      const now = asksNow(take(asked))
      if (now !== undefined) return Promise.resolve(now)
      const question = new Promise<AgentAsks>((resolve) => {
        tell = () => {
          const asks = asksNow()
          if (asks !== undefined) resolve(asks)
        }
      })
      end ??= begin({ cancelled: stop.signal, progress: (sentence) => current.progress(sentence), ask })
      return Promise.race([end, question])
    },
  }
}
