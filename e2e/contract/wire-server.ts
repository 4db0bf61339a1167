/** A model server on loopback that plays recorded answers, and keeps the bytes of every request. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface Played {
  readonly status: number
  readonly type: string
  readonly body: string
}

export interface WireServer {
  readonly port: number
  /** The next answers, in order; requests are kept from here on. */
  play(answers: readonly Played[]): readonly Received[]
  close(): Promise<void>
}

const json = { 'content-type': 'application/json' }
/** The list of models of both services, as far as their formats agree. */
const listOfModels = JSON.stringify({
  object: 'list',
  data: [
    { id: 'model-small', object: 'model', type: 'model' },
    { id: 'model-large', object: 'model', type: 'model' },
  ],
  has_more: false,
})
const kept = ['accept', 'anthropic-version', 'authorization', 'content-type', 'x-api-key']

export async function startWireServer(port = 0): Promise<WireServer> {
  let due: Played[] = []
  let received: Received[] = []
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.once('end', () => {
      if (request.method === 'GET') return void response.writeHead(200, json).end(listOfModels)
      const headers = kept.map((name) => [name, request.headers[name]?.toString()] as const)
      received.push({
        path: `${request.method} ${request.url}`,
        headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
        body: Buffer.concat(pieces).toString('utf8'),
      })
      const { status, type, body } = due.shift() ?? {
        status: 500,
        type: 'text/plain',
        body: 'nothing is due',
      }
      response.writeHead(status, { 'content-type': type }).end(body)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port, // cast: a server that listens on a port has such an address
    play(answers) {
      due = [...answers]
      received = []
      return received
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
