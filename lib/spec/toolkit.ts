/** What a source of tools is (builtin today), and the bound tool a run calls whatever its source. */
import type { z } from 'zod'
import type { JsonObject, JsonSchema } from './json'
import type { Family } from './kind'
import type { Effect, Risk, Tool, ToolContext, ToolOutput } from './tool'
import type { ToolClass } from './tool-class'
import type { Scope } from './tool-scope'

/** One tool as a run sees it: the entry's settings are applied, preset values hidden from `parameters`. */
export interface BoundTool {
  /** The name offered. */
  readonly name: string
  /** The name before `rename`: what globs of policies are matched against. */
  readonly scopeName: string
  /** The entry's path in the config: `tools/0`. */
  readonly node: string
  /** The toolkit it came from: `builtin`. */
  readonly source: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Arguments that are preset: taken out of what the model sends, since they always win. */
  readonly preset?: readonly string[]
  readonly risk: Risk
  readonly effect: Effect
  readonly timeoutSeconds: number
  /** Whether an equal call of the run may be answered from the first one's result. */
  readonly cache?: boolean
  /** Other names by which models call it. */
  readonly aliases?: readonly string[]
  /** A call that ends well ends the run: its observation is the answer. */
  readonly ends?: boolean
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput>
}

/** What a toolkit may look at while it opens an entry. */
export interface ToolkitContext {
  readonly tools: readonly Tool[]
}

/** A source of tools, one per `use`. `settings` is the entry's own part of the schema, without `use` and the common keys. */
export interface Toolkit<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly icon: string
  readonly family: Family
  readonly settings: S
  readonly scope: Scope
  /** The class of all its tools, where it is the same for each of them; else it is found tool by tool. */
  readonly toolClass?: ToolClass
  /** What a freshly dropped entry holds; needed when `settings` has keys without a default. */
  readonly initial?: z.input<S>
  /** Tools in the order offered. A glob that names nothing is no failure here: the check tells it as a warning. */
  open(entry: z.output<S>, context: ToolkitContext): Promise<readonly Tool[]>
}
