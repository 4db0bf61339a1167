/** What a fix of a finding is. */
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { Edited } from '../edit/edited'

export interface Fix {
  /** What it does, as an order: “Wire it to the agent”. */
  readonly label: string
  /** One entry of the history; the finding is gone afterwards. */
  apply(graph: GraphDocument, catalog: Catalog): Edited
}
