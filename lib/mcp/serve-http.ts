/**
 * Serves agents over Streamable HTTP, to clients of 2026-07-28 and of the revisions before it. A request is answered
 * by a server of its own, or by that of its session, if it belongs to one that is kept.
 *
 * How a client cancels a call depends on its revision. Since 2026-07-28 it closes the response, so closing it is the
 * cancel. Before, it sends `notifications/cancelled` in a request of its own, and a response that is closed says only
 * that the connection broke; the call is found again by the session id that `initialize` gave to the client.
 */
import { randomUUID } from 'node:crypto'
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import { isObject, type JsonValue } from '#lib/spec/json'
import type { OpenCall, Sdk } from './serve'
import { type ClientSessions, createSessions } from './sessions'

export interface HttpCall {
  readonly request: Request
  /** The body, parsed. */
  readonly body: JsonValue
  /** Who calls: a client can cancel only its own calls. */
  readonly caller: string
}

/** Makes the server of one request. `open` gives what cancels a call of it. */
export type MakeServer = (sdk: Sdk, open: (context: ServerContext) => OpenCall) => McpServer

export interface HttpEndpoint {
  answer(make: MakeServer, call: HttpCall): Promise<Response>
}

const sessionHeader = 'mcp-session-id'
const cancelMethod = 'notifications/cancelled'

export function createHttpEndpoint(): HttpEndpoint {
  let loading: Promise<{ sdk: Sdk; sessions: ClientSessions }> | undefined
  /** The open calls of clients that cancel with a request of their own. */
  const open = new Map<string, AbortController>()
  return {
    async answer(make, { request, body, caller }) {
      loading ??= import('@modelcontextprotocol/server').then((sdk) => ({
        sdk,
        sessions: createSessions(sdk),
      }))
      const { sdk, sessions } = await loading
      const sessionId = request.headers.get(sessionHeader)
      if (await sdk.isLegacyRequest(request, body)) {
        const session = isInitialize(body)
          ? await sessions.begin(caller, (opened) => make(sdk, opened))
          : sessions.find(caller, sessionId)
        if (session !== undefined) return session.answer(request, body)
      }
      const nameOf = (id: unknown) => JSON.stringify([caller, sessionId, id])
      const cancelled = cancelledId(body)
      if (cancelled !== undefined) open.get(nameOf(cancelled))?.abort()
      const handler = sdk.createMcpHandler(({ era }) =>
        make(sdk, ({ mcpReq }) =>
          era === 'modern'
            ? closedMeansCancelled(mcpReq.signal)
            : cancellable(open, nameOf(mcpReq.id), mcpReq.signal),
        ),
      )
      const response = await handler.fetch(request, { parsedBody: body })
      return isInitialize(body) ? withSession(response) : response
    },
  }
}

const never = new AbortController().signal

/** Until the call has its answer: afterwards every response is closed. */
function closedMeansCancelled(signal: AbortSignal): OpenCall {
  const controller = new AbortController()
  const cancel = () => controller.abort()
  signal.addEventListener('abort', cancel, { once: true })
  return { cancelled: controller.signal, gone: never, end: () => signal.removeEventListener('abort', cancel) }
}

function cancellable(open: Map<string, AbortController>, name: string, gone: AbortSignal): OpenCall {
  const controller = new AbortController()
  open.set(name, controller)
  const end = () => {
    if (open.get(name) === controller) open.delete(name)
  }
  gone.addEventListener('abort', end, { once: true })
  return { cancelled: controller.signal, gone, end }
}

/** The id of the call that this message cancels. */
function cancelledId(body: JsonValue): JsonValue | undefined {
  if (!isObject(body) || body.method !== cancelMethod || !isObject(body.params)) return undefined
  return body.params.requestId
}

function isInitialize(body: JsonValue): boolean {
  return isObject(body) && body.method === 'initialize'
}

/** A name for the client to repeat in its requests, so that two clients with equal ids are told apart. */
function withSession(response: Response): Response {
  const headers = new Headers(response.headers)
  headers.set(sessionHeader, randomUUID())
  return new Response(response.body, { status: response.status, headers })
}
