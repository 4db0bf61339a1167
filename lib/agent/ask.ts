/** One request to the model and its answer: sent, heard piece by piece, and collected whatever way it ends. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { ModelChunk, ModelFault, Usage } from '#lib/spec/model'
import type { Decoder } from '#lib/spec/protocol'
import { Answer, type AnswerReason, type Ending } from './answer'
import { stopOf } from './deps'
import { type Engine, since } from './engine'
import { Feed } from './feed'
import type { Asking } from './wire'

/** `by` tells it from a piece. */
interface Ended {
  readonly by: 'itself' | 'stop' | 'timeout'
}

interface Stream {
  readonly answer: Answer
  readonly feed: Feed<Ended>
  readonly startedAt: number
  /** Aborted as soon as nobody listens any more. */
  readonly over: AbortController
  firstTokenMs: number | null
}

export async function* ask(engine: Engine, asking: Asking): AsyncGenerator<RunEvent, void> {
  const { step, attempt } = asking
  const { deps, emit, signal } = engine
  const { window, request } = engine.wire()
  if (window.dropped > 0 && step.number === 1 && step.truncated === undefined) {
    yield emit({ type: 'context.truncated', messages: { kept: window.kept + 1, dropped: window.dropped } })
  }
  const { body, tools, counts } = request(asking)
  const bytes = new TextEncoder().encode(body).length
  yield emit({ type: 'model.requested', attempt, counts, tools, bytes, hash: deps.hash(body) })

  const stream: Stream = {
    answer: new Answer(step.number, !step.summary),
    feed: new Feed(deps.clock),
    startedAt: deps.clock.monotonic(),
    over: new AbortController(),
    firstTokenMs: null,
  }
  const { feed, over } = stream
  const stop = () => feed.push({ by: 'stop' })
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    else void hear(engine, stream, body)
    feed.pushAfter(deps.modelTimeoutSeconds * 1_000, { by: 'timeout' })
    for (;;) {
      const item = await feed.take()
      if ('by' in item) {
        if (stopOf(signal) !== 'drain') yield emit(answered(engine, stream, item))
        return
      }
      yield emit(item)
    }
  } finally {
    signal.removeEventListener('abort', stop)
    feed.close()
    over.abort('over')
  }
}

/** Never throws: a stream that breaks its contract is a fault like any other. */
async function hear({ deps }: Engine, stream: Stream, body: string): Promise<void> {
  const { answer, feed, over } = stream
  const take = (chunks: readonly ModelChunk[]) => {
    for (const chunk of chunks) {
      const piece = answer.hear(chunk)
      if (piece === undefined) continue
      stream.firstTokenMs ??= since(deps, stream.startedAt)
      feed.piece(piece)
    }
  }
  try {
    const decoder = deps.codec.decoder()
    for await (const chunk of deps.model.stream(body, over.signal)) {
      if (over.signal.aborted) return
      take(decoder.push(chunk))
      // Said all: the stream may take its time to close, and is not waited for.
      if (chunk.type === 'finish' || chunk.type === 'fault') return endOf(decoder)
    }
    endOf(decoder)
  } catch (error) {
    if (over.signal.aborted) return
    deps.report?.(error)
    answer.hear({ type: 'fault', fault: brokenContract })
    feed.push({ by: 'itself' })
  }

  function endOf(decoder: Decoder): void {
    take(decoder.end())
    feed.push({ by: 'itself' })
  }
}

const brokenContract: ModelFault = {
  code: 'protocol',
  message: 'The connection to the model broke unexpectedly.',
}
const endedEarly: ModelFault = {
  code: 'cut',
  message: 'The answer of the model ended before it was complete.',
}

interface Verdict {
  readonly reason: AnswerReason
  readonly usage: Usage
  readonly fault?: ModelFault
}

function verdictOn(how: Ended, ending: Ending | undefined, timeoutSeconds: number): Verdict {
  const usage = ending?.by === 'finish' ? ending.usage : { input: 0, output: 0 }
  if (how.by === 'stop') return { reason: 'cancelled', usage }
  if (how.by === 'timeout') {
    const message = `The model did not finish its answer within ${timeoutSeconds} seconds.`
    return { reason: 'fault', usage, fault: { code: 'timeout', message } }
  }
  if (ending === undefined) return { reason: 'cut', usage, fault: endedEarly }
  if (ending.by === 'fault')
    return { reason: ending.fault.code === 'cut' ? 'cut' : 'fault', usage, fault: ending.fault }
  return ending.reason === 'cut'
    ? { reason: 'cut', usage, fault: endedEarly }
    : { reason: ending.reason, usage }
}

function answered({ deps }: Engine, stream: Stream, how: Ended): EventBody {
  const { reason, usage, fault } = verdictOn(how, stream.answer.ending, deps.modelTimeoutSeconds)
  return {
    type: 'model.answered',
    parts: stream.answer.parts(reason),
    usage,
    finishReason: reason,
    durationMs: since(deps, stream.startedAt),
    firstTokenMs: stream.firstTokenMs,
    ...(fault === undefined ? {} : { fault: { code: fault.code, message: fault.message } }),
  }
}
