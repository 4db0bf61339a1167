/**
 * An agent as an MCP server: one tool that asks it a question. How the question is answered, and how messages
 * travel, is up to the caller.
 */
import type {
  CallToolResult,
  InputRequiredResult,
  McpServer,
  ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { isObject, type JsonValue } from '#lib/spec/json'
import type { ClientForm, ClientReply } from './elicitation'

/** The SDK is loaded when it is first used: it takes longer to load than the rest of the server's code. */
export type Sdk = typeof import('@modelcontextprotocol/server')

export interface ServedAgent {
  /** The name of the tool: lowercase letters, digits and hyphens. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** The version of this program. */
  readonly version: string
  /** Never rejects for an expected failure: that is an answer with `isError`. */
  ask(question: AgentQuestion): Promise<AgentAnswer | AgentAsks>
}

export interface AgentQuestion {
  readonly question: string
  /** A thread of an earlier answer, to continue it. */
  readonly thread: string | undefined
  /** Aborts when the client cancels the call: the run is to stop. */
  readonly cancelled: AbortSignal
  /** Aborts when nobody can read the answer any more: the run goes on. */
  readonly gone: AbortSignal
  /** Says what the run is doing; nothing happens if the client did not ask for progress. */
  progress(message: string): void
  /** Whether the client shows forms to a person. */
  readonly canAsk: boolean
  /** The question is asked again, with what the client's person has replied. */
  readonly replied?: {
    /** That of `AgentAsks`, as the client sent it back: it may be another one. */
    readonly state: string
    reply(key: string): ClientReply | undefined
  }
}

/** What the agent asks before it goes on. Only for a client that can be asked. */
export interface AgentAsks {
  readonly asks: Readonly<Record<string, ClientForm>>
  /** Comes back with the replies. It is not a secret. */
  readonly state: string
}

export interface AgentAnswer {
  readonly text: string
  readonly isError: boolean
  /** Null if no run was begun. */
  readonly run: AnsweredRun | null
}

interface AnsweredRun {
  readonly runId: string | null
  readonly threadId: string | null
  readonly status: string
  /** The answer as JSON, if the agent has an output schema. */
  readonly output?: JsonValue
  /** Where a person sees the run. */
  readonly url?: string
}

/** One call under way. */
export interface OpenCall extends Pick<AgentQuestion, 'cancelled' | 'gone'> {
  /** Called once the call has its answer. */
  end(): void
}

const input = z.object({
  question: z.string().min(1).max(262_144).describe('What the agent is asked or told to do.'),
  thread: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'The threadId of an earlier answer, to continue that conversation. Without it, a new one begins.',
    ),
})

const output = z.object({
  runId: z.string().nullable(),
  threadId: z.string().nullable(),
  status: z.string(),
  output: z.unknown().optional(),
  url: z.string().optional(),
})

/** A server for one connection or request, as the SDK wants it. */
export function serverOf(
  sdk: Pick<Sdk, 'McpServer' | 'inputRequired' | 'inputResponse'>,
  agent: ServedAgent,
  open: (context: ServerContext) => OpenCall,
): McpServer {
  const { name, title, description, version } = agent
  const inputRequired = { roundTimeoutMs: replyMs }
  const server = new sdk.McpServer({ name, title, version }, { capabilities: { tools: {} }, inputRequired })
  const about = description === '' ? `Asks the agent ${title}.` : description
  const settings = { title, description: about, inputSchema: input, outputSchema: output }
  server.registerTool(name, settings, async ({ question, thread }, context) => {
    const { cancelled, gone, end } = open(context)
    try {
      const progress = progressOf(context)
      const canAsk = showsForms(capabilitiesOf(server, context))
      const replied = repliedIn(sdk, context)
      const asked = { question, thread, cancelled, gone, progress, canAsk, ...(replied && { replied }) }
      const answer = await agent.ask(asked)
      return 'asks' in answer ? questionsIn(sdk, answer) : resultOf(answer)
    } finally {
      end()
    }
  })
  return server
}

/** How long a client of an earlier revision may take for a reply. */
const replyMs = 5 * 60_000

/** Since 2026-07-28 each request says what its client can do; before, `initialize` said it for all of them. */
function capabilitiesOf(server: McpServer, { mcpReq }: ServerContext): unknown {
  const given = new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}))
  return given.get('io.modelcontextprotocol/clientCapabilities') ?? server.server.getClientCapabilities()
}

/** A client that names no kind of question means forms, which came first. */
function showsForms(capabilities: unknown): boolean {
  const asks = isObject(capabilities) ? capabilities.elicitation : undefined
  return isObject(asks) && (asks.form !== undefined || Object.keys(asks).length === 0)
}

function repliedIn(
  { inputResponse }: Pick<Sdk, 'inputResponse'>,
  { mcpReq }: ServerContext,
): AgentQuestion['replied'] {
  const state: unknown = mcpReq.requestState()
  if (typeof state !== 'string') return undefined
  return {
    state,
    reply: (key) => {
      const said = inputResponse(mcpReq.inputResponses, key)
      return said.kind === 'elicit' ? said : undefined
    },
  }
}

function questionsIn(
  { inputRequired }: Pick<Sdk, 'inputRequired'>,
  { asks, state }: AgentAsks,
): InputRequiredResult {
  const forms = Object.entries(asks).map(([key, form]) => {
    // cast: the fields of a form have only keywords of the protocol
    const params = form as unknown as Parameters<typeof inputRequired.elicit>[0]
    return [key, inputRequired.elicit(params)] as const
  })
  return inputRequired({ inputRequests: Object.fromEntries(forms), requestState: state })
}

function resultOf({ text, isError, run }: AgentAnswer): CallToolResult {
  return {
    content: [{ type: 'text', text }],
    ...(run !== null && { structuredContent: { ...run } }),
    ...(isError && { isError }),
  }
}

/** Sends numbered progress while the client can still read it. */
function progressOf({ mcpReq }: ServerContext): (message: string) => void {
  const token = mcpReq._meta?.progressToken
  if (token === undefined) return () => undefined
  let progress = 0
  return (message) => {
    if (mcpReq.signal.aborted) return
    progress += 1
    const params = { progressToken: token, progress, message }
    // A connection that breaks meanwhile is noticed by the call itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
