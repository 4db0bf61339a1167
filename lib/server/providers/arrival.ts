/**
 * An incoming HTTP response: resolved at its headers, read as it arrives; the data
 * of one turn becomes one chunk.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'

interface Waiting {
  resolve(response: Response): void
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
    const body = bodiless.has(status) ? null : decodeBody(this.#body(), headers['content-encoding'])
    this.#waiting.resolve(new Response(body, { status, headers: headersOf(headers) }))
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

  #body(): ReadableStream<Uint8Array> {
    const source: UnderlyingDefaultSource<Uint8Array> = {
      pull: (body) => {
        if (this.#give(body)) return
        return new Promise<void>((resolve) => {
          this.#wake = () => {
            this.#wake = undefined
            // Further data of the same turn joins this chunk.
            queueMicrotask(() => {
              this.#give(body)
              resolve()
            })
          }
        })
      },
      cancel: () => this.#end(aborted),
    }
    return new ReadableStream(source, { highWaterMark: 0 })
  }

  /** False when there is nothing to deliver yet. */
  #give(body: ReadableStreamDefaultController<Uint8Array>): boolean {
    const [first] = this.#pending
    if (first !== undefined && !(this.#over && 'error' in this.#over)) {
      body.enqueue(this.#pending.length === 1 ? first : Buffer.concat(this.#pending))
      const wasFull = this.#size > most
      this.#pending = []
      this.#size = 0
      if (wasFull) this.#controller?.resume()
      return true
    }
    if (this.#over === undefined) return false
    if ('error' in this.#over) body.error(this.#over.error)
    else body.close()
    return true
  }
}

const aborted = new Error('The request was aborted.')

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  return headers
}

/** For a service that compresses its response although the request did not ask for it. */
function decodeBody(
  body: ReadableStream<Uint8Array>,
  encoding: string | undefined,
): ReadableStream<Uint8Array> {
  if (encoding !== 'gzip' && encoding !== 'deflate') return body
  const plain = new DecompressionStream(encoding)
  return body.pipeThrough(plain as ReadableWritablePair<Uint8Array, Uint8Array>) // cast: bytes go in and come out
}
