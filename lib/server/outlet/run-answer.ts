/** Follows a run for a caller of its agent until it has an answer, and cancels it when the caller does. */
import type { AgentAnswer, AgentQuestion } from '#lib/mcp/serve'
import { isRunEnd, type RunEvent } from '#lib/spec/event'
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

type Asked = Pick<AgentQuestion, 'cancelled' | 'gone' | 'progress'>

/** Resolves at the end of the run, or when it has waited for a person for too long. */
export async function answerOfRun(context: AnswerContext, runId: string, asked: Asked): Promise<AgentAnswer> {
  const { runs } = context
  const cancel = () => void runs.cancel(runId)
  if (asked.cancelled.aborted) cancel()
  else asked.cancelled.addEventListener('abort', cancel, { once: true })
  try {
    await follow(context, runId, asked)
  } finally {
    asked.cancelled.removeEventListener('abort', cancel)
  }
  return answerIn(runs.get(runId), context.url)
}

async function follow(
  { runs, clock, patienceMs, url }: AnswerContext,
  runId: string,
  { gone, progress }: Asked,
): Promise<void> {
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
      if (sentence !== undefined) progress(sentence)
      if (isRunEnd(event)) return
      if (following.isWaiting === (wait !== undefined)) continue
      wait?.abort()
      wait = following.isWaiting ? new AbortController() : undefined
      if (wait !== undefined) giveUpLater(wait)
    }
  } finally {
    wait?.abort()
  }
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
