/** One HTTP exchange with a server, byte for byte: any host, any header, any body. */
import http from 'node:http'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Leaves a stream after this many blocks. */
  readonly take?: number
}

export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly bytes: Buffer
}

/**
 * Headers of the connection rather than the answer, and headers that a page server may add to every answer.
 */
const ofConnection = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'vary']

export function exchange(url: string, { method, path, headers = {}, body, take }: Asked): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const target = new URL(url)
    const request = http.request(
      {
        host: target.hostname,
        port: target.port,
        agent: false,
        method,
        path,
        // Without keep-alive, a server closes the connection before a body that is too large has fully
        // arrived.
        headers: { connection: 'keep-alive', ...length, ...headers },
      },
      (response) => {
        const pieces: Buffer[] = []
        const done = (bytes: Buffer) => {
          const entries = Object.entries(response.headers).filter(([name]) => !ofConnection.includes(name))
          const told = entries.map(([name, value]) => [name, String(value)] as const)
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(told.toSorted(([a], [b]) => (a < b ? -1 : 1))),
            text: bytes.toString('utf8'),
            bytes,
          })
        }
        response.on('data', (piece: Buffer) => {
          pieces.push(piece)
          if (take === undefined) return
          const blocks = Buffer.concat(pieces).toString('utf8').split('\n\n')
          if (blocks.length <= take) return
          done(Buffer.from(`${blocks.slice(0, take).join('\n\n')}\n\n`))
          request.destroy()
        })
        response.once('end', () => {
          done(Buffer.concat(pieces))
          request.destroy()
        })
        response.once('error', () => undefined)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** The JSON of an answer that must be successful. */
export async function ask<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await exchange(url, {
    method,
    path,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (status >= 400) throw new Error(`${method} ${path} answered ${status}: ${text}`)
  return JSON.parse(text === '' ? 'null' : text)
}

interface Ended {
  readonly status: string
  readonly finishedAt: number | null
  readonly seq: number
}

/** The run, once it is over or, if `status` is given, has that status. */
export async function settled<T extends Ended>(url: string, runId: string, status?: string): Promise<T> {
  const until = performance.now() + 20_000
  for (;;) {
    const run = await ask<T>(url, 'GET', `/api/runs/${runId}`)
    if (status === undefined ? run.finishedAt !== null : run.status === status) return run
    if (performance.now() > until) throw new Error(`The run ${runId} is still ${run.status}.`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}
