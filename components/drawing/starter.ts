/** What a new agent starts with, and how a free name is found. */
import { addNode } from '#lib/graph/edit'
import type { Catalog } from '#lib/spec/catalog'
import { emptyGraph, type GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'
import { freeName } from '#lib/spec/slug'

/** The agent with a model wired to it, both with the catalog's defaults for new nodes. */
export function starterGraph(catalog: Catalog, taken: ReadonlySet<string>): GraphDocument {
  const root = catalog.kinds.find((each) => each.place.at === 'root')
  if (root === undefined) return emptyGraph
  const agent = addNode(emptyGraph, { kind: root.kind, config: untitled(taken) }, catalog).graph
  const model = catalog.kinds.find((each) => each.out === 'model')
  return model === undefined ? agent : addNode(agent, { kind: model.kind, wire: true }, catalog).graph
}

/** `Untitled agent`, or the first free `Untitled agent 2`, `Untitled agent 3` …, with a name to match. */
export function untitled(taken: ReadonlySet<string>): { name: string; title: string } {
  const name = freeName('untitled-agent', taken)
  const number = name.slice('untitled-agent-'.length)
  return { name, title: number === '' ? 'Untitled agent' : `Untitled agent ${number}` }
}

/** The same drawing under another name, so that both agents can exist. */
export function renameGraph(
  graph: GraphDocument,
  catalog: Catalog,
  taken: ReadonlySet<string>,
): GraphDocument {
  const roots = new Set(catalog.kinds.filter((each) => each.place.at === 'root').map((each) => each.kind))
  const nodes = graph.nodes.map((node) =>
    roots.has(node.kind) ? { ...node, config: copyOf(node.config, taken) } : node,
  )
  return { ...graph, nodes }
}

function copyOf(config: JsonObject, taken: ReadonlySet<string>): JsonObject {
  const name = freeName(typeof config.name === 'string' && config.name !== '' ? config.name : 'copy', taken)
  return typeof config.title === 'string' && config.title !== ''
    ? { ...config, name, title: `${config.title} (copy)` }
    : { ...config, name }
}
