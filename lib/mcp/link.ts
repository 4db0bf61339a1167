/** What is known of one server over time: its connection while there is one, its tools, and when to try again. */
import { isDeepStrictEqual } from 'node:util'
import type { McpCall, McpListing, McpText, McpTextRequest, McpTool, WithheldTool } from '#lib/spec/mcp'
import type { ToolOutput } from '#lib/spec/tool'
import { McpConnection } from './connection'
import { wordsOf } from './faults'
import { type EraVerdict, OpeningFault } from './opening'
import type { ProcessRecords } from './processes'
import type { McpServers } from './servers'
import { readTexts } from './texts'
import type { ToolList } from './tool-list'

/** Times in milliseconds. */
export interface LinkTimes {
  /** How long connecting and listing may take. */
  readonly connect: number
  /** How long a connection without calls is kept. */
  readonly idle: number
  /** The waits before each new connection after one was lost; after the last of them the server stays down. */
  readonly restarts: readonly number[]
  /** A connection that was held this long was no failed restart. */
  readonly settled: number
  /** How long after a failure, and after each further one, runs do without the server. */
  readonly retry: readonly number[]
  /** How old a list may be if its server does not say when it changes. */
  readonly listAge: number
  /** How long a call whose server stopped waits for the new connection before it ends. */
  readonly back: number
}

export interface LinkContext {
  readonly servers: McpServers
  readonly records: ProcessRecords
  readonly version: string
  readonly times: LinkTimes
}

/** Why there is no connection, in words. */
interface Failure {
  readonly message: string
  readonly code: string
}

type Reached = McpConnection | Failure

const closed: Failure = { message: 'The connection was closed.', code: 'mcp_unavailable' }

export class Link {
  listing: McpListing
  readonly #name: string
  readonly #context: LinkContext
  #connection: McpConnection | undefined
  #connecting: Promise<Reached> | undefined
  #closing: Promise<unknown> = Promise.resolve()
  #failure: Failure | undefined
  /** The list as the server gave it last, before it was decided what is offered. */
  #list: ToolList | undefined
  #listedAt = 0
  #offered: McpListing | undefined
  #verdict: EraVerdict | undefined
  #connectedAt = 0
  #losses = 0
  #failures = 0
  #retryAt = 0
  #calls = 0
  #idle: NodeJS.Timeout | undefined
  #stop = new AbortController()

  constructor(name: string, context: LinkContext) {
    this.#name = name
    this.#context = context
    this.listing = { tools: [], withheld: [], reason: `the MCP server “${name}” is not connected yet` }
  }

  /** Connects if necessary, and reads the list anew if it may be out of date. Never rejects. */
  async connect({ force = false } = {}): Promise<Reached> {
    const isOld = Date.now() - this.#listedAt > this.#context.times.listAge
    if (this.#connection !== undefined && this.#connecting === undefined && (force || isOld)) {
      const connection = this.#connection
      try {
        await this.#refresh(connection)
        this.#touch()
        return connection
      } catch (error) {
        this.#connection = undefined
        void connection.close()
        return this.#fail({ message: wordsOf(error), code: 'mcp_list' })
      }
    }
    return this.#reach(force)
  }

  async call(call: McpCall, signal: AbortSignal): Promise<ToolOutput> {
    const reached = await within(this.#reach(), signal)
    if (reached === undefined) return { ok: false, code: 'aborted', message: 'The call was stopped.' }
    if (!(reached instanceof McpConnection)) return this.#unreachable(reached)
    if (!this.listing.tools.some(({ name }) => name === call.tool)) return this.#notOffered(call.tool)
    this.#begin()
    try {
      const outcome = await reached.call(call, signal)
      return outcome === 'disconnected' ? await this.#disconnected(signal) : outcome
    } finally {
      this.#end()
    }
  }

  /** Never rejects. */
  async texts(wanted: McpTextRequest, signal: AbortSignal): Promise<McpText[]> {
    const reached = await within(this.#reach(), signal)
    // Without a connection its tools are withheld, which says why.
    return reached instanceof McpConnection ? readTexts(reached, wanted, signal) : []
  }

  /** Its settings changed: what was known of it counts no longer. */
  reset(): void {
    void this.close()
    this.#stop = new AbortController()
    this.#verdict = undefined
    this.#failure = undefined
    this.#offered = undefined
    this.#list = undefined
    this.#losses = 0
    this.#failures = 0
    this.#retryAt = 0
    const reason = `the settings of the MCP server “${this.#name}” have changed`
    this.listing = { tools: [], withheld: [], reason }
  }

  /** A person decided anew which of its tools are offered. */
  async reconsider(): Promise<void> {
    if (this.#list === undefined || this.#connection === undefined) return
    await this.#offer(this.#list, `other tools of the MCP server “${this.#name}” are allowed`)
  }

  close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#stop.abort()
    const connection = this.#connection
    this.#connection = undefined
    this.#connecting = undefined
    this.#closing = Promise.all([this.#closing, connection?.close()])
    return this.#closing.then(() => undefined)
  }

  async #reach(force = false): Promise<Reached> {
    if (this.#connecting !== undefined) return this.#connecting
    if (this.#connection !== undefined) {
      this.#touch()
      return this.#connection
    }
    if (!force && this.#failure !== undefined && Date.now() < this.#retryAt) return this.#failure
    return this.#open()
  }

  #open(afterMs = 0): Promise<Reached> {
    const { signal } = this.#stop
    const connecting = this.#openNow(afterMs, signal)
      .catch((error: unknown): Reached => {
        if (signal.aborted) return closed
        const needsSignIn = error instanceof OpeningFault && error.needsSignIn
        const code = needsSignIn ? 'mcp_sign_in' : 'mcp_unavailable'
        return this.#fail({ message: wordsOf(error), code })
      })
      .finally(() => {
        if (this.#connecting === connecting) this.#connecting = undefined
      })
    this.#connecting = connecting
    return connecting
  }

  async #openNow(afterMs: number, signal: AbortSignal): Promise<Reached> {
    // Two programs of one server could write to the same files.
    await this.#closing
    if (afterMs > 0) await sleep(afterMs, signal)
    const { servers, records, version, times } = this.#context
    const name = this.#name
    const access = await servers.access(name)
    if (!access.ok)
      return this.#fail({ message: access.message, code: access.code ?? 'mcp_unavailable' }, false)
    const timeoutMs = access.connectTimeoutMs ?? times.connect
    const connection: McpConnection = await McpConnection.open({
      name,
      access,
      records,
      version,
      verdict: this.#verdict,
      timeoutMs,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      toolsChanged: () => void this.#changed(),
      lost: (why) => this.#lost(connection, why),
    })
    if (signal.aborted) {
      await connection.close()
      return closed
    }
    this.#connection = connection
    this.#connectedAt = Date.now()
    this.#verdict = connection.verdict
    try {
      await this.#refresh(connection, access.timeoutSeconds)
    } catch (error) {
      this.#connection = undefined
      await connection.close()
      throw error
    }
    this.#failure = undefined
    this.#failures = 0
    this.#touch()
    return connection
  }

  /** Reads the list of a connection and decides what of it is offered. */
  async #refresh(connection: McpConnection, timeoutSeconds = this.#offered?.timeoutSeconds): Promise<void> {
    const list = await connection.listTools()
    this.#list = list
    this.#listedAt = Date.now()
    const wasKnown = this.#offered !== undefined
    const what = wasKnown ? 'lists other tools' : 'is connected'
    await this.#offer(list, `the MCP server “${this.#name}” ${what}`, timeoutSeconds)
    this.#context.servers.report(this.#name, { state: 'ready', at: Date.now(), info: connection.info })
  }

  async #offer(
    list: ToolList,
    reason: string,
    timeoutSeconds = this.#offered?.timeoutSeconds,
  ): Promise<void> {
    const { offered, withheld } = await this.#context.servers.seen(this.#name, list.tools, list.withheld)
    const tools = list.tools.filter(({ name }) => offered.has(name))
    const next: McpListing = {
      tools: unchanged(this.#offered?.tools, tools),
      withheld: unchanged(this.#offered?.withheld, [...withheld, ...list.withheld]),
      reason,
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    }
    const before = this.#offered
    const isSame =
      before !== undefined &&
      before.tools === next.tools &&
      before.withheld === next.withheld &&
      before.timeoutSeconds === next.timeoutSeconds
    this.#offered = isSame ? before : next
    this.listing = this.#offered
  }

  /** The server says that its list has changed. The new one holds from the next step on. */
  async #changed(): Promise<void> {
    const connection = this.#connection
    if (connection === undefined) return
    try {
      await this.#refresh(connection)
    } catch {
      // The list is read again by the next run.
      this.#listedAt = 0
    }
  }

  #lost(connection: McpConnection, why: string): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    clearTimeout(this.#idle)
    const { times } = this.#context
    if (Date.now() - this.#connectedAt > times.settled) this.#losses = 0
    const waitMs = times.restarts[this.#losses]
    this.#losses += 1
    this.#fail({ message: why, code: 'mcp_disconnected' })
    if (waitMs !== undefined) void this.#open(waitMs)
  }

  #fail(failure: Failure, isRetried = true): Failure {
    const { servers, times } = this.#context
    const { retry } = times
    const wait = retry[Math.min(this.#failures, retry.length - 1)] ?? 0
    if (isRetried) this.#failures += 1
    this.#retryAt = isRetried ? Date.now() + wait : 0
    this.#failure = failure
    const reason = `the MCP server “${this.#name}” is not available: ${failure.message}`
    this.listing = { tools: [], withheld: [{ name: '*', reason }], reason }
    servers.report(this.#name, { state: 'failed', at: Date.now(), message: failure.message })
    return failure
  }

  async #disconnected(signal: AbortSignal): Promise<ToolOutput> {
    const why = this.#failure?.message ?? 'The connection was lost.'
    const late = AbortSignal.any([signal, AbortSignal.timeout(this.#context.times.back)])
    const back = this.#connecting === undefined ? undefined : await within(this.#connecting, late)
    const now = back instanceof McpConnection ? 'It is connected again.' : 'It is not connected again yet.'
    const message = `The MCP server “${this.#name}” stopped while the call was under way, so whether the call had an effect is not known. ${why} ${now}`
    return { ok: false, code: 'mcp_disconnected', retryable: true, message }
  }

  #unreachable({ message, code }: Failure): ToolOutput {
    const words = `The MCP server “${this.#name}” cannot be reached, so the call was not sent. ${message}`
    return { ok: false, code, retryable: true, message: words }
  }

  #notOffered(tool: string): ToolOutput {
    const withheld = this.listing.withheld.find(({ name }) => name === tool)
    const why = withheld === undefined ? 'it is not listed any more' : withheld.reason
    const message = `The tool “${tool}” of the MCP server “${this.#name}” is not offered now: ${why}.`
    return { ok: false, code: 'mcp_withheld', message }
  }

  #begin(): void {
    this.#calls += 1
    clearTimeout(this.#idle)
  }

  #end(): void {
    this.#calls -= 1
    this.#touch()
  }

  /** Closes the connection after a time without calls. Its tools stay known, and the next call connects again. */
  #touch(): void {
    clearTimeout(this.#idle)
    if (this.#calls > 0 || this.#connection === undefined) return
    this.#idle = setTimeout(() => {
      const connection = this.#connection
      this.#connection = undefined
      this.#closing = Promise.all([this.#closing, connection?.close()])
    }, this.#context.times.idle)
    this.#idle.unref()
  }
}

/** The array from before, if the new one is equal to it. */
function unchanged<T extends McpTool | WithheldTool>(
  before: readonly T[] | undefined,
  now: readonly T[],
): readonly T[] {
  return before !== undefined && isDeepStrictEqual(before, now) ? before : now
}

/** Undefined when the signal aborts before. */
export async function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined
  let stop = () => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const timer = new Promise<void>((resolve) => setTimeout(resolve, ms).unref())
  await within(timer, signal)
}
