/** What a fix of a finding is. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { Edited } from '../edit/edited'

export interface Fix {
  /** What it does, as an imperative: “Wire it to the agent”. */
  readonly label: string
  /** One undo entry, after which the finding is gone. */
  apply(graph: GraphDocument, catalog: Catalog): Edited
}
