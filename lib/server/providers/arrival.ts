/**
 * An incoming HTTP response: resolved at its headers, read as it arrives; the data
 * of one turn becomes one read.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import type { Incoming, IncomingBody } from '#lib/spec/model'

/** An answer with all of its headers. */
export interface Arrived extends Incoming {
  readonly headers: IncomingHttpHeaders
}

type Read = Awaited<ReturnType<IncomingBody['read']>>

interface Waiting {
  resolve(arrived: Arrived): void
  reject(reason: unknown): void
  /** When aborted, it ends the response at any point. */
  readonly signal: AbortSignal | undefined
}

/** Bytes that are buffered before the reader asks for them; beyond this the connection is paused. */
const most = 256 * 1024
const bodiless = new Set([204, 205, 304])

export class Arrival implements Dispatcher.DispatchHandler {
  readonly #waiting: Waiting
  readonly #stop = () => this.#end(this.#waiting.signal?.reason)
  #controller: Dispatcher.DispatchController | undefined
  #pending: Uint8Array[] = []
  #size = 0
  #over: { readonly error?: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(waiting: Waiting) {
    this.#waiting = waiting
    waiting.signal?.addEventListener('abort', this.#stop)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#over !== undefined) controller.abort(aborted)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return
    if (status > 599) {
      this.#end(new Error(`The status ${status} is not a valid HTTP status.`))
      return
    }
    const own: IncomingBody = { read: () => this.#read(), cancel: async () => this.#end(aborted) }
    const body = bodiless.has(status) ? null : decodeBody(own, headers['content-encoding'])
    const header = (name: string) => {
      const value = headers[name]
      return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
    }
    this.#waiting.resolve({ status, headers, header, body })
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#pending.push(chunk)
    this.#size += chunk.length
    if (this.#size > most) controller.pause()
    this.#wake?.()
  }

  onResponseEnd(): void {
    this.#close({})
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#close({ error })
  }

  #end(error: unknown): void {
    if (this.#over !== undefined) return
    this.#close({ error })
    this.#controller?.abort(aborted)
  }

  #close(over: { readonly error?: unknown }): void {
    if (this.#over !== undefined) return
    this.#over = over
    this.#waiting.signal?.removeEventListener('abort', this.#stop)
    if ('error' in over) this.#waiting.reject(over.error)
    this.#wake?.()
  }

  #read(): Promise<Read> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        if (this.#over && 'error' in this.#over) reject(this.#over.error)
        else if (this.#pending.length > 0) resolve({ done: false, value: this.#take() })
        else if (this.#over !== undefined) resolve({ done: true })
        else return false
        return true
      }
      if (settle()) return
      this.#wake = () => {
        this.#wake = undefined
        // Further data of the same turn joins this read.
        queueMicrotask(settle)
      }
    })
  }

  #take(): Uint8Array | undefined {
    const [first] = this.#pending
    const value = this.#pending.length === 1 ? first : Buffer.concat(this.#pending)
    const wasFull = this.#size > most
    this.#pending = []
    this.#size = 0
    if (wasFull) this.#controller?.resume()
    return value
  }
}

const aborted = new Error('The request was aborted.')

/** The answer as `fetch` gives it. */
export function responseOf({ status, headers, body }: Arrived): Response {
  return new Response(body && streamOf(body), { status, headers: headersOf(headers) })
}

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  return headers
}

function streamOf(body: IncomingBody): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { done, value } = await body.read()
      if (done || value === undefined) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => body.cancel(),
  }
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** For a service that compresses its response although the request did not ask for it. */
function decodeBody(body: IncomingBody, encoding: string | undefined): IncomingBody {
  if (encoding !== 'gzip' && encoding !== 'deflate') return body
  const plain = new DecompressionStream(encoding)
  return streamOf(body)
    .pipeThrough(plain as ReadableWritablePair<Uint8Array, Uint8Array>) // cast: bytes go in and come out
    .getReader()
}
