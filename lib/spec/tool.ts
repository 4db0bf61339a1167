/** What a tool is: a name, a schema, a risk, and a body that gets all it needs from its context. */
import { z } from 'zod'
import type { Artifact } from './artifact'
import type { JsonObject, JsonSchema, JsonValue } from './json'
import { toJsonSchema } from './json'
import type { Block } from './message'
import type { ArtifactsPort, FilesPort, JavascriptPort, SqlPort, WebPort } from './sandbox'
import type { WaitInLine } from './turns'

/** How much harm a call could do; ordered from least to most. */
export const risk = z.enum(['read', 'write', 'admin'])
export type Risk = z.infer<typeof risk>

/** What a crash in mid-call allows: `read` and `idempotent` run again, an `effect` never does. */
export const effect = z.enum(['read', 'idempotent', 'effect'])
export type Effect = z.infer<typeof effect>

/** What a tool tells of its work, for whoever reads the trace: the model is never told. */
export interface WithMetadata {
  readonly metadata?: JsonObject
}

/** What a body reports. A refusal is a value; only a bug throws. `message` is for the model to read. */
export type ToolOutput = WithMetadata &
  (
    | { readonly ok: true; readonly blocks: readonly Block[] }
    | {
        readonly ok: false
        readonly message: string
        readonly code?: string
        /** The same call may do better later: a timeout, a server that is busy. */
        readonly retryable?: boolean
      }
  )

/** The doors to the outside that a tool may use, made for one thread; composed by the server or the command line. */
export interface ToolPorts {
  readonly sql: SqlPort
  readonly files: FilesPort
  readonly artifacts: ArtifactsPort
  readonly javascript: JavascriptPort
  readonly web: WebPort
}

export interface ToolContext {
  readonly callId: string
  /** For what only waits in a line, such as the one for a free sandbox: that is not the call's own time. */
  readonly inLine: WaitInLine
  /** Aborts on cancel, on time-out and when the server drains. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Text is appended to what was shown; blocks replace it. */
  progress(update: string | readonly Block[]): void
  /** Tells of a file the call has made or changed, once it is kept. */
  created(artifact: Artifact): void
  readonly ports: ToolPorts
}

/** The name of the tool that ends a run with its answer. */
export const finishName = 'finish'

/** A built-in tool. `run` gets arguments that fit `parameters`, preset values included. */
export interface Tool {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly icon: string
  readonly risk: Risk
  readonly effect: Effect
  /** Seconds a call may take when neither its entry nor a policy says less. */
  readonly timeoutSeconds: number
  readonly parameters: JsonSchema
  /** Questions a person may begin with where an agent has this tool. */
  readonly samples?: readonly string[]
  /** Other names by which models call it. */
  readonly aliases?: readonly string[]
  /** A call that ends well ends the run: its observation is the answer. */
  readonly ends?: boolean
  /** What an entry that holds the tool to reading gets in its place; absent where nothing could hold the body to that. */
  readonly reading?: Reading<JsonObject>
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput>
}

/** A body that can only read, and what the model is told of it where that differs. */
export interface Reading<Args> {
  readonly description?: string
  run(args: Args, context: ToolContext): Promise<ToolOutput>
}

export interface ToolDefinition<S extends z.ZodObject> {
  name: string
  label: string
  description: string
  icon: string
  risk: Risk
  effect?: Effect
  timeoutSeconds?: number
  samples?: readonly string[]
  aliases?: readonly string[]
  ends?: boolean
  reading?: Reading<z.output<S>>
  input: S
  run(args: z.output<S>, context: ToolContext): Promise<ToolOutput>
}

/** Makes a tool of a zod input; effect follows risk unless said (DESIGN: read → read, else effect). */
export function tool<S extends z.ZodObject>(definition: ToolDefinition<S>): Tool {
  const { input, run, reading, effect: given, timeoutSeconds = 30, ...rest } = definition
  const parsing = (body: typeof run): Tool['run'] => {
    return async (args, context) => {
      const parsed = input.safeParse(args)
      if (!parsed.success) return { ok: false, code: 'args_schema', message: z.prettifyError(parsed.error) }
      return body(parsed.data, context)
    }
  }
  return {
    ...rest,
    effect: given ?? (definition.risk === 'read' ? 'read' : 'effect'),
    timeoutSeconds,
    // An argument that is not known is a misspelt one: better told than ignored.
    parameters: { ...toJsonSchema(input), additionalProperties: false },
    ...(reading && { reading: { ...reading, run: parsing(reading.run) } }),
    run: parsing(run),
  }
}

export function text(value: string): ToolOutput {
  return { ok: true, blocks: [{ type: 'text', text: value }] }
}

export function json(value: JsonValue): ToolOutput {
  return { ok: true, blocks: [{ type: 'json', value }] }
}

export function refuse(message: string, code?: string): ToolOutput {
  return code === undefined ? { ok: false, message } : { ok: false, message, code }
}
