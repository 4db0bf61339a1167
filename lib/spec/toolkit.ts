/** What a source of tools is, and the bound tool that a run calls whatever its source. */
import type { z } from 'zod'
import type { JsonObject, JsonSchema } from './json'
import type { Family } from './kind'
import type { Effect, Risk, Tool, ToolContext, ToolOutput } from './tool'
import type { ToolClass } from './tool-class'
import type { Scope } from './tool-scope'

/** One tool as a run sees it: the entry's settings applied, preset arguments removed from `parameters`. */
export interface BoundTool {
  /** The name offered to the model. */
  readonly name: string
  /** The name before `rename`; the globs of policies match this one. */
  readonly scopeName: string
  /** The entry's path in the config: `tools/0`. */
  readonly node: string
  /** The toolkit it came from: `builtin`. */
  readonly source: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Preset arguments, which are removed from what the model sends: the preset values always win. */
  readonly preset?: readonly string[]
  readonly risk: Risk
  readonly effect: Effect
  readonly timeoutSeconds: number
  /** Whether an equal later call of the run may reuse this call's result. */
  readonly cache?: boolean
  /** Other names that models use for it. */
  readonly aliases?: readonly string[]
  /** A successful call ends the run: its observation is the answer. */
  readonly ends?: boolean
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput>
}

/** What a toolkit can read while it opens an entry. */
export interface ToolkitContext {
  readonly tools: readonly Tool[]
}

/** A source of tools, one per `use`. `settings` is the entry's own part of the schema, without `use` and the common keys. */
export interface Toolkit<S extends z.ZodObject = z.ZodObject> {
  readonly id: string
  readonly label: string
  readonly help: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  /** The heading in the palette, shared with the tools of that group. */
  readonly group?: string
  readonly icon: string
  readonly family: Family
  readonly settings: S
  readonly scope: Scope
  /** The class of all its tools, if it is the same for all; otherwise each tool has its own. */
  readonly toolClass?: ToolClass
  /** The config of a new entry; needed when `settings` has keys without a default. */
  readonly initial?: z.input<S>
  /** Tools in the order offered. A glob without matches is no failure here; the check of the graph warns. */
  open(entry: z.output<S>, context: ToolkitContext): Promise<readonly Tool[]>
}
