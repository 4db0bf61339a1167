/** What a run needs from outside: composed by the server or the command line, never looked up. */
import type { ModelClient } from '#lib/spec/model'
import type { BoundPolicy } from '#lib/spec/policy'
import type { Codec } from '#lib/spec/protocol'
import type { ToolPorts } from '#lib/spec/tool'
import type { BoundTool } from '#lib/spec/toolkit'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds from any fixed point; never goes back. */
  monotonic(): number
  /** Ends early, by whatever means, when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export interface RunDeps {
  readonly model: ModelClient
  /** Opened over exactly `offer(tools, policies).offered`. */
  readonly codec: Codec
  /** Every tool of the config in the order offered, also those that the policies withhold. */
  readonly tools: readonly BoundTool[]
  readonly policies: readonly BoundPolicy[]
  /** As the config has them; `{{date}}` and `{{name}}` are replaced by the run. */
  readonly instructions: string
  readonly ports: ToolPorts
  readonly clock: Clock
  /** SHA-256 as hex. */
  hash(text: string): string
  /** Resolves when every event yielded so far is stored; no body begins before. */
  committed(): Promise<void>
  /** For one answer of the model, idle waits included. */
  readonly modelTimeoutSeconds: number
  /** Told of what can only be a bug, before the run ends as `failed` with code `internal`. */
  report?(error: unknown): void
}

/** Why a run is stopped from outside: for good, or until the server is back. */
export type Stop = 'cancel' | 'drain'

/** Reads the signal's reason; whatever is not `drain` counts as `cancel`. */
export function stopOf(signal: AbortSignal): Stop | undefined {
  if (!signal.aborted) return undefined
  return signal.reason === 'drain' ? 'drain' : 'cancel'
}
