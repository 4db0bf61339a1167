/** The catalog: every part as plain JSON, used by the graph, palette, inspector and API clients. */
import type { JsonSchema } from './json'
import type { NodeKind } from './kind'
import type { ToolClass } from './tool-class'
import type { WalledKind } from './walls'

export interface CatalogTool extends ToolClass {
  readonly name: string
  /** The toolkit that offers it: `builtin`. */
  readonly use: string
  readonly label: string
  /** The heading it is listed under in the palette: `Files`. */
  readonly group?: string
  /** Other words that a person may search it by. */
  readonly keywords?: readonly string[]
  readonly description: string
  readonly icon: string
  readonly timeoutSeconds: number
  /** Heavier tools come first in the palette; 100 unless set. */
  readonly weight?: number
  /** True for a tool of which a person decides on each call unless its entry says otherwise. */
  readonly asksFirst?: boolean
  /** False for a tool that the palette leaves out. */
  readonly visible?: boolean
  /** The kind of foreign code that it runs. */
  readonly walled?: WalledKind
  readonly parameters: JsonSchema
  /** Sample questions for an agent that has this tool. */
  readonly samples?: readonly string[]
}

export interface CatalogProvider {
  readonly id: string
  readonly label: string
  readonly help: string
  /** The provider whose address and key it shares. */
  readonly endpoint?: string
}

export interface Catalog {
  /** The product's version. */
  readonly version: string
  readonly kinds: readonly NodeKind[]
  readonly tools: readonly CatalogTool[]
  readonly providers: readonly CatalogProvider[]
  /** The whole agent config as JSON Schema: what `public/schema/agent-v1.json` publishes. */
  readonly schema: JsonSchema
}
