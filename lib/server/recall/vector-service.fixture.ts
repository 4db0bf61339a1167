/** A service of embeddings on loopback for tests, which breaks the connection for some texts. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface VectorService {
  readonly url: string
  breaks: (texts: readonly string[]) => boolean
  close(): Promise<void>
}

export async function openVectorService(breaks: VectorService['breaks']): Promise<VectorService> {
  const server = createServer(async (request, response) => {
    const { input } = JSON.parse(await text(request)) as { input: string[] } // cast: what the client sends
    if (service.breaks(input)) return request.socket.destroy()
    const data = input.map((_, index) => ({ index, embedding: [1, 0] }))
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  const service: VectorService = {
    url: `http://127.0.0.1:${port}`,
    breaks,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return service
}
