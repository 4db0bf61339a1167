/** For tests: a hook server on a real local port that plays given answers. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JsonObject, JsonValue } from '#lib/spec/json'
import { createGuardedFetch } from '#lib/web/guarded-fetch'
import type { Vault } from '../secrets/secrets'
import { createHooks, noSecrets } from './hooks'

/** `hang` never answers; a text is sent unchanged. */
export type Played =
  | Readonly<Record<string, JsonValue | undefined>>
  | string
  | 'hang'
  | { readonly status: number; readonly location?: string }

export interface HookStandIn {
  readonly url: string
  /** The requests it received, in order, with the path as `path`. */
  readonly asked: (JsonObject & { path?: string })[]
  readonly headers: IncomingHttpHeaders[]
  readonly hooks: ReturnType<typeof createHooks>
  close(): Promise<void>
}

/** @param play returns the answer for a request and the number of requests before it */
export async function openHook(
  play: (asked: JsonObject & { path: string }, index: number) => Played,
  open: Vault['open'] = noSecrets,
): Promise<HookStandIn> {
  const asked: HookStandIn['asked'] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const question = { ...(text === '' ? {} : JSON.parse(text)), path: request.url ?? '' }
      headers.push(request.headers)
      asked.push(question)
      const answer = play(question, asked.length - 1)
      if (answer === 'hang') return
      if (typeof answer === 'string') return response.end(answer)
      if (!('status' in answer)) return response.end(JSON.stringify(answer))
      response.statusCode = Number(answer.status)
      if (typeof answer.location === 'string') response.setHeader('location', answer.location)
      response.end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // cast: it listens on a port
  const web = createGuardedFetch({ allow: [`127.0.0.1:${port}`] })
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    headers,
    hooks: createHooks({ web, open }),
    async close() {
      server.closeAllConnections()
      await Promise.all([new Promise((resolve) => server.close(resolve)), web.close()])
    },
  }
}
