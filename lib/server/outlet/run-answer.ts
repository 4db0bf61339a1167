/** Follows a run for a caller of its agent until it has an answer, and cancels it when the caller does. */
import { formOf } from '#lib/mcp/elicitation'
import type { AgentAnswer, AgentAsks, AgentQuestion } from '#lib/mcp/serve'
import { isRunEnd, type RunEvent } from '#lib/spec/event'
import { isObject, tryParseJson } from '#lib/spec/json'
import type { RunView } from '#lib/wire/runs'
import type { Runs } from '../runs/runs'
import { createFollowing, isTelling } from './following'

interface AnswerContext {
  readonly runs: Pick<Runs, 'watch' | 'get' | 'cancel'>
  readonly clock: { sleep(ms: number, signal: AbortSignal): Promise<void> }
  /** How long the caller waits with a run that waits for a person, ms. */
  readonly patienceMs: number
  /** The page of the run. */
  readonly url: string
}

type Asked = Pick<AgentQuestion, 'cancelled' | 'gone' | 'progress' | 'canAsk'> & {
  /** The last event that the caller has heard of. */
  readonly after?: number
  /** What is wrong with a reply, by the key of its question. */
  readonly faults?: ReadonlyMap<string, string>
}

/** Resolves at the end of the run, when it asks something, or when it has waited for a person for too long. */
export async function answerOfRun(
  context: AnswerContext,
  runId: string,
  asked: Asked,
): Promise<AgentAnswer | AgentAsks> {
  const { runs } = context
  const cancel = () => void runs.cancel(runId)
  if (asked.cancelled.aborted) cancel()
  else asked.cancelled.addEventListener('abort', cancel, { once: true })
  const asks = await follow(context, runId, asked)
  // While its person is asked, a client of an earlier revision may still cancel the call.
  if (asks !== undefined) return asks
  asked.cancelled.removeEventListener('abort', cancel)
  return answerIn(runs.get(runId), context.url)
}

/** The questions for the client's person that are open now. */
export function openQuestions({ pending }: Pick<RunView, 'pending'>) {
  return pending.flatMap(({ kind, callId, input }) => {
    const form = kind === 'input' && input !== undefined ? formOf(input) : undefined
    if (input === undefined || form === undefined) return []
    return [{ key: JSON.stringify([callId, input.inputId]), callId, input, form }]
  })
}

/** What the client sends back with the replies, so that its run is found again. */
export function readState(state: string): { readonly runId: string; readonly after: number } | undefined {
  const read = tryParseJson(state)
  if (!isObject(read) || typeof read.runId !== 'string' || typeof read.after !== 'number') return undefined
  return { runId: read.runId, after: read.after }
}

function asksOf(run: RunView, after: number, faults: Asked['faults']): AgentAsks | undefined {
  const open = openQuestions(run)
  if (open.length === 0) return undefined
  const asks = open.map(({ key, form }) => {
    const fault = faults?.get(key)
    return [key, fault === undefined ? form : { ...form, message: `${fault}\n\n${form.message}` }] as const
  })
  return { asks: Object.fromEntries(asks), state: JSON.stringify({ runId: run.id, after }) }
}

async function follow(
  { runs, clock, patienceMs, url }: AnswerContext,
  runId: string,
  { gone, progress, canAsk, after = 0, faults }: Asked,
): Promise<AgentAsks | undefined> {
  const stop = new AbortController()
  const following = createFollowing(url)
  /** Set while the run waits for a person. */
  let wait: AbortController | undefined
  const giveUpLater = ({ signal }: AbortController) =>
    void clock.sleep(patienceMs, signal).then(() => signal.aborted || stop.abort())
  try {
    for await (const stored of runs.watch(runId, 0, AbortSignal.any([stop.signal, gone]))) {
      if (stored === 'beat' || !isTelling(stored.type)) continue
      const event: RunEvent = JSON.parse(stored.json)
      const sentence = following.read(event)
      if (sentence !== undefined && stored.seq > after) progress(sentence)
      if (isRunEnd(event)) return undefined
      const asks = canAsk && following.isWaiting ? asksOf(runs.get(runId), stored.seq, faults) : undefined
      if (asks !== undefined) return asks
      if (following.isWaiting === (wait !== undefined)) continue
      wait?.abort()
      wait = following.isWaiting ? new AbortController() : undefined
      if (wait !== undefined) giveUpLater(wait)
    }
  } finally {
    wait?.abort()
  }
  return undefined
}

function answerIn({ id, threadId, status, answer, output, error }: RunView, url: string): AgentAnswer {
  const run = { runId: id, threadId, status, url, ...(output !== null && { output }) }
  if (status === 'completed') return { text: answer ?? '', isError: false, run }
  if (status === 'waiting')
    return { text: `The run waits for a person and has no answer yet. See ${url}`, isError: true, run }
  const why = error === null ? '' : `: ${error.message}`
  const text = `The run has no answer. It is ${status}${why}. See ${url}`
  return { text: answer ? `${answer}\n\n${text}` : text, isError: true, run }
}
