/** Sample questions, chosen by the tools that an agent offers, so that a first run needs no thinking. */
import { describeNode } from '#components/drawing/describe'
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'

const most = 3

export function samplesOf(graph: GraphDocument, catalog: Catalog): string[] {
  const off = new Set(graph.parked)
  const wired = new Set(graph.edges.map((each) => each.from.node))
  const found = new Set<string>()
  for (const node of graph.nodes) {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined || off.has(node.id) || !wired.has(node.id)) continue
    for (const tool of entryTools(node, kind, catalog)) for (const each of tool.samples ?? []) found.add(each)
  }
  return (found.size > 0 ? [...found] : ['What can you do?']).slice(0, most)
}

/** The agent's title. */
export function titleOf(graph: GraphDocument, catalog: Catalog): string {
  const agent = graph.nodes.find((each) => kindOf(catalog, each.kind)?.place.at === 'root')
  return agent === undefined ? 'No agent yet' : describeNode(agent, catalog).title
}
