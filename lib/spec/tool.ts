/** What a tool is: a name, a schema, a risk, and a body that gets everything it needs from its context. */
import { z } from 'zod'
import type { AgentsPort } from './agents-port'
import type { Artifact } from './artifact'
import type { ChartPort } from './chart'
import type { Completion, CompletionRequest } from './completion'
import type { HttpPort } from './http-port'
import type { InnerRun } from './inner-run'
import type { InputQuestion, InputReply } from './input'
import type { JsonObject, JsonSchema, JsonValue } from './json'
import { toJsonSchema } from './json'
import type { JsonQueryPort } from './json-query'
import type { McpPort } from './mcp'
import type { Block } from './message'
import type { OpenapiPort } from './openapi-port'
import { pictureOf } from './picture'
import type { HeldPlan, Plan, PlanBook } from './plan'
import type { KnowledgePort, MemoryPort } from './recall-port'
import type { ReportPort } from './report'
import type { ArtifactsPort, FilesPort, JavascriptPort, WebPort } from './sandbox'
import type { SkillsPort } from './skill-port'
import type { SqlPort } from './sql'
import type { ToolOutput } from './tool-output'
import type { WaitInLine } from './turns'
import type { SandboxPort, WalledKind } from './walls'
import type { SearchPort } from './web-search'

export { maxNoteChars, type ToolOutput, type WithMetadata, type WithNote } from './tool-output'

/** How much harm a call could do, from least to most. */
export const risk = z.enum(['read', 'write', 'admin'])
export type Risk = z.infer<typeof risk>

/** What may follow a crash during a call: `read` and `idempotent` run again, an `effect` never does. */
export const effect = z.enum(['read', 'idempotent', 'effect'])
export type Effect = z.infer<typeof effect>

/** Further tries of a failed call, with the wait before the first of them, which then doubles. */
export interface ToolRetry {
  readonly max: number
  readonly backoffMs: number
}

/** What a body asked before, and what a person replied to it. */
export interface GivenReplies {
  readonly state?: JsonValue
  /** By the `inputId` that the body gave each question. */
  readonly replies: Readonly<Record<string, InputReply>>
}

/** What a tool may use outside itself, made for one thread; provided by the server or the command line. */
export interface ToolPorts {
  readonly sql: SqlPort
  readonly files: FilesPort
  readonly artifacts: ArtifactsPort
  readonly javascript: JavascriptPort
  readonly sandbox: SandboxPort
  readonly charts: ChartPort
  readonly reports: ReportPort
  readonly jsonQueries: JsonQueryPort
  readonly web: WebPort
  readonly search: SearchPort
  readonly http: HttpPort
  readonly openapi: OpenapiPort
  readonly mcp: McpPort
  readonly memory: MemoryPort
  readonly knowledge: KnowledgePort
  readonly skills: SkillsPort
  /** The agents that the run may call. */
  readonly agents: AgentsPort
}

/** The run that a call belongs to. */
export interface CallingRun {
  /** Null on the command line, and when a tool is tried by hand. */
  readonly id: string | null
  /** `id` is null when the agent's config came from a file. */
  readonly agent: { readonly id: string | null; readonly name: string }
  readonly thread: string | null
  /** 0 outside a run. */
  readonly step: number
}

/** A tool as a search finds it. */
export interface ToolSummary {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
}

/** The result of a finished call. */
export interface EarlierResult {
  /** As the model read it. */
  readonly text: string
  /** The model read less than the tool returned. */
  readonly isCut: boolean
  /** The whole result, when it is one JSON value. */
  readonly value?: JsonValue
  /** The kept file with the text of a result that was cut: the whole, or its first `maxKeptBytes`. */
  readonly artifact?: string
}

export interface ToolContext {
  readonly callId: string
  readonly run: CallingRun
  /** The result of a finished call of this run; undefined when there is no such call. */
  resultOf?(callId: string): EarlierResult | undefined
  /** The tools that the policy `discovery` holds back in this step; absent outside a run. */
  readonly hiddenTools?: readonly ToolSummary[]
  /**
   * For waiting in a line, such as for a free sandbox process: that does not count as the call's own time.
   */
  readonly inLine: WaitInLine
  /** Aborts on cancel, on timeout and when the server drains. */
  readonly signal: AbortSignal
  /** Milliseconds since 1970. */
  now(): number
  /** Text is appended to earlier output; blocks replace it. */
  progress(update: string | readonly Block[]): void
  /**
   * Asks a person while the body runs, and resolves with the reply; never rejects. The wait does not count as the
   * call's own time. When the server stops it does not resolve, and the question is lost: a call of class effect then ends as `unknown`,
   * and any other runs again and asks again. Prefer the output `asks`, which waits through restarts. Absent where
   * nobody can be asked, as when a person tries a tool by hand.
   */
  ask?(question: InputQuestion): Promise<InputReply>
  /**
   * Asks the agent's model, or the one that the tool's entry names. Never rejects. Each question is an event of the
   * run with its usage, and counts for its budgets. A question that was answered before a crash is not asked again
   * when the body runs again. Absent where there is no model, as when a person tries a tool by hand.
   */
  complete?(request: CompletionRequest): Promise<Completion>
  /** Present when this call runs again with the replies to the questions of its output `asks`. */
  readonly answered?: GivenReplies
  /** Reports a file that the call has made or changed, after it is kept. */
  created(artifact: Artifact): void
  /** For a body that is a run of its own; absent outside a run, where a person tries a tool. */
  readonly inner?: InnerRun
  /** The plan of the run; absent outside a run. */
  readonly plan?: PlanDesk
  readonly ports: ToolPorts
}

/** Where tools read and change the plan of their run. */
export interface PlanDesk {
  read(): PlanBook
  /**
   * Changes the plan as it is when the change has its turn, so that no change is lost when calls or a person make
   * several at once. `change` returns the plan from then on, or a message why there is none; it is not called
   * again for a call whose change is already recorded. Resolves with the plan, or with the message.
   */
  change(change: PlanChange): Promise<Plan | string>
}
export type PlanChange = (book: PlanBook) => Plan | string

/** What a tool may say before each step: sent with that request alone, and part of no history. */
export type StepHint = (plan: HeldPlan | undefined, isEdited: boolean) => string | undefined

/** The name of the tool with which the model switches groups of tools on and off. */
export const equipName = 'tools.equip'

/** The name of the tool that reads a result again that was taken out of the dialogue. */
export const getBackName = 'observation.get'

/** The name of the tool that searches the tools which the policy `discovery` holds back. */
export const findToolsName = 'tools.find'

/** The name of the tool that ends a run with its answer. */
export const finishName = 'finish'

/**
 * A name under which models call several tools, where one argument says which: `str_replace_editor` with the
 * `command` `view` or `create`. Each of these tools carries it.
 */
export interface SharedName {
  readonly name: string
  readonly argument: string
  /** The tools' own names by the values of the argument. */
  readonly tools: Readonly<Record<string, string>>
}

/**
 * Other names that models use for arguments, each with the argument's own name. Several own names share the items
 * of a list: the first gets the first. `null` and -1 in it stand for an argument that is left out.
 */
export type ArgumentAliases = Readonly<Record<string, string | readonly string[]>>
export type ToolLack = (ports: Pick<ToolPorts, 'search'>) => string | undefined

/** A built-in tool. `run` gets arguments that fit `parameters`, preset values included. */
export interface Tool {
  readonly name: string
  readonly label: string
  /** The heading it is listed under in the palette: `Files`. */
  readonly group?: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  readonly description: string
  readonly icon: string
  readonly risk: Risk
  readonly effect: Effect
  /** Nothing is known of what it does: its risk and effect are only assumed, and an entry may set any. */
  readonly isAssumed?: boolean
  /** The time limit of a call in seconds, when neither its entry nor a policy sets another. */
  readonly timeoutSeconds: number
  readonly parameters: JsonSchema
  /** Sample questions for an agent that has this tool. */
  readonly samples?: readonly string[]
  /** Other names that models use for it. */
  readonly aliases?: readonly string[]
  readonly sharedNames?: readonly SharedName[]
  readonly argumentAliases?: ArgumentAliases
  /** The argument that holds a document in Markdown, which pages show while the model writes it. */
  readonly draft?: string
  /** A successful call ends the run: its observation is the answer. */
  readonly ends?: boolean
  /** Heavier tools come earlier in the palette and in the list that the model reads; 100 unless set. */
  readonly weight?: number
  /** Offered even while its group is off. */
  readonly core?: boolean
  /** False: neither the palette nor the model is shown the tool; it can still be used by its name. */
  readonly visible?: boolean
  readonly hint?: StepHint
  /** It changes or shows what belongs to the run itself, so the result of one call cannot serve for another. */
  readonly changesRun?: true
  /**
   * Its body is a run of its own, which goes on from its recorded events. So it may be begun again whatever its
   * effect: what its calls may do twice is decided by their own.
   */
  readonly resumable?: true
  /** The kind of foreign code that it runs, whose wall its face shows. */
  readonly walled?: WalledKind
  /** Why it cannot be offered here, and what a person can do about it; undefined when it can. It answers at once. */
  readonly lack?: ToolLack
  /** A person decides on each call, unless the entry says otherwise; a policy that asks covers it as well. */
  readonly asksFirst?: true
  /** The body to use when an entry limits the tool to reading; absent when the tool cannot be limited. */
  readonly reading?: Reading<JsonObject>
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput>
}

/** A body that can only read, and the description for the model where it differs. */
export interface Reading<Args> {
  readonly description?: string
  run(args: Args, context: ToolContext): Promise<ToolOutput>
}

export interface ToolDefinition<S extends z.ZodObject> {
  name: string
  label: string
  group?: string
  keywords?: readonly string[]
  description: string
  icon: string
  risk: Risk
  effect?: Effect
  timeoutSeconds?: number
  samples?: readonly string[]
  aliases?: readonly string[]
  sharedNames?: readonly SharedName[]
  argumentAliases?: ArgumentAliases
  draft?: string
  ends?: boolean
  weight?: number
  core?: boolean
  visible?: boolean
  hint?: StepHint
  changesRun?: true
  walled?: WalledKind
  lack?: ToolLack
  asksFirst?: true
  reading?: Reading<z.output<S>>
  input: S
  run(args: z.output<S>, context: ToolContext): Promise<ToolOutput>
}

/** Makes a tool from a zod schema. The default effect is `read` for the risk `read`, otherwise `effect`. */
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
    // An unknown argument is probably misspelt: the model should learn of it.
    parameters: { ...toJsonSchema(input), additionalProperties: false },
    ...(reading && { reading: { ...reading, run: parsing(reading.run) } }),
    run: parsing(run),
  }
}

export function text(value: string): ToolOutput {
  return { ok: true, blocks: [{ type: 'text', text: value }] }
}

/** A kept picture as part of a result, which models that see pictures are shown. */
export function image(kept: Artifact): Block {
  const picture = pictureOf(kept)
  return { type: 'image', artifact: kept.id, ...(picture && { picture }) }
}

export function json(value: JsonValue): ToolOutput {
  return { ok: true, blocks: [{ type: 'json', value }] }
}

export function refuse(message: string, code?: string): ToolOutput {
  return code === undefined ? { ok: false, message } : { ok: false, message, code }
}
