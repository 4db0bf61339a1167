/** The one way out to providers of models: connections are kept and shared, and no redirect carries a key elsewhere. */
import { Agent, fetch as send } from 'undici'

export interface OutboundFetch {
  readonly fetch: typeof globalThis.fetch
  /** Breaks what is still on the way. */
  close(): Promise<void>
}

/** How long a connection may take to come about, ms; what follows is timed by those who wait for it. */
const connectMs = 10_000

export function createOutbound(): OutboundFetch {
  const dispatcher = new Agent({
    connect: { timeout: connectMs },
    keepAliveTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const outbound = (input: string | URL, init?: RequestInit) =>
    send(input, { ...(init as Parameters<typeof send>[1]), redirect: 'manual', dispatcher }) // cast: Node's types name the same init
  return {
    fetch: outbound as unknown as typeof globalThis.fetch, // cast: undici's own fetch is what Node's global one is made of
    close: () => dispatcher.destroy(),
  }
}
