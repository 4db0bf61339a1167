/** What the connections need to know of the MCP servers that were set up, and what they report back. */
import type { ChildProcess } from 'node:child_process'
import type { AuthProvider } from '@modelcontextprotocol/client'
import type { JsonObject } from '#lib/spec/json'
import type { McpTool, WithheldTool } from '#lib/spec/mcp'

/** How a server is reached now, with its secrets filled in. */
export type McpRoute =
  | {
      readonly transport: 'stdio'
      /**
       * Starts the server's program in its surroundings. Standard input, output and error are pipes, and it leads
       * a process group of its own (`detached`), which the connection ends as a whole.
       */
      start(): Promise<ChildProcess>
    }
  | {
      readonly transport: 'http'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      /** The guarded client. */
      readonly fetch: typeof fetch
      /** The tokens of a sign-in, and what renews them. */
      readonly authProvider?: AuthProvider
    }

/** A server that may be reached. */
export interface McpAccess {
  readonly ok: true
  readonly route: McpRoute
  /** The time limit of a call when nothing else sets one. */
  readonly timeoutSeconds?: number
  /** Milliseconds that connecting and listing may take. */
  readonly connectTimeoutMs?: number
  /** Takes secrets out of a text of the server before anybody reads it. */
  redact(text: string): string
  /** Said in the metadata of each of its calls, such as that no sandbox holds it. */
  readonly metadata?: JsonObject
}

/** Why a server must not be reached now: it has no consent, it needs a sign-in, or stdio is off. */
export interface McpRefusal {
  readonly ok: false
  readonly message: string
  readonly code?: string
}

/** Which tools of a server are offered. */
export interface McpAllowance {
  /** The names of the tools that are offered. */
  readonly offered: ReadonlySet<string>
  readonly withheld: readonly WithheldTool[]
}

/** What has become of a server's connection. */
export type McpReport =
  | { readonly state: 'ready'; readonly at: number; readonly info: McpServerInfo }
  | { readonly state: 'failed'; readonly at: number; readonly message: string }

/** What a server says of itself when it connects. Every text of it is untrusted. */
export interface McpServerInfo {
  readonly name: string
  readonly version: string
  /** The revision of the protocol that is spoken: `2025-11-25`. */
  readonly protocol: string
  readonly instructions?: string
}

/** What changed in the settings of a server. */
export interface McpChange {
  readonly name: string
  /** `reach`: it was added, edited, deleted, or its consent or sign-in changed; `tools`: other tools of it are offered. */
  readonly what: 'reach' | 'tools'
}

/** The servers that were set up. */
export interface McpServers {
  /** Answers at once. */
  has(name: string): boolean
  /** Asked before each connection. Never throws. */
  access(name: string): Promise<McpAccess | McpRefusal>
  /**
   * Takes note of what a server lists now, in the order of the names, and decides what is offered. Never throws.
   * @param unusable the tools that cannot be offered, whatever a person decides
   */
  seen(name: string, tools: readonly McpTool[], unusable: readonly WithheldTool[]): Promise<McpAllowance>
  report(name: string, report: McpReport): void
  /** Returns how to stop listening. */
  onChange(listener: (change: McpChange) => void): () => void
}
