/** One connection to one server: it lists tools, calls them, and passes on what the server says meanwhile. */
import type {
  CallToolRequestParams as CallToolParams,
  Client,
  ElicitRequest,
  ElicitResult,
  Progress,
  RequestOptions,
  StandardSchemaV1,
  Transport,
} from '@modelcontextprotocol/client'
import type { McpCall } from '#lib/spec/mcp'
import type { ToolOutput } from '#lib/spec/tool'
import { outputOf } from './content'
import { failedCall, isDisconnected } from './faults'
import { clientInfo, clientOptions, type EraVerdict, OpeningFault, open } from './opening'
import type { ProcessRecords } from './processes'
import {
  type Answers,
  answersOf,
  type CallResult,
  questionOf,
  questionsOutput,
  resultOf,
  urlQuestions,
} from './questions'
import { type ClientSdk, loadSdk } from './sdk'
import type { McpAccess, McpServerInfo } from './servers'
import { StdioTransport } from './stdio-transport'
import type { ResourceContents } from './texts'
import { readToolList, type ToolList, type ToolPage } from './tool-list'

interface ConnectionGiven {
  readonly name: string
  readonly access: McpAccess
  readonly records: ProcessRecords
  readonly verdict?: EraVerdict | undefined
  /** The version of this program. */
  readonly version: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The server says that it lists other tools now. */
  toolsChanged(): void
  /** The connection was lost; not called when it is closed on purpose. */
  lost(why: string): void
}

export type CallOutcome = ToolOutput | 'disconnected'

/** A call has no time limit but its signal; the package's default would end it after a minute. */
const noTimeout = 2 ** 31 - 1

/** How often, and after which wait, a call is sent again to a server that has not begun it. */
const mostBusyTries = 3
const busyMs = 1_000

/** The shortest time between two updates of the progress of a call. */
const progressMs = 100
const maxProgressChars = 500
const maxInstructionChars = 4_000

export class McpConnection {
  readonly info: McpServerInfo
  readonly verdict: EraVerdict
  readonly #given: ConnectionGiven
  readonly #sdk: ClientSdk
  readonly #client: Client
  readonly #transport: Transport
  /** Calls under way whose server may ask a person something. */
  readonly #asking: Set<McpCall>
  #list: ToolList | undefined
  /** Set while the loss of the connection matters to anybody. */
  #isOpen = false

  private constructor(given: ConnectionGiven, sdk: ClientSdk, parts: ConnectionParts) {
    const { client, transport, verdict, asking } = parts
    this.#given = given
    this.#sdk = sdk
    this.#client = client
    this.#transport = transport
    this.#asking = asking
    this.verdict = verdict
    const { name = given.name, version = '' } = client.getServerVersion() ?? {}
    const instructions = client.getInstructions()?.slice(0, maxInstructionChars)
    this.info = {
      name,
      version,
      protocol: client.getNegotiatedProtocolVersion() ?? '',
      ...(instructions !== undefined && { instructions }),
    }
    client.onclose = () => this.#lose()
  }

  /** Throws an `OpeningFault`. */
  static async open(given: ConnectionGiven): Promise<McpConnection> {
    const sdk = await loadSdk()
    const asking = new Set<McpCall>()
    const client = () => {
      const made = new sdk.Client(clientInfo(given.version), {
        ...clientOptions,
        listChanged: {
          tools: { autoRefresh: false, debounceMs: 100, onChanged: () => given.toolsChanged() },
        },
      })
      made.setRequestHandler('elicitation/create', ({ params }) => askPerson(params, given.name, asking))
      // Notes about single messages; what matters also ends a request or the connection.
      made.onerror = () => undefined
      return made
    }
    const opened = await open({ ...given, sdk, client })
    const connection = new McpConnection(given, sdk, { ...opened, asking })
    await connection.#listen()
    if (opened.client.transport === undefined) {
      await connection.close()
      throw new OpeningFault(connection.#ending, { needsSignIn: false })
    }
    connection.#isOpen = true
    return connection
  }

  /** Reads the list of tools anew. Throws when the server does not give one. */
  async listTools(): Promise<ToolList> {
    const options = { timeout: this.#given.timeoutMs }
    const readPage = (cursor: string | undefined) =>
      this.#client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        anyTools,
        options,
      )
    const hasTools = this.#client.getServerCapabilities()?.tools !== undefined
    const isModern = this.#client.getProtocolEra() === 'modern'
    const repeatsArguments = isModern && this.#given.access.route.transport === 'http'
    this.#list = await readToolList(hasTools ? readPage : async () => ({ tools: [] }), repeatsArguments)
    return this.#list
  }

  /** Sends the call once, and again only with what its server asked for. Never rejects. */
  async call(call: McpCall, signal: AbortSignal): Promise<CallOutcome> {
    if (call.ask !== undefined) this.#asking.add(call)
    const { name, access } = this.#given
    const metadata = { server: name, ...access.metadata }
    try {
      const result = await this.#request(call, answersOf(call), signal)
      if (result.resultType === 'input_required') return questionsOutput(result, name, metadata)
      return await outputOf(result, call, metadata)
    } catch (error) {
      if (signal.aborted) return { ok: false, code: 'aborted', message: 'The call was stopped.' }
      const asks = urlQuestions(error, name, this.#sdk)
      if (asks !== undefined) return { ...asks, metadata }
      if (isDisconnected(this.#sdk, error)) {
        // Over HTTP only the request fails: nothing else tells that the session behind it is gone.
        this.#lose()
        return 'disconnected'
      }
      return failedCall(name, error, this.#sdk)
    } finally {
      this.#asking.delete(call)
    }
  }

  /** Throws when the server does not give it. */
  async readResource(uri: string, signal: AbortSignal): Promise<ResourceContents> {
    const options = { timeout: this.#given.timeoutMs, signal }
    return this.#client.request({ method: 'resources/read', params: { uri } }, anyResource, options)
  }

  /** Takes secrets out of a text of the server. */
  redact(text: string): string {
    return this.#given.access.redact(text)
  }

  async close(): Promise<void> {
    this.#isOpen = false
    await this.#client.close().catch(() => undefined)
    await this.#transport.close().catch(() => undefined)
  }

  async #request(call: McpCall, answers: Answers, signal: AbortSignal, tries = 1): Promise<CallResult> {
    const params = { name: call.tool, arguments: call.args, ...answers }
    const options = { signal, timeout: noTimeout, onprogress: progressOf(call), allowInputRequired: true }
    const result = await this.#send(params, options)
    const { resultType, inputRequests = {}, requestState } = result
    const isBusy = resultType === 'input_required' && Object.keys(inputRequests).length === 0
    if (!isBusy || tries >= mostBusyTries) return result
    // The server has not begun, and asks for nothing but to be called again a little later.
    await new Promise((resolve) => setTimeout(resolve, busyMs))
    signal.throwIfAborted()
    return this.#request(
      call,
      { ...answers, ...(requestState !== undefined && { requestState }) },
      signal,
      tries + 1,
    )
  }

  #send(params: CallToolParams, options: RequestOptions): Promise<CallResult> {
    const inputSchema = this.#list?.schemas.get(params.name)
    // Only the package knows how arguments are repeated as headers. It is given the tool without its output
    // schema, so that it neither checks the result nor sends the call a second time.
    if (inputSchema !== undefined && this.#client.getProtocolEra() === 'modern')
      return this.#client.callTool(params, { ...options, toolDefinition: { name: params.name, inputSchema } })
    return this.#client.request({ method: 'tools/call', params }, anyResult, options)
  }

  /** In the new era a client subscribes to changes; a client that knew the era beforehand has not done so yet. */
  async #listen(): Promise<void> {
    const client = this.#client
    const tells = client.getServerCapabilities()?.tools?.listChanged === true
    if (!tells || client.getProtocolEra() !== 'modern' || client.autoOpenedSubscription !== undefined) return
    await client.listen({ toolsListChanged: true }, { timeout: this.#given.timeoutMs }).catch(() => undefined)
  }

  #lose(): void {
    if (!this.#isOpen) return
    const why = this.#ending
    void this.close()
    this.#given.lost(why)
  }

  get #ending(): string {
    const transport = this.#transport
    const ending = transport instanceof StdioTransport ? transport.ending : undefined
    return this.#given.access.redact(ending ?? 'The connection was lost.')
  }
}

interface ConnectionParts {
  readonly client: Client
  readonly transport: Transport
  readonly verdict: EraVerdict
  readonly asking: Set<McpCall>
}

/** Accepts a result as it is: what does not fit is left out later, piece by piece. */
function anything<T>(): StandardSchemaV1<unknown, T> {
  return {
    // cast: every reader of these results checks what it reads
    '~standard': { version: 1, vendor: 'loopwright', validate: (value) => ({ value: value as T }) },
  }
}

const anyTools = anything<ToolPage>()
const anyResult = anything<CallResult>()
const anyResource = anything<ResourceContents>()

/** The text that people read of the progress of a call, not more often than they can read it. */
function progressOf({ onProgress }: McpCall): (progress: Progress) => void {
  let shownAt = Number.NEGATIVE_INFINITY
  return ({ progress, total, message }) => {
    const now = performance.now()
    if (now - shownAt < progressMs && progress !== total) return
    shownAt = now
    const count = total === undefined ? `${progress}` : `${progress} of ${total}`
    const words = message === undefined || message === '' ? count : `${count}: ${message}`
    onProgress(`${words.slice(0, maxProgressChars)}\n`)
  }
}

let questions = 0

/**
 * A question of the old era does not say to which call it belongs. It goes to the person who waits for the call
 * that has been under way longest.
 */
async function askPerson(
  params: ElicitRequest['params'],
  server: string,
  asking: ReadonlySet<McpCall>,
): Promise<ElicitResult> {
  const [call] = asking
  if (call?.ask === undefined) return { action: 'cancel' }
  questions += 1
  const reply = await call.ask(questionOf(params, { server, inputId: `live-${questions}` }))
  return resultOf(reply, params)
}
