/** Reads the body of a response, streamed or not, within limits of size and time, and yields its chunks. */
import { tryParseJson } from '#lib/spec/json'
import type { Incoming, IncomingBody, ModelChunk } from '#lib/spec/model'
import { SseReader } from '#lib/spec/sse'
import { snippet } from './fault-words'
import { cutFault, protocolFault, type Site, tooLargeFault } from './faults'
import type { IdleTimer } from './idle-timer'
import type { AnswerReader } from './reader'

/** The most bytes of one answer. */
export const maxReply = 8 * 1024 * 1024
/** The most characters of one event. */
const maxEvent = 1024 * 1024
/** Enough of a response to recognize what it is. */
const maxHead = 2_000
const maxDrainMs = 250

export interface Reply {
  readonly response: Incoming
  readonly hearing: AnswerReader
  readonly site: Site
  readonly watch: IdleTimer
  /** Whether a stream was requested. */
  readonly stream: boolean
  /** Aborting it ends the reading at once. */
  readonly signal: AbortSignal
}

/** Throws if the body breaks or the signal is aborted. When it returns, the outlet is over. */
export async function* read(reply: Reply): AsyncGenerator<ModelChunk> {
  const { response, hearing, signal } = reply
  const reader = response.body
  if (reader === null) {
    hearing.end()
    yield* hearing.out.take()
    return
  }
  // Cancelling the reader ends a waiting read, however `fetch` treats its signal.
  const close = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener('abort', close)
  try {
    if (isStream(reply)) yield* readEvents(reply, reader)
    else await readWhole(reply, reader)
    yield* hearing.out.take()
  } finally {
    signal.removeEventListener('abort', close)
    void letGo(reader, hearing.out)
  }
}

function typeOf(response: Incoming): string {
  return response.header('content-type')?.toLowerCase() ?? ''
}

function isStream({ response, stream }: Reply): boolean {
  const type = typeOf(response)
  return type.includes('event-stream') || (stream && !/json|html|xml/.test(type))
}

/** Yields after each read, so that pieces that arrived together leave together. */
async function* readEvents(
  { response, hearing, site, watch, signal }: Reply,
  reader: IncomingBody,
): AsyncGenerator<ModelChunk> {
  const { out } = hearing
  const events = new SseReader(maxEvent)
  let size = 0
  let count = 0
  let head = ''
  for (;;) {
    const { done, value } = await reader.read()
    signal.throwIfAborted()
    if (done || value === undefined) break
    size += value.byteLength
    if (size > maxReply) out.fault(tooLargeFault(site, 'an answer of more than 8 MiB'))
    const ready = events.push(value)
    if (count === 0 && ready.length === 0 && head.length < maxHead)
      head += new TextDecoder().decode(value.subarray(0, maxHead))
    for (const event of ready) {
      count += 1
      if (!out.isOver) hearing.event(event)
    }
    if (events.isTooLarge) out.fault(tooLargeFault(site, 'an event of more than 1 MiB'))
    if (out.hasContent) watch.content()
    if (hearing.isTold) watch.ending()
    for (const chunk of out.take()) yield chunk
    if (out.isOver) return
  }
  const last = events.end()
  const isOther = count === 0 && last === undefined && head.trim() !== ''
  if (isOther && !typeOf(response).includes('event-stream'))
    out.fault(protocolFault(site, 'did not answer with a stream of events.', snippet(head)))
  // A last event without a blank line counts only if it is complete.
  if (last !== undefined && (tryParseJson(last.data) !== undefined || last.data === '[DONE]'))
    hearing.event(last)
  hearing.end()
}

async function readWhole({ response, hearing, site, signal }: Reply, reader: IncomingBody): Promise<void> {
  const { out } = hearing
  const text = await textOf(reader, maxReply)
  signal.throwIfAborted()
  if (text === undefined) return out.fault(tooLargeFault(site, 'an answer of more than 8 MiB'))
  const value = tryParseJson(text)
  if (value !== undefined && hearing.whole(value)) return
  if (value === undefined && /^\s*[{[]/.test(text) && typeOf(response).includes('json'))
    return out.fault(cutFault(site))
  out.fault(
    protocolFault(
      site,
      `answered with ${kindOf(response)}, which is not an answer of its API.`,
      snippet(text),
    ),
  )
}

function kindOf(response: Incoming): string {
  const type = typeOf(response)
  if (type.includes('html')) return 'a web page'
  return type.includes('json') ? 'other JSON' : 'something else'
}

/** Undefined if there are more than `max` bytes. */
export async function textOf(reader: IncomingBody, max: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let size = 0
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done || value === undefined) return text + decoder.decode()
    size += value.byteLength
    if (size > max) return undefined
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * After a complete answer the remaining bytes are read, so that the connection can be used
 * again; otherwise it is closed.
 */
async function letGo(reader: IncomingBody, { ending }: AnswerReader['out']): Promise<void> {
  const close = () => reader.cancel().catch(() => undefined)
  if (ending !== 'finish') return await close()
  const timer = setTimeout(close, maxDrainMs)
  timer.unref()
  try {
    while (!(await reader.read()).done);
  } catch {
    // The connection broke after the complete answer.
  } finally {
    clearTimeout(timer)
  }
}
