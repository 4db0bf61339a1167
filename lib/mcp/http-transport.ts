/** The transport to a server that is reached over Streamable HTTP, or over SSE where it speaks nothing newer. */
import type { FetchLike, Transport } from '@modelcontextprotocol/client'
import { maxMessageBytes, tooLarge } from './limits'
import type { ClientSdk } from './sdk'
import type { McpRoute } from './servers'

type HttpRoute = Extract<McpRoute, { transport: 'http' }>

export function streamableTransport(sdk: ClientSdk, route: HttpRoute): Transport {
  const streams: Streams = { wasTooLarge: false }
  const markTooLarge = () => {
    streams.wasTooLarge = true
  }
  const transport = new sdk.StreamableHTTPClientTransport(new URL(route.url), {
    ...optionsOf(route, markTooLarge),
    reconnectionOptions: {
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  })
  return answerDropped(transport, streams)
}

export function sseTransport(sdk: ClientSdk, route: HttpRoute): Transport {
  const transport: Transport = new sdk.SSEClientTransport(
    new URL(route.url),
    optionsOf(route, () => void transport.close().catch(() => undefined)),
  )
  return transport
}

/** The message of a call whose stream ended without a response. */
export const dropped = 'The connection to the server was lost before it answered.'

interface Streams {
  /** Whether the last stream was ended because of a message over the limit. */
  wasTooLarge: boolean
}

/** When the stream of a request ends for good without a response, the request ends with an error. */
function answerDropped(transport: Transport, streams: Streams): Transport {
  const send = transport.send.bind(transport)
  transport.send = (message, options) =>
    send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.()
        if (!('method' in message) || !('id' in message) || typeof message.id !== 'number') return
        const why = streams.wasTooLarge ? tooLarge : dropped
        streams.wasTooLarge = false
        transport.onmessage?.({ jsonrpc: '2.0', id: message.id, error: { code: -32_000, message: why } })
      },
    })
  return transport
}

/** Whether an answer to the first request says that the server does not speak Streamable HTTP. */
export function meansOlderTransport(sdk: ClientSdk, error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const status = sdk.SdkHttpError.isInstance(error) ? error.status : statusBehind(sdk, error)
  return status === 400 || status === 404 || status === 405
}

function statusBehind(sdk: ClientSdk, { cause }: Error): number | undefined {
  return sdk.SdkHttpError.isInstance(cause) ? cause.status : undefined
}

function optionsOf({ headers, fetch, authProvider }: HttpRoute, tooLong: () => void) {
  return {
    fetch: bounded(fetch, tooLong),
    requestInit: { headers: { ...headers } },
    ...(authProvider && { authProvider }),
  }
}

/** Ends a response with a message over the limit. A stream may last for hours, so its lines are measured one by one. */
function bounded(inner: typeof fetch, tooLong: () => void): FetchLike {
  return async (url, init) => {
    const response = await inner(url, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.includes('text/event-stream') === true
    const body = response.body.pipeThrough(new TransformStream(measure(isStream, tooLong)))
    return new Response(body, { status, statusText, headers })
  }
}

const newline = 10

function measure(isStream: boolean, tooLong: () => void): Transformer<Uint8Array, Uint8Array> {
  let bytes = 0
  return {
    transform(chunk, controller) {
      const last = isStream ? chunk.lastIndexOf(newline) : -1
      const first = isStream ? chunk.indexOf(newline) : -1
      const longest = first === -1 ? bytes + chunk.length : bytes + first
      bytes = last === -1 ? bytes + chunk.length : chunk.length - last - 1
      if (Math.max(longest, bytes) <= maxMessageBytes) return controller.enqueue(chunk)
      controller.error(new Error(tooLarge))
      tooLong()
    },
  }
}
