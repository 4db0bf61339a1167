/** Reads request bodies at the door: limited while they arrive, and passed on as a whole. */
import { IncomingMessage } from 'node:http'

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** The whole body; `too_large` as soon as it exceeds the limit, `gone` when the sender has disconnected. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | 'too_large' | 'gone'> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve('too_large')
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (outcome: Buffer | 'too_large' | 'gone') => {
      request.off('data', take).off('end', end).off('close', leave).off('error', leave)
      // A sender that disconnects later must not crash the process.
      request.on('error', () => undefined)
      resolve(outcome)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) return settle('too_large')
      chunks.push(chunk)
    }
    const end = () => settle(Buffer.concat(chunks))
    const leave = () => settle('gone')
    request.on('data', take).on('end', end).on('close', leave).on('error', leave)
  })
}

/** The same request with its body already loaded, for a reader that only knows streams. */
export function withBody(request: IncomingMessage, body: Buffer): IncomingMessage {
  const copy = new IncomingMessage(request.socket)
  const { 'transfer-encoding': _, ...headers } = request.headers
  copy.method = request.method
  copy.url = request.url
  copy.httpVersion = request.httpVersion
  copy.httpVersionMajor = request.httpVersionMajor
  copy.httpVersionMinor = request.httpVersionMinor
  copy.rawHeaders = request.rawHeaders
  copy.headers = { ...headers, 'content-length': String(body.length) }
  copy.push(body)
  copy.push(null)
  copy.complete = true
  return copy
}
