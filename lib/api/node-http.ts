/**
 * Answers requests of Node's HTTP server with the handlers of the API, without Next between them, which takes longer
 * than most answers. The server loads this file as a bundle of its own.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, type Writable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { type Handlers, handlers } from './handlers'
import { routes } from './routes'

const byMethod: Partial<Record<string, Handlers['GET']>> = handlers(routes)
const compress = promisify(gzip)
/** Bytes below which compression saves nothing. */
const smallest = 1_024

/** @param body the whole body, if it has been read already; otherwise it is read from the request */
export async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  body?: Buffer,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const plain = withoutSlash(url)
  // The handler of GET answers HEAD as well.
  const handle = byMethod[method === 'HEAD' ? 'GET' : method]
  if (plain !== undefined) response.writeHead(308, { location: plain }).end()
  else if (handle === undefined) response.writeHead(405).end()
  else await send(await handle(asWebRequest(request, response, body)), request, response)
}

/** The address without the slash at the end of its path; undefined if there is none. */
function withoutSlash(target: string): string | undefined {
  const [path = '', ...query] = target.split('?')
  return path.endsWith('/') ? [path.replace(/\/+$/, ''), ...query].join('?') : undefined
}

function asWebRequest(request: IncomingMessage, response: ServerResponse, body?: Buffer): Request {
  const { method = 'GET', url = '/', headers } = request
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  // cast: Node's own type of the same stream
  const unread = isSent ? (Readable.toWeb(request) as ReadableStream<Uint8Array>) : null
  const init: RequestInit & { duplex: 'half' } = {
    method,
    headers: headersOf(request),
    body: (body as Uint8Array<ArrayBuffer> | undefined) ?? unread, // cast: buffers of requests are never shared
    signal: gone.signal,
    duplex: 'half',
  }
  return new Request(`http://localhost${url}`, init)
}

function headersOf({ headers }: IncomingMessage): Headers {
  const given = new Headers()
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) given.set(name, Array.isArray(value) ? value.join(', ') : value)
  return given
}

async function send(answer: Response, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, headers, body } = answer
  response.statusCode = status
  for (const [name, value] of headers) if (name !== 'set-cookie') response.setHeader(name, value)
  const cookies = headers.getSetCookie()
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  if (body === null || request.method === 'HEAD') {
    response.end()
    return void body?.cancel().catch(() => undefined)
  }
  const reader = body.getReader()
  response.once('close', () => void reader.cancel().catch(() => undefined))
  // A body may break while the connection takes nothing and no part is read.
  reader.closed.catch(() => response.destroy())
  try {
    await (isStream(headers) ? sendStream(reader, response) : sendFile(reader, answer, request, response))
  } catch (error) {
    // A reader that is gone, or that was too slow, is not a fault of the server.
    if (!(error instanceof Error && error.name === 'AbortError')) console.error(error)
    response.destroy()
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>

function isStream(headers: Headers): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/** Sends each part as it comes, at the pace of the connection. */
async function sendStream(reader: Reader, response: ServerResponse): Promise<void> {
  response.flushHeaders()
  for (let part = await reader.read(); !part.done; part = await reader.read())
    await write(response, part.value)
  response.end()
}

/** Sends an answer that is complete as one write, and a longer one part by part; compressed if that saves anything. */
async function sendFile(
  reader: Reader,
  { headers }: Response,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isText = /^(text\/|application\/json)/.test(headers.get('content-type') ?? '')
  if (isText) response.setHeader('vary', 'accept-encoding')
  const packs = isText && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
  const first = await reader.read()
  const second = first.done ? first : await reader.read()
  if (first.done || second.done) {
    const whole = first.value ?? new Uint8Array()
    const isPacked = packs && whole.byteLength >= smallest
    if (isPacked) response.setHeader('content-encoding', 'gzip')
    const bytes = isPacked ? await compress(whole) : whole
    response.setHeader('content-length', bytes.byteLength)
    response.end(bytes)
    return
  }
  if (packs) response.setHeader('content-encoding', 'gzip')
  const to = packs ? createGzip() : response
  if (to !== response) to.pipe(response)
  response.once('close', () => to.destroy())
  await write(to, first.value)
  await write(to, second.value)
  for (let part = await reader.read(); !part.done; part = await reader.read()) await write(to, part.value)
  to.end()
}

/** Resolves once more may be written, or once nothing will be. */
function write(to: Writable, bytes: Uint8Array): Promise<void> | undefined {
  if (to.destroyed || to.write(bytes)) return undefined
  return new Promise((resolve) => {
    const done = () => {
      to.off('drain', done).off('close', done)
      resolve()
    }
    to.on('drain', done).on('close', done)
  })
}
