/**
 * A model server on loopback that supports the three wires of OpenAI and Anthropic, misbehaves on
 * request, and records everything.
 */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Beat, Plan } from './plan'
import { type Asked, createResponder, type ResponderOptions } from './responder'

export interface ModelServerOptions extends ResponderOptions {
  /** Any free port by default. */
  readonly port?: number
}

/** A response that the client left before it was complete. */
export interface Left {
  /** The number of the request. */
  readonly n: number
  /** Milliseconds of the process's monotonic clock. */
  readonly at: number
}

export interface ModelServer {
  /** `http://127.0.0.1:…/v1` */
  readonly openaiUrl: string
  /** `http://127.0.0.1:…` */
  readonly anthropicUrl: string
  readonly requests: readonly Asked[]
  readonly openSockets: number
  /** The number of sockets opened so far. */
  readonly sockets: number
  /** The responses that clients left, in order. */
  readonly left: readonly Left[]
  /** Resolves with the first response that a client has left or leaves. */
  leaving(): Promise<Left>
  close(): Promise<void>
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const responder = createResponder(options)
  const open = new Map<Socket, { served: number }>()
  const left: Left[] = []
  const waiting: ((each: Left) => void)[] = []
  let sockets = 0
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const use = open.get(request.socket) ?? { served: 0 }
    const bodies: Buffer[] = []
    request.on('data', (bytes: Buffer) => bodies.push(bytes))
    request.on('error', () => {})
    response.on('error', () => {})
    request.on('end', () => {
      const plan = responder.answer({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        ),
        text: Buffer.concat(bodies).toString('utf8'),
        isReused: use.served > 0,
      })
      use.served += 1
      const n = responder.requests.length
      const run = { isOver: false }
      response.on('close', () => {
        if (run.isOver || response.writableFinished) return
        run.isOver = true
        const each = { n, at: performance.now() }
        left.push(each)
        for (const tell of waiting.splice(0)) tell(each)
      })
      void play(plan, response, run)
    })
  })
  server.on('connection', (socket) => {
    sockets += 1
    open.set(socket, { served: 0 })
    socket.setNoDelay(true)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // cast: a server that listens on a port has such an address
  return {
    openaiUrl: `http://127.0.0.1:${port}/v1`,
    anthropicUrl: `http://127.0.0.1:${port}`,
    requests: responder.requests,
    get openSockets() {
      return open.size
    },
    get sockets() {
      return sockets
    },
    left,
    leaving() {
      const [first] = left
      return first === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(first)
    },
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open.keys()) socket.destroy()
      })
    },
  }
}

/** `isOver` is set once neither side will send anything more. */
async function play(plan: Plan, response: http.ServerResponse, run: { isOver: boolean }): Promise<void> {
  if ('before' in plan) {
    if (plan.before === 'silence') return
    run.isOver = true
    response.socket?.resetAndDestroy()
    return
  }
  if (plan.delayMs > 0) await pause(plan.delayMs, response)
  if (response.destroyed) return
  response.writeHead(plan.status, plan.headers)
  response.flushHeaders()
  for (const beat of plan.beats) {
    if (response.destroyed) return
    await perform(beat, response, run)
  }
}

async function perform(beat: Beat, response: http.ServerResponse, run: { isOver: boolean }): Promise<void> {
  switch (beat.do) {
    case 'send':
      return send(beat.bytes, response)
    case 'wait':
      return pause(beat.ms, response)
    case 'repeat':
      while (!response.destroyed) {
        await send(beat.bytes, response)
        if (beat.everyMs > 0) await pause(beat.everyMs, response)
      }
      return
    case 'reset':
      run.isOver = true
      // A reset would drop data on its way, and what was sent before must arrive first.
      response.socket?.destroySoon()
      return
    case 'end':
      response.end()
      return
  }
  beat satisfies never
}

/**
 * Waits until the system has taken the bytes, so that pieces stay separate and a slow
 * reader slows the server.
 */
function send(bytes: Uint8Array, response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('close', resolve)
    response.write(bytes, () => {
      response.off('close', resolve)
      setImmediate(resolve)
    })
  })
}

function pause(ms: number, response: http.ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    response.once('close', done)
    function done() {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
  })
}
