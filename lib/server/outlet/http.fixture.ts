/** For tests: handlers of requests on a port, as Next serves them; a request aborts when its sender is gone. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { callApi } from '../house.fixture'

export interface HttpHouse {
  readonly url: string
  close(): Promise<void>
}

/** The API of a house. */
export function serveApi(): Promise<HttpHouse> {
  return serveFetch(callApi)
}

export async function serveFetch(answer: (request: Request) => Promise<Response>): Promise<HttpHouse> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController()
    outgoing.on('close', () => outgoing.writableFinished || gone.abort())
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const response = await answer(
      new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>, // cast: no header of these tests is repeated
        signal: gone.signal,
        ...(body.length > 0 && { body }),
      }),
    )
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.flushHeaders()
    if (response.body === null) return void outgoing.end()
    // cast: Node's own streams, of which the DOM type knows less
    const content = Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
    await pipeline(content, outgoing).catch(() => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: a server on a TCP port has such an address
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
