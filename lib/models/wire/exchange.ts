/**
 * Makes one request to a provider, directly or through its official client, and turns every possible outcome into
 * chunks.
 */
import type { Incoming, ModelChunk, ModelWaits } from '#lib/spec/model'
import { wordsOfBody } from './fault-words'
import { aborted, cutFault, faultAt, faultOfRefusal, type Site } from './faults'
import { IdleTimer } from './idle-timer'
import { incomingOf } from './incoming'
import { failureText, keepFailure } from './keep-failure'
import { faultOfConnection } from './network-faults'
import type { AnswerReader } from './reader'
import { type OpenReply, openReply } from './reply'

export interface Send {
  readonly fetch: typeof globalThis.fetch
  readonly signal: AbortSignal
  /** The time limit for the response headers, in whole milliseconds. */
  readonly timeoutMs: number
}

export interface Exchange {
  readonly site: Site
  readonly waits: ModelWaits
  /** Whether a stream is requested. */
  readonly stream: boolean
  readonly fetch: typeof globalThis.fetch
  /** Aborting it closes the connection at once. */
  readonly signal: AbortSignal
  readonly hearing: AnswerReader
  /** Sends the request with the official client; rejects as the client does. */
  send(how: Send): Promise<Response>
  /** Sends the request without the client, where that is possible; rejects as the connection does. */
  post?(signal: AbortSignal): Promise<Incoming>
}

/** Why a request is ended; an error of its own for each would cost its stack. */
const ended = new Error('The request was ended.')

/** Never throws; ends with one `finish` or one `fault`. */
export async function* converse(exchange: Exchange): AsyncGenerator<ModelChunk> {
  const { signal, waits, hearing, post } = exchange
  const { out } = hearing
  const over = new AbortController()
  const stop = () => over.abort(ended)
  signal.addEventListener('abort', stop)
  const watch = new IdleTimer(waits, stop)
  let reading: OpenReply | undefined
  try {
    if (signal.aborted) return yield { type: 'fault', fault: aborted }
    const response = await (post === undefined
      ? openExchange(exchange, over.signal)
      : openPost(exchange, post, over))
    if (response !== undefined) {
      watch.start()
      reading = openReply({ ...exchange, response, watch, signal: over.signal })
    }
    for (let goesOn = true; goesOn; ) {
      goesOn = reading !== undefined && (await readOn(exchange, reading, watch))
      for (const chunk of out.take()) yield chunk
    }
  } finally {
    reading?.close()
    signal.removeEventListener('abort', stop)
    watch.stop()
    // After a complete answer its reader releases the connection, so that it can be used again.
    if (out.ending !== 'finish') stop()
  }
}

/** Reads more of the answer; false when the outlet is over. */
async function readOn(
  { hearing, site, signal }: Exchange,
  reading: OpenReply,
  watch: IdleTimer,
): Promise<boolean> {
  try {
    return await reading.next()
  } catch {
    // An answer that has given its finish reason is complete, even if its connection stays open.
    if (watch.stalled?.wait === 'end' && !signal.aborted) hearing.end()
    // Any other failure while reading means that the answer is incomplete.
    hearing.out.fault(signal.aborted ? aborted : (stalledFault(site, watch) ?? cutFault(site)))
    return false
  }
}

/** Undefined if there was no good response; the outlet then has the fault. */
async function openPost(
  { site, waits, signal: stopped, hearing: { out } }: Exchange,
  post: NonNullable<Exchange['post']>,
  over: AbortController,
): Promise<Incoming | undefined> {
  const timeoutMs = Math.ceil(waits.headersMs)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    over.abort(ended)
  }, timeoutMs)
  try {
    const incoming = await post(over.signal)
    clearTimeout(timer)
    const { status } = incoming
    if (status >= 200 && status < 300) return incoming
    const words = wordsOfBody(await failureText(incoming.body))
    out.fault(
      stopped.aborted ? aborted : faultOfRefusal(site, { status, headers: { get: incoming.header }, words }),
    )
  } catch (error) {
    if (stopped.aborted) out.fault(aborted)
    else out.fault(isLate ? silentFault(site, timeoutMs) : faultOfConnection(site, error))
  } finally {
    clearTimeout(timer)
  }
  return undefined
}

/** The same through the official client. */
async function openExchange(
  { site, waits, fetch, signal: stopped, hearing, send }: Exchange,
  signal: AbortSignal,
): Promise<Incoming | undefined> {
  const door = keepFailure(fetch)
  const timeoutMs = Math.ceil(waits.headersMs)
  try {
    return incomingOf(await send({ fetch: door.fetch, signal, timeoutMs }))
  } catch (error) {
    const { out } = hearing
    if (stopped.aborted) out.fault(aborted)
    else if (door.refused !== undefined) {
      const { status, headers, body } = door.refused
      out.fault(faultOfRefusal(site, { status, headers, words: wordsOfBody(body) }))
    } else if (isAbort(door.broken)) out.fault(silentFault(site, timeoutMs))
    else out.fault(faultOfConnection(site, door.broken ?? error))
    return undefined
  }
}

/** The client aborts a request itself if no headers arrive in time. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function silentFault(site: Site, ms: number) {
  const message = `${site.label} did not begin to answer within ${seconds(ms)}.`
  return faultAt(site, { code: 'timeout', message, retry: 'backoff' })
}

function stalledFault(site: Site, { stalled }: IdleTimer) {
  if (stalled === undefined) return undefined
  const { wait, ms } = stalled
  const message =
    wait === 'between'
      ? `${site.label} sent nothing for ${seconds(ms)} in the middle of its answer.`
      : `${site.label} sent nothing of its answer for ${seconds(ms)}.`
  return faultAt(site, { code: 'stalled', message, retry: 'backoff' })
}

function seconds(ms: number): string {
  return ms === 1_000 ? '1 second' : `${ms / 1_000} seconds`
}
