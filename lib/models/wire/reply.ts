/** Reads the body of a response, streamed or not, within limits of size and time. */
import { tryParseJson } from '#lib/spec/json'
import type { Incoming, IncomingBody } from '#lib/spec/model'
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

/** An answer that is being read; its chunks go to the outlet of its reader. */
export interface OpenReply {
  /**
   * Waits for more of the answer and reads it, so that pieces that arrived together leave together. False when the
   * outlet is over. Throws if the body breaks or the signal is aborted.
   */
  next(): Promise<boolean>
  /** Call this at the end, whatever the end was. */
  close(): void
}

export function openReply(reply: Reply): OpenReply {
  const { response, hearing, signal } = reply
  const { body } = response
  if (body === null) {
    const end = async () => {
      hearing.end()
      return false
    }
    return { next: end, close: () => undefined }
  }
  // Cancelling the reader ends a waiting read, however `fetch` treats its signal.
  const cancel = () => void body.cancel().catch(() => undefined)
  signal.addEventListener('abort', cancel)
  const events = isStream(reply) ? new EventReading(reply, body) : undefined
  const whole = async () => {
    await readWhole(reply, body)
    return false
  }
  return {
    next: () => (events === undefined ? whole() : events.next()),
    close() {
      signal.removeEventListener('abort', cancel)
      void letGo(body, hearing.out)
    },
  }
}

function typeOf(response: Incoming): string {
  return response.header('content-type')?.toLowerCase() ?? ''
}

function isStream({ response, stream }: Reply): boolean {
  const type = typeOf(response)
  return type.includes('event-stream') || (stream && !/json|html|xml/.test(type))
}

class EventReading {
  readonly #reply: Reply
  readonly #body: IncomingBody
  readonly #events = new SseReader(maxEvent)
  #size = 0
  #count = 0
  #head = ''

  constructor(reply: Reply, body: IncomingBody) {
    this.#reply = reply
    this.#body = body
  }

  /** Reads the events that have arrived. */
  async next(): Promise<boolean> {
    const { done, value } = await this.#body.read()
    this.#reply.signal.throwIfAborted()
    if (!done && value !== undefined) return this.#take(value)
    this.#end()
    return false
  }

  #take(value: Uint8Array): boolean {
    const { hearing, site, watch } = this.#reply
    const { out } = hearing
    this.#size += value.byteLength
    if (this.#size > maxReply) out.fault(tooLargeFault(site, 'an answer of more than 8 MiB'))
    const ready = this.#events.push(value)
    if (this.#count === 0 && ready.length === 0 && this.#head.length < maxHead)
      this.#head += new TextDecoder().decode(value.subarray(0, maxHead))
    for (const event of ready) {
      this.#count += 1
      if (!out.isOver) hearing.event(event)
    }
    if (this.#events.isTooLarge) out.fault(tooLargeFault(site, 'an event of more than 1 MiB'))
    if (out.hasContent) watch.content()
    if (hearing.isTold) watch.ending()
    return !out.isOver
  }

  #end(): void {
    const { response, hearing, site } = this.#reply
    const last = this.#events.end()
    const isOther = this.#count === 0 && last === undefined && this.#head.trim() !== ''
    if (isOther && !typeOf(response).includes('event-stream'))
      hearing.out.fault(protocolFault(site, 'did not answer with a stream of events.', snippet(this.#head)))
    // A last event without a blank line counts only if it is complete.
    if (last !== undefined && (tryParseJson(last.data) !== undefined || last.data === '[DONE]'))
      hearing.event(last)
    hearing.end()
  }
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
