/**
 * The model server as a replacement for `fetch`: the same answers and faults without sockets, for
 * tests with thousands of runs.
 */
import type { Beat, Plan } from './plan'
import { type Asked, createResponder, type ResponderOptions } from './responder'

/** Addresses that only select the wire; nothing listens there. */
export const nowhere = { openaiUrl: 'http://model.test/v1', anthropicUrl: 'http://model.test' } as const

export interface FetchServer {
  readonly fetch: typeof globalThis.fetch
  readonly requests: readonly Asked[]
}

export function createFetchServer(options: ResponderOptions = {}): FetchServer {
  const responder = createResponder(options)
  return {
    requests: responder.requests,
    async fetch(input, init = {}) {
      const url = input instanceof Request ? input.url : String(input)
      const plan = responder.answer({
        method: init.method ?? 'GET',
        path: new URL(url).pathname,
        headers: Object.fromEntries(new Headers(init.headers)),
        text: typeof init.body === 'string' ? init.body : '',
        isReused: false,
      })
      return responseOf(plan, init.signal ?? undefined)
    },
  }
}

/** What `fetch` returns or throws for a connection with this plan. */
export async function responseOf(plan: Plan, signal = new AbortController().signal): Promise<Response> {
  if (!('before' in plan))
    return new Response(bodyOf(plan.beats, signal), { status: plan.status, headers: plan.headers })
  if (plan.before === 'reset') throw broken('ECONNRESET')
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
}

/** The error of Node's `fetch`: a plain TypeError with the real error as its cause. */
function broken(code: string, message = 'fetch failed'): TypeError {
  return new TypeError(message, { cause: Object.assign(new Error(code), { code }) })
}

function bodyOf(beats: readonly Beat[], signal: AbortSignal): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason), { once: true })
      },
      async pull(controller) {
        const beat = beats[at]
        // A plan without an `end` keeps the connection open.
        if (beat === undefined) return new Promise<void>(() => {})
        if (beat.do !== 'repeat') at += 1
        switch (beat.do) {
          case 'send':
          case 'repeat':
            controller.enqueue(beat.bytes)
            return
          case 'wait':
            return
          case 'reset':
            controller.error(broken('UND_ERR_SOCKET', 'terminated'))
            return
          case 'end':
            controller.close()
            return
        }
        beat satisfies never
      },
    },
    { highWaterMark: 0 },
  )
}
