/** What can be drawn: a node kind as plain data, with its ports and its place in the config. */
import type { JsonSchema } from './json'
import type { ClassChoice, ToolClass } from './tool-class'
import type { Scope } from './tool-scope'

/** The family sets the hue of a node; its ports set the shape. */
export type Family = 'agent' | 'model' | 'tool' | 'mcp' | 'policy' | 'memory' | 'output' | 'note'

/** A port's type says what fits: an out port fits an in port that accepts its type. */
export type PortType =
  | 'model'
  | 'protocol'
  | 'tool'
  | 'policy'
  | 'memory'
  | 'knowledge'
  | 'plan'
  | 'personas'
  | 'output'
  | 'group'
  | 'skill'

export interface InPort {
  /** The port's name in edges: `tools`, `policies`, `model`, `protocol`. */
  readonly name: string
  readonly accepts: PortType
  readonly many: boolean
}

/**
 * Where a node of this kind is in the config: the agent itself, one object under a key, or an item of a list.
 */
export type Place =
  | { readonly at: 'root' }
  | { readonly at: 'object'; readonly key: string }
  | { readonly at: 'list'; readonly key: string }

/**
 * A node kind. `schema` describes a node's `config`: the entry without `use` (for the agent: only its own
 * keys).
 * Defaults are in the schema; a value equal to its default is not kept.
 */
export interface NodeKind {
  /** `agent`, `model`, `protocol`, `output`, `group`, `skill`, `tool:<use>`, `policy:<use>`. */
  readonly kind: string
  readonly label: string
  readonly help: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  /** Tool kinds: the heading under which the palette lists it, next to the tools of that group. */
  readonly group?: string
  readonly icon: string
  readonly family: Family
  readonly place: Place
  /** The entry's `use`; absent for the agent, for objects and for items of a list that has one kind. */
  readonly use?: string
  /** The out port's name is its type. The agent's goes into the output, which has no out port itself. */
  readonly out?: PortType
  readonly in: readonly InPort[]
  readonly schema: JsonSchema
  /** The config of a new node. */
  readonly initial: { readonly [key: string]: unknown }
  /** Tool kinds: how a policy wired to the entry names its tools. */
  readonly scope?: Scope
  /** Tool kinds: the class of every tool of the entry, if it is the same for all. */
  readonly toolClass?: ToolClass
  /** Tool kinds: how the class of the tools follows from a setting, if it does. */
  readonly classChoice?: ClassChoice
  /** Tool kinds: the setting that names the kind of foreign code which its tool runs. */
  readonly walledBy?: string
  /** Policy kinds: whether the entry may have `appliesTo`, and so be wired to a tool entry. */
  readonly scoped?: boolean
  /** Policy kinds: when there are several, only the last one takes effect. */
  readonly lastWins?: boolean
}

/** The config key that holds a scoped policy's globs. */
export const appliesToKey = 'appliesTo'
