/** Sends one request to the model and collects its answer piece by piece, however it ends. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import { callsOf, type Part } from '#lib/spec/message'
import type { ModelChunk, ModelFault, Price, Usage } from '#lib/spec/model'
import type { Decoder } from '#lib/spec/protocol'
import type { CallState, RunState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import { finishStarted } from '../call/calls'
import { Ledger } from '../call/ledger'
import { hideInCall } from '../call/originals'
import type { Happening } from '../call/running'
import { stopOf } from '../deps'
import { type Engine, since } from '../engine'
import { Feed } from '../feed'
import { redactText } from '../observation/redact'
import { cacheKeyOf } from '../request/cache-key'
import { loadPictures } from '../request/pictures'
import type { Asking } from '../request/request'
import { tooLong } from '../state/compaction'
import { costOf, savedOf } from '../state/cost'
import { Answer, type AnswerReason, type HidingInAnswer } from './answer'
import { canCutAgain, fitContext } from './compact'
import { presetWarnings } from './preset'
import {
  type ProviderReport,
  type Retry,
  resting,
  restOf,
  restReason,
  retryOf,
  takeTurn,
  waitLeft,
} from './retry'

type Ended = Extract<Happening, { type: 'ended' }>

interface Stream {
  /** The request's body. */
  readonly body: string
  /** The size of the request by our own estimate. */
  inputTokens(): number
  readonly decoder: Decoder
  readonly answer: Answer
  readonly feed: Feed<Happening>
  readonly startedAt: number
  /** Aborted when nobody reads the stream any more. */
  readonly over: AbortController
  firstTokenMs: number | null
}

/**
 * Makes one request. A failure that may pass is emitted as `model.retried`, and the next attempt first waits
 * as long as it asks for. A stop during the wait returns at once; `next` decides what becomes of the step.
 */
export async function* ask(engine: Engine, asking: Asking): AsyncGenerator<RunEvent, void> {
  const { deps, emit, signal } = engine
  await waitOut(engine, asking)
  if (signal.aborted) return
  const restMs = deps.breaker?.waitMs() ?? 0
  if (restMs > 0) {
    yield emit(restedEvent(engine, asking, restMs))
    return
  }
  const giveBack = takeTurn(deps.breaker)
  try {
    yield* send(engine, asking, giveBack)
  } finally {
    giveBack()
  }
}

async function waitOut({ state, deps, signal }: Engine, { step }: Asking): Promise<void> {
  const ms = waitLeft(step, state.lastAt, deps)
  if (ms === 0) return
  const wait = () => deps.clock.sleep(ms, signal)
  try {
    await (deps.aside === undefined ? wait() : deps.aside(wait, signal))
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const encoder = new TextEncoder()

async function* send(
  engine: Engine,
  asking: Asking,
  giveBack: (told: ProviderReport) => void,
): AsyncGenerator<RunEvent, void> {
  const { step, attempt } = asking
  const { deps, emit, signal } = engine
  const { window, request, codec } = engine.wire()
  if (window.dropped > 0 && step.number === 1 && step.truncated === undefined) {
    yield emit({ type: 'context.truncated', messages: { kept: window.kept + 1, dropped: window.dropped } })
  }
  yield* fitContext(engine, asking)
  if (signal.aborted) return
  const cacheKey = deps.model.cachesPrompt?.() ? cacheKeyOf(engine.state, deps) : undefined
  const shown = engine.wire().pictures(asking)
  const files = shown.length > 0 && { pictures: await loadPictures(shown, deps.ports.artifacts) }
  if (signal.aborted) return
  const { body, tools, counts, pictures } = request({ ...asking, cacheKey, ...files })
  const bytes = encoder.encode(body).length
  const sent = { attempt, counts, tools, bytes, hash: deps.hash(body) }
  yield emit({ type: 'model.requested', ...sent, ...(cacheKey !== undefined && { cacheKey }) })

  const stream: Stream = {
    body,
    inputTokens: () =>
      estimateTokens(body) + (pictures ? pictures.tokens - Math.ceil(pictures.chars / 4) : 0),
    decoder: codec(step).decoder({ hear: (chunk) => tell(engine, stream, chunk) }),
    answer: new Answer(
      step.number,
      !step.summary,
      (name, args) => engine.nameOf(name, args),
      hidingIn(engine),
    ),
    feed: new Feed(deps.clock),
    startedAt: deps.clock.monotonic(),
    over: new AbortController(),
    firstTokenMs: null,
  }
  const { feed, over } = stream
  engine.background?.announceTo(feed)
  const stop = () => feed.push({ type: 'ended', by: stopOf(signal) === 'budget' ? 'budget' : 'stop' })
  signal.addEventListener('abort', stop)
  try {
    if (signal.aborted) stop()
    else void hear(engine, stream, body)
    feed.pushAfter(deps.modelTimeoutSeconds * 1_000, { type: 'ended', by: 'timeout' })
    const ended = yield* follow(engine, stream)
    over.abort('over')
    const verdict = verdictOn(ended, stream, deps.modelTimeoutSeconds)
    if (ended.by !== 'budget') giveBack({ finishReason: verdict.reason, fault: verdict.fault })
    if (stopOf(signal) !== 'drain') {
      const told = outcome(engine, asking, { stream, verdict })
      const warnings = told.type === 'model.answered' ? warningsOn(engine, stream, told.parts) : []
      if (warnings.length > 0) yield emit({ type: 'protocol.warned', warnings })
      yield emit(told)
    }
    if (signal.aborted || !engine.ledger?.isBusy) yield* finishStarted(engine)
  } finally {
    signal.removeEventListener('abort', stop)
    if (engine.ledger === undefined) feed.close()
    over.abort('over')
  }
}

/** Without a way to hide secrets in pieces, arguments are not shown before they are complete. */
function hidingIn({ deps }: Engine): HidingInAnswer {
  const { redact } = deps
  return {
    inPieces: () => (redact === undefined ? (piece) => piece : (redact.inPieces?.() ?? (() => ''))),
    inCall: (part) => hideInCall(deps, part),
  }
}

/** Emits what the stream says until it ends. Sealed calls may begin while it continues. */
async function* follow(engine: Engine, { feed }: Stream): AsyncGenerator<RunEvent, Ended> {
  const { state, emit } = engine
  for (;;) {
    const item = await feed.take()
    switch (item.type) {
      case 'ended':
        return item
      case 'text.delta':
      case 'reasoning.delta':
      case 'call.delta':
        yield emit(item)
        break
      case 'sealed':
        yield emit({ type: 'call.sealed', parts: item.parts })
        engine.ledger ??= new Ledger(engine, feed)
        for (const { id } of callsOf(item.parts)) engine.ledger.add(callIn(state, id))
        yield* engine.ledger.fillUp()
        break
      case 'background':
        if (engine.background !== undefined) yield* engine.background.report()
        break
      default:
        // What happened among the calls: `heed` takes nothing else.
        if (engine.ledger === undefined) break
        yield* engine.ledger.heed(item)
        yield* engine.ledger.fillUp()
    }
  }
}

function callIn({ calls }: RunState, id: string): CallState {
  const call = calls.get(id)
  if (call === undefined) throw new Error(`${id} was sealed and is not in the state`)
  return call
}

/** Never throws: a stream that breaks its contract is a fault like any other. */
async function hear({ deps, limits }: Engine, stream: Stream, body: string): Promise<void> {
  const { answer, decoder, feed, over } = stream
  // A hook that sees the whole answer must be asked before any of its calls begin.
  const isEarly =
    limits.timing === 'on_stream' && !deps.policies.some(({ hook }) => hook?.on === 'post_reasoning')
  const seal = () => {
    if (!isEarly) return
    for (let parts = answer.seal(); parts !== undefined; parts = answer.seal())
      feed.push({ type: 'sealed', parts })
  }
  try {
    for await (const chunk of deps.model.stream(body, over.signal)) {
      if (over.signal.aborted) return
      decoder.push(chunk)
      seal()
      // The answer is complete. The stream may be slow to close, so it is not waited for.
      if (chunk.type === 'finish' || chunk.type === 'fault') return end()
    }
    end()
  } catch (error) {
    if (over.signal.aborted) return
    deps.report?.(error)
    answer.hear({ type: 'fault', fault: brokenContract })
    feed.push({ type: 'ended', by: 'itself' })
  }

  function end(): void {
    decoder.end()
    seal()
    feed.push({ type: 'ended', by: 'itself' })
  }
}

function tell({ deps }: Engine, stream: Stream, chunk: ModelChunk): void {
  const piece = stream.answer.hear(chunk)
  if (piece === undefined) return
  if (stream.firstTokenMs === null) deps.breaker?.answering()
  stream.firstTokenMs ??= since(deps, stream.startedAt)
  stream.feed.piece(piece)
}

const brokenContract: ModelFault = {
  code: 'protocol',
  message: 'The connection to the model broke unexpectedly.',
}
const endedEarly: ModelFault = {
  code: 'cut',
  message: 'The answer of the model ended before it was complete.',
  retry: 'backoff',
}

interface Verdict {
  readonly reason: AnswerReason
  readonly usage: Usage
  readonly fault?: ModelFault
}

function verdictOn(how: Ended, stream: Stream, timeoutSeconds: number): Verdict {
  const { ending } = stream.answer
  const usage = ending?.by === 'finish' ? ending.usage : estimatedUsage(stream)
  if (how.by === 'stop') return { reason: 'cancelled', usage }
  // Not `cancelled`: a resumed run would take that for a person's cancel.
  if (how.by === 'budget') return { reason: 'cut', usage }
  if (how.by === 'timeout') {
    // This is a limit that a person set, and the same request would probably reach it again, so it is not
    // retried.
    const message = `The model did not finish its answer within ${timeoutSeconds} seconds.`
    return { reason: 'fault', usage, fault: { code: 'timeout', message } }
  }
  if (ending === undefined) return { reason: 'cut', usage, fault: endedEarly }
  if (ending.by === 'fault') return failedVerdict(ending.fault, usage)
  return ending.reason === 'cut'
    ? { reason: 'cut', usage, fault: endedEarly }
    : { reason: ending.reason, usage }
}

/** Usage of an answer that did not finish: our own estimate, and zero before its first token. */
function estimatedUsage({ inputTokens, answer, firstTokenMs }: Stream): Usage {
  if (firstTokenMs === null) return { input: 0, output: 0 }
  return { input: inputTokens(), output: estimateTokens(answer.words()), estimated: true }
}

function failedVerdict(fault: ModelFault, usage: Usage): Verdict {
  return { reason: fault.code === 'cut' ? 'cut' : 'fault', usage, fault }
}

/** What the protocol corrected in the answer, and what of it is ignored. */
function warningsOn({ tool, deps }: Engine, { decoder }: Stream, parts: readonly Part[]): string[] {
  const told = (decoder.warnings ?? []).map((each) => redactText(deps, each))
  return [...told, ...presetWarnings(parts, tool)]
}

interface Heard {
  readonly stream: Stream
  readonly verdict: Verdict
}

function outcome(engine: Engine, asking: Asking, { stream, verdict }: Heard): EventBody {
  const { deps, signal } = engine
  const { step, attempt } = asking
  // A cancelled run keeps what it received. No request follows.
  if (verdict.fault === undefined || signal.aborted) return answeredEvent(engine, verdict, stream)
  // If asked again, the model would repeat calls that may have run.
  if (stream.answer.hasSealed) return answeredEvent(engine, { reason: 'cut', usage: verdict.usage }, stream)
  const isTooLong = verdict.fault.code === tooLong && canCutAgain(engine, asking)
  const retry: Retry = isTooLong ? { again: true, waitMs: 0 } : retryOf(verdict.fault, step, deps)
  if (!retry.again) return answeredEvent(engine, { ...verdict, fault: retry.fault }, stream)
  const { fault, usage } = verdict
  return {
    type: 'model.retried',
    attempt,
    code: fault.code,
    reason: redactText(deps, fault.message),
    waitMs: retry.waitMs,
    ...(usage.input > 0 && { usage, ...moneyOf(usage, deps.price) }),
  }
}

/** No request was sent: the breaker holds requests back, or has done so too often. */
function restedEvent(engine: Engine, { step, attempt }: Asking, restMs: number): EventBody {
  const rest: Retry = restOf(step, restMs)
  if (!rest.again) return answeredEvent(engine, failedVerdict(rest.fault, { input: 0, output: 0 }))
  return { type: 'model.retried', attempt, code: resting, reason: restReason, waitMs: rest.waitMs }
}

function answeredEvent(engine: Engine, { reason, usage, fault }: Verdict, stream?: Stream): EventBody {
  const { deps } = engine
  return {
    type: 'model.answered',
    parts: stream?.answer.parts(reason) ?? [],
    usage,
    finishReason: reason,
    durationMs: stream === undefined ? 0 : since(deps, stream.startedAt),
    firstTokenMs: stream?.firstTokenMs ?? null,
    ...moneyOf(usage, deps.price),
    ...(fault === undefined ? {} : { fault: { code: fault.code, message: redactText(deps, fault.message) } }),
  }
}

function moneyOf(usage: Usage, price: Price | undefined): { costUsd: number | null; savedUsd?: number } {
  const savedUsd = savedOf(usage, price)
  return { costUsd: costOf(usage, price), ...(savedUsd !== undefined && { savedUsd }) }
}
