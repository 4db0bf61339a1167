/** What an MCP server is: how it is reached, what it lists, and the port through which its tools are called. */
import { z } from 'zod'
import type { Artifact } from './artifact'
import type { InputQuestion, InputReply } from './input'
import type { JsonObject, JsonSchema, JsonValue } from './json'
import type { ServerText } from './server-text'
import type { ToolOutput } from './tool-output'

/** A server's name; its tools are called `<name>.<tool>`. */
export const mcpServerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/, 'Use letters, digits, - and _; at most 40 characters.')

/** Text in which `${NAME}` is replaced by the secret of this name. */
const templateText = z.string().max(8_192)

/** A program that speaks MCP over its standard input and output. */
export const mcpProgram = z.strictObject({
  transport: z.literal('stdio'),
  command: z.string().min(1).max(1_024),
  args: z.array(templateText).max(200).default([]),
  env: z.record(z.string().max(200), templateText).default({}),
  /** Whether it may use the network. Only a sandbox enforces this. */
  network: z.boolean().default(false),
  /** Absolute folders that it may read, and those that it may also write. Only a sandbox enforces this. */
  read: z.array(z.string().max(4_096)).max(50).default([]),
  write: z.array(z.string().max(4_096)).max(50).default([]),
})
export type McpProgram = z.output<typeof mcpProgram>

/** A server that is reached over Streamable HTTP. */
export const mcpAddress = z.strictObject({
  transport: z.literal('http'),
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  headers: z.record(z.string().max(200), templateText).default({}),
})
export type McpAddress = z.output<typeof mcpAddress>

/** How a server is reached. */
export const mcpReach = z.discriminatedUnion('transport', [mcpProgram, mcpAddress])
export type McpReach = z.output<typeof mcpReach>

/** A tool as its server describes it. Every text of it is untrusted. */
export interface McpTool {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly outputSchema?: JsonSchema
  /** Hints of the server. They never lower a risk. */
  readonly annotations?: JsonObject
}

/** A tool of a server that is not offered, and why. */
export interface WithheldTool {
  /** The name on its server; `*` stands for all its tools. */
  readonly name: string
  readonly reason: string
}

/** What is known of a server's tools now. */
export interface McpListing {
  /** In a fixed order; the same array while nothing has changed. */
  readonly tools: readonly McpTool[]
  /** The same array while nothing has changed. */
  readonly withheld: readonly WithheldTool[]
  /** Why the list changed last, in words for a person. */
  readonly reason: string
  /** The time limit of a call when nothing else sets one; absent when the settings of the server set none. */
  readonly timeoutSeconds?: number
}

export interface McpCall {
  readonly server: string
  readonly tool: string
  readonly args: JsonObject
  /** Text for the trace, as the server reports its progress. */
  onProgress(text: string): void
  /** Keeps a file of the result; undefined where nothing is kept. */
  keep(file: {
    readonly name: string
    readonly mediaType: string
    readonly content: Uint8Array
  }): Promise<Artifact | undefined>
  /** Asks a person while the connection is open; absent where nobody can be asked. */
  ask?(question: InputQuestion): Promise<InputReply>
  /** For a call that is sent again with the answers that its server asked for. */
  readonly answered?: { readonly state?: JsonValue; readonly replies: Readonly<Record<string, InputReply>> }
}

/** MCP servers as toolkits and tools reach them. */
export interface McpPort {
  /** What is known of a server's tools; answers at once. Undefined when no server has this name. */
  listing(server: string): McpListing | undefined
  /**
   * Connects servers side by side. Resolves when each is connected or has failed, but after a few seconds in any
   * case; a server that takes longer is connected in the background. Never throws.
   */
  connect(servers: readonly string[], signal: AbortSignal): Promise<void>
  /**
   * Sends one call, once, and connects before that if necessary; never throws. It has no time limit but the
   * signal. When the signal aborts, the server is told and the call ends at once.
   */
  call(call: McpCall, signal: AbortSignal): Promise<ToolOutput>
  /** Reads texts of a server for a model. Never throws; what cannot be read has a problem in place of its text. */
  texts(wanted: McpTextRequest, signal: AbortSignal): Promise<readonly McpText[]>
}

export interface McpTextRequest {
  readonly server: string
  /** What the server says of how it is used. */
  readonly instructions: boolean
  /** The addresses of resources. */
  readonly resources: readonly string[]
}

/** A text of a server, which is untrusted. */
export type McpText = Omit<ServerText, 'node'>

/** For places without MCP servers. */
export const noServers: McpPort = {
  listing: () => undefined,
  connect: async () => undefined,
  call: async ({ server }) => unknownServer(server),
  texts: async () => [],
}

export function unknownServer(server: string): Extract<ToolOutput, { ok: false }> {
  return { ok: false, code: 'mcp_unknown', message: `There is no MCP server “${server}” in the settings.` }
}
