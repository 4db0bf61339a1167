/**
 * Sample questions, so that a first run needs no thinking: those that the agent's description gives after
 * "Ask:", and those of its tools. Pure.
 */
import { describeNode } from '#components/drawing/describe'
import { entryTools } from '#lib/graph/entry-tools'
import { kindOf } from '#lib/graph/kinds'
import type { Catalog } from '#lib/spec/catalog'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonValue } from '#lib/spec/json'

const most = 3

export function samplesOf(graph: GraphDocument, catalog: Catalog): string[] {
  const off = new Set(graph.parked)
  const wired = new Set(graph.edges.map((each) => each.from.node))
  const found = new Set<string>(graph.nodes.flatMap(({ config }) => samplesIn(config.description)))
  // Written turns are the same whatever is asked, so they answer no question of a tool.
  const isScript = graph.nodes.some(({ kind, config }) => kind === 'model' && config.name === 'script')
  if (isScript && found.size > 0) return [...found].slice(0, most)
  for (const node of graph.nodes) {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined || off.has(node.id) || !wired.has(node.id)) continue
    for (const tool of entryTools(node, kind, catalog)) for (const each of tool.samples ?? []) found.add(each)
  }
  return (found.size > 0 ? [...found] : ['What can you do?']).slice(0, most)
}

/** `…. Ask: What is 2 + 2? Write a report.` gives two. */
export function samplesIn(description: JsonValue | undefined): string[] {
  const [, asked = ''] = (typeof description === 'string' && /\bAsk:\s+([\s\S]+)$/.exec(description)) || []
  return asked
    .trim()
    .split(/(?<=[?.!]["”]?)\s+(?=\p{Lu})/u)
    .filter((each) => each !== '')
}

/** The agent's title. */
export function titleOf(graph: GraphDocument, catalog: Catalog): string {
  const agent = graph.nodes.find((each) => kindOf(catalog, each.kind)?.place.at === 'root')
  return agent === undefined ? 'No agent yet' : describeNode(agent, catalog).title
}
