/** Opens a connection to a server: which transport it speaks, and which era of the protocol. */
import type { Client, Implementation, PriorDiscovery, Transport } from '@modelcontextprotocol/client'
import { isUnauthorized, wordsOf } from './faults'
import { meansOlderTransport, sseTransport, streamableTransport } from './http-transport'
import type { ProcessRecords } from './processes'
import type { ClientSdk } from './sdk'
import type { McpAccess } from './servers'
import { StdioTransport } from './stdio-transport'

/** How a server was last reached, so that it is not asked again at each connection. */
export interface EraVerdict {
  readonly prior: PriorDiscovery
  readonly isSse: boolean
  readonly at: number
}

export interface Opening {
  readonly sdk: ClientSdk
  readonly access: McpAccess
  /** Makes a client for one attempt. */
  client(): Client
  readonly records: ProcessRecords
  readonly verdict?: EraVerdict | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Opened {
  readonly client: Client
  readonly transport: Transport
  readonly verdict: EraVerdict
}

/** Why a server could not be connected, in words for a person. */
export class OpeningFault extends Error {
  readonly needsSignIn: boolean

  constructor(message: string, { needsSignIn }: { readonly needsSignIn: boolean }) {
    super(message)
    this.needsSignIn = needsSignIn
  }
}

/** A verdict is asked for anew after a day: a server may have been updated. */
const verdictMs = 24 * 60 * 60 * 1_000

/** An old server may not answer the question about its era at all. */
const probeMs = 5_000

export const clientOptions = {
  capabilities: { elicitation: { form: {}, url: {} } },
  versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
  inputRequired: { autoFulfill: false },
  // The package would compile schemas into code; a result that does not fit its schema is still worth reading.
  jsonSchemaValidator: {
    // cast: nothing relies on the type of a result
    getValidator: () => (data: unknown) => ({
      valid: true as const,
      data: data as never,
      errorMessage: undefined,
    }),
  },
} as const

export function clientInfo(version: string): Implementation {
  return { name: 'loopwright', title: 'Loopwright', version }
}

interface Attempt {
  readonly prior?: PriorDiscovery
  readonly isSse?: boolean
}

/** Throws an `OpeningFault`. */
export async function open(opening: Opening): Promise<Opened> {
  const { verdict, sdk, signal } = opening
  let failure: unknown
  for (let next: Attempt | undefined = firstAttempt(verdict); next !== undefined; ) {
    const attempt: Attempt = next
    const tried = await tryOnce(opening, attempt)
    if (tried.ok) return tried.opened
    failure ??= tried.fault
    if (signal.aborted || isUnauthorized(sdk, tried.error)) throw tried.fault
    next = attemptAfter(attempt, tried, opening)
  }
  throw failure
}

function firstAttempt(verdict: EraVerdict | undefined): Attempt {
  if (verdict === undefined || Date.now() - verdict.at > verdictMs) return {}
  return { prior: verdict.prior, isSse: verdict.isSse }
}

type Tried =
  | { readonly ok: true; readonly opened: Opened }
  | { readonly ok: false; readonly error: unknown; readonly fault: OpeningFault; readonly hasEnded: boolean }

function attemptAfter(
  { prior, isSse }: Attempt,
  { error, hasEnded }: Extract<Tried, { ok: false }>,
  { sdk, verdict, access }: Opening,
): Attempt | undefined {
  // What was known of the server may be out of date.
  if (prior !== undefined && verdict !== undefined && prior === verdict.prior) return {}
  if (prior !== undefined || isSse === true) return undefined
  // Some old programs end at the first request that they do not know.
  if (access.route.transport === 'stdio') return hasEnded ? { prior: { kind: 'legacy' } } : undefined
  return meansOlderTransport(sdk, error) ? { prior: { kind: 'legacy' }, isSse: true } : undefined
}

async function tryOnce(opening: Opening, attempt: Attempt): Promise<Tried> {
  const { sdk, access, timeoutMs: timeout, signal } = opening
  const client = opening.client()
  let transport: Transport | undefined
  try {
    signal.throwIfAborted()
    transport = await transportOf(opening, attempt)
    const { prior, isSse = false } = attempt
    const connecting = client.connect(transport, { timeout, signal, ...(prior && { prior }) })
    await untilAborted(connecting, signal)
    const discover = client.getDiscoverResult()
    const found: PriorDiscovery =
      client.getProtocolEra() === 'modern' && discover !== undefined
        ? { kind: 'modern', discover }
        : { kind: 'legacy' }
    return { ok: true, opened: { client, transport, verdict: { prior: found, isSse, at: Date.now() } } }
  } catch (error) {
    const ending =
      signal.aborted || sdk.ProtocolError.isInstance(error) ? undefined : await endingOf(transport)
    void transport?.close().catch(() => undefined)
    const words = access.redact(ending ?? (signal.aborted ? lateWords(timeout) : wordsOf(error)))
    const fault = new OpeningFault(words, { needsSignIn: isUnauthorized(sdk, error) })
    return { ok: false, error, fault, hasEnded: ending !== undefined }
  }
}

function lateWords(ms: number): string {
  return `It did not answer within ${Math.round(ms / 1_000)} seconds.`
}

/** How the program ended, if it is one and did: that is known a moment after its pipes close. */
async function endingOf(transport: Transport | undefined): Promise<string | undefined> {
  if (!(transport instanceof StdioTransport)) return undefined
  if (transport.ending === undefined) await new Promise((resolve) => setTimeout(resolve, 50))
  return transport.ending
}

async function transportOf(
  { sdk, access, records }: Opening,
  { isSse = false }: Attempt,
): Promise<Transport> {
  const { route } = access
  if (route.transport === 'http') return (isSse ? sseTransport : streamableTransport)(sdk, route)
  const child = await route.start()
  records.add(child)
  return new StdioTransport(child)
}

async function untilAborted(connecting: Promise<void>, signal: AbortSignal): Promise<void> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([connecting, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
    connecting.catch(() => undefined)
  }
}
