/**
 * An agent as an MCP server: one tool that asks it a question. How the question is answered, and how messages
 * travel, is up to the caller.
 */
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { JsonValue } from '#lib/spec/json'

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
  ask(question: AgentQuestion): Promise<AgentAnswer>
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
  { McpServer }: Pick<Sdk, 'McpServer'>,
  agent: ServedAgent,
  open: (context: ServerContext) => OpenCall,
): McpServer {
  const { name, title, description, version } = agent
  const server = new McpServer({ name, title, version }, { capabilities: { tools: {} } })
  const about = description === '' ? `Asks the agent ${title}.` : description
  const settings = { title, description: about, inputSchema: input, outputSchema: output }
  server.registerTool(name, settings, async ({ question, thread }, context) => {
    const { cancelled, gone, end } = open(context)
    try {
      const progress = progressOf(context)
      return resultOf(await agent.ask({ question, thread, cancelled, gone, progress }))
    } finally {
      end()
    }
  })
  return server
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
