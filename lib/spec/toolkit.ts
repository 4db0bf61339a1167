/** What a source of tools is, and the bound tool that a run calls whatever its source. */
import type { z } from 'zod'
import type { JsonObject, JsonSchema } from './json'
import type { Family } from './kind'
import type { McpText, WithheldTool } from './mcp'
import type { StartRecall } from './recall'
import type { ServerText } from './server-text'
import type { SkillLine } from './skill'
import type {
  ArgumentAliases,
  Effect,
  Risk,
  SharedName,
  StepHint,
  Tool,
  ToolContext,
  ToolLack,
  ToolOutput,
  ToolPorts,
  ToolRetry,
} from './tool'
import type { ClassChoice, ToolClass } from './tool-class'
import type { Scope } from './tool-scope'

/** A tool as the model is told of it. */
export type DescribedTool = Pick<
  BoundTool,
  'name' | 'description' | 'parameters' | 'example' | 'xml' | 'hidden'
>

/** How a call of a tool is written in XML: under this name, with some parameters as attributes and the others as elements. */
export interface XmlForm {
  readonly name: string
  readonly attributes: readonly string[]
}

/** One tool as a run sees it: the entry's settings applied, preset arguments removed from `parameters`. */
export interface BoundTool {
  /** The name offered to the model. */
  readonly name: string
  /** The name before `rename`; the globs of policies match this one. */
  readonly scopeName: string
  /** The entry's path in the config: `tools/0`. */
  readonly node: string
  /** The group of its entry; absent for `basic`. */
  readonly group?: string
  /** The toolkit it came from: `builtin`. */
  readonly source: string
  readonly description: string
  /** For formats that describe tools in the instructions: arguments as JSON, or any text. */
  readonly example?: string
  /** Only for the XML format, which takes its general form as well. */
  readonly xml?: XmlForm
  /** The model is not told of the tool, but a call by its name is a call of it. */
  readonly hidden?: true
  /** Its place among all tools: heavier ones come first. Absent for the usual weight. */
  readonly weight?: number
  /** Offered even while its group is off. */
  readonly core?: true
  readonly parameters: JsonSchema
  /** Preset arguments, which are removed from what the model sends: the preset values always win. */
  readonly preset?: readonly string[]
  readonly risk: Risk
  readonly effect: Effect
  readonly timeoutSeconds: number
  /** Further tries of a failed call, in place of the retry policies. */
  readonly retry?: ToolRetry
  /** A person decides on each call, even if no policy asks. */
  readonly asksFirst?: true
  /** Whether an equal later call of the run may reuse this call's result. */
  readonly cache?: boolean
  /** Other names that models use for it. */
  readonly aliases?: readonly string[]
  readonly sharedNames?: readonly SharedName[]
  readonly argumentAliases?: ArgumentAliases
  /** The argument that holds a document in Markdown; see `Tool`. */
  readonly draft?: string
  /** A successful call ends the run: its observation is the answer. */
  readonly ends?: boolean
  /** A call runs in the background: the model goes on at once, and reads the result in a later step. */
  readonly background?: boolean
  /** What it says before each step in which it is offered. */
  readonly hint?: StepHint
  /** Why it cannot be offered here; undefined when it can. */
  readonly lack?: ToolLack
  /** Its body is a run of its own, which may be begun again whatever the effect; see `Tool`. */
  readonly resumable?: true
  run(args: JsonObject, context: ToolContext): Promise<ToolOutput>
}

/** A group of the config as a run uses it. */
export interface BoundGroup {
  readonly name: string
  /** The group's path in the config: `groups/0`. */
  readonly node: string
  readonly description: string
  /** What the model is told when the group is active. */
  readonly notes: string
  /** Whether it is active when nothing has changed it. */
  readonly active: boolean
}

/** The tools of a config as they are now. */
export interface ToolListing {
  /** In the order of the config; the same array while nothing has changed. */
  readonly tools: readonly BoundTool[]
  /** Tools that their toolkits hold back; absent when no toolkit of the config does that. */
  readonly withheld?: readonly WithheldByToolkit[]
  /** Why they changed last, in words for a person; absent while they are as the config opened them. */
  readonly reason?: string
  /** Texts of servers that entries ask for, read once for each run. */
  readonly serverTexts?: readonly ServerText[]
  /** The skills that can be used now; absent without any. */
  readonly skills?: readonly SkillLine[]
}

/** A tool that its toolkit does not offer now, such as one of a server that cannot be reached. */
export interface WithheldByToolkit {
  /** `<server>.*` stands for all tools of a server. */
  readonly name: string
  /** The entry's path in the config: `tools/0`. */
  readonly node: string
  readonly source: string
  readonly reason: string
}

/** The tools of one entry as they are now. */
export interface EntryListing {
  /** The same array while nothing has changed. */
  readonly tools: readonly Tool[]
  /** Tools that are not offered now, and why; the same array while nothing has changed. */
  readonly withheld?: readonly WithheldTool[]
  /** Why they changed last, in words for a person. */
  readonly reason: string
}

/** Something wrong with the settings of an entry that their schema cannot show; `path` is within the entry. */
export interface EntryFault {
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  readonly path: string
}

/** A secret that an entry names, where it stands in the entry, and the origin it is sent to. */
export interface NamedSecret {
  readonly name: string
  readonly origin: string
  readonly path: string
}

/** The question of a run, shortened, and the agent that it is put to; null when its config came from a file. */
export interface StartQuestion {
  readonly query: string
  readonly agent: string | null
}

/** An entry that gives runs something at their start, or remembers them at their end. */
export interface Recaller {
  /** The entry's path in the config: `tools/0`. */
  readonly node: string
  /** A tool of the entry, whose masks count for what is given and recorded. */
  readonly tool: BoundTool
  atStart(asked: StartQuestion, ports: ToolPorts, signal: AbortSignal): Promise<StartRecall | undefined>
  readonly records: boolean
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
  /** The setting that names the kind of foreign code which its tool runs, as in `language`. */
  readonly walledBy?: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  /** The heading in the palette, shared with the tools of that group. */
  readonly group?: string
  readonly icon: string
  readonly family: Family
  readonly settings: S
  readonly scope: Scope
  /** Tools that do not depend on an entry, so that the catalog can show them. */
  readonly tools?: readonly Tool[]
  /** The class of all its tools, if it is the same for all; otherwise each tool has its own. */
  readonly toolClass?: ToolClass
  /** How the class of its tools follows from a setting, if it does. */
  readonly classChoice?: ClassChoice
  /** The config of a new entry; needed when `settings` has keys without a default. */
  readonly initial?: z.input<S>
  /** What is wrong with an entry beyond its schema. An error keeps the agent from running. */
  check?(entry: z.output<S>): readonly EntryFault[]
  /** The secrets that an entry names. */
  secrets?(entry: z.output<S>): readonly NamedSecret[]
  /** Tools in the order offered. A glob without matches is no failure here; the check of the graph warns. */
  open(entry: z.output<S>, context: ToolkitContext): Promise<readonly Tool[]>
  /**
   * The entry's tools as they are now, asked before each step of a run; undefined while they are as `open`
   * gave them. Absent when they never change. It must answer at once from what it knows, since the step
   * waits for it.
   */
  now?(entry: z.output<S>, ports: ToolPorts): Promise<EntryListing | undefined>
  /**
   * Connects what `now` answers from, once, before the first step of a run. It takes a few seconds at most. Returns
   * the texts that the run reads with its instructions.
   */
  prepare?(entry: z.output<S>, ports: ToolPorts, signal: AbortSignal): Promise<readonly McpText[]>
  /** What the entry gives a run before its first step, and whether it remembers the run at its end. */
  readonly recall?: {
    /** Undefined when the entry gives nothing at the start. It takes a few seconds at most. */
    atStart(
      entry: z.output<S>,
      asked: StartQuestion,
      ports: ToolPorts,
      signal: AbortSignal,
    ): Promise<StartRecall | undefined>
    /** Whether the question and the answer of a run are recorded at its end. */
    records(entry: z.output<S>): boolean
  }
  /** A tool of another toolkit with the same name is offered in place of its own. */
  readonly givesWay?: boolean
}
