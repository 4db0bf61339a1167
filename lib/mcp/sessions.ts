/**
 * ClientSessions of clients of revisions before 2026-07-28. Such a client can be asked something in the middle of a call:
 * the question travels in the response that is open, and the answer in a request of its own, which the session
 * brings together. A session that is no longer kept loses only this; its calls are answered all the same.
 */
import { randomUUID } from 'node:crypto'
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type { JsonValue } from '#lib/spec/json'
import type { OpenCall, Sdk } from './serve'

export interface ClientSession {
  answer(request: Request, body: JsonValue): Promise<Response>
}

export interface ClientSessions {
  /** The session of this caller with this id. */
  find(caller: string, id: string | null): ClientSession | undefined
  /** Begins one for a client that sends `initialize`; undefined while too many others have calls under way. */
  begin(
    caller: string,
    make: (open: (context: ServerContext) => OpenCall) => McpServer,
  ): Promise<ClientSession | undefined>
}

/** Of all agents and keys; the one used least recently is dropped for a new one. */
const mostSessions = 200

interface Kept extends ClientSession {
  readonly caller: string
  readonly calls: Set<unknown>
  close(): void
}

const never = new AbortController().signal

export function createSessions(sdk: Sdk): ClientSessions {
  /** The one used least recently comes first. */
  const kept = new Map<string, Kept>()

  const makeRoom = (): boolean => {
    if (kept.size < mostSessions) return true
    const idle = [...kept].find(([, { calls }]) => calls.size === 0)
    if (idle === undefined) return false
    kept.delete(idle[0])
    idle[1].close()
    return true
  }

  return {
    find: (caller, id) => {
      const session = id === null ? undefined : kept.get(id)
      if (id === null || session?.caller !== caller) return undefined
      kept.delete(id)
      kept.set(id, session)
      return session
    },
    begin: async (caller, make) => {
      if (!makeRoom()) return undefined
      const id = randomUUID()
      const calls = new Set<unknown>()
      let isClosed = false
      const server = make(({ mcpReq }) => {
        const cancelled = new AbortController()
        // Closing a session ends its requests as well, which is no cancel.
        const cancel = () => isClosed || cancelled.abort()
        mcpReq.signal.addEventListener('abort', cancel, { once: true })
        calls.add(mcpReq.id)
        return { cancelled: cancelled.signal, gone: never, end: () => void calls.delete(mcpReq.id) }
      })
      const transport = new sdk.WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
      await server.connect(transport)
      const session: Kept = {
        caller,
        calls,
        answer: (request, body) => transport.handleRequest(request, { parsedBody: body }),
        close: () => {
          isClosed = true
          void server.close().catch(() => undefined)
        },
      }
      kept.set(id, session)
      return session
    },
  }
}
