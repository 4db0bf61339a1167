/** For tests: a server that lists its models, plays a given answer, and records its requests. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelList {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string
  /** Every request, with its path and headers. */
  readonly asked: { path: string; headers: IncomingHttpHeaders }[]
  /** The answer from now on; status 0 never answers. */
  answer: { status: number; body: string; headers?: Record<string, string> }
  close(): Promise<void>
}

export async function openModelList(names: readonly string[] = ['small', 'large']): Promise<ModelList> {
  const body = JSON.stringify({ object: 'list', data: names.map((id) => ({ id, object: 'model' })) })
  const asked: ModelList['asked'] = []
  const server = createServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers })
    const { status, body: text, headers } = list.answer
    if (status === 0) return
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  const list: ModelList = {
    origin: `http://127.0.0.1:${port}`,
    asked,
    answer: { status: 200, body },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return list
}
