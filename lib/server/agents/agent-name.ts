/** Names of agents: where a drawing has its own, and which name is free. */
import { agentName } from '#lib/spec/config'
import type { GraphDocument } from '#lib/spec/graph'
import type { JsonObject } from '#lib/spec/json'

const longest = 64

/** The name on the drawing's agent node; undefined when it is missing or not valid. */
export function nameOf(graph: GraphDocument): string | undefined {
  const read = agentName.safeParse(graph.nodes.find((node) => node.kind === 'agent')?.config.name)
  return read.success ? read.data : undefined
}

export function withName(graph: GraphDocument, name: string): GraphDocument {
  return withAgent(graph, (config) => ({ ...config, name }))
}

/** Changes the agent's title. A drawing without a title stays the same, since its name is shown instead. */
export function withTitle(graph: GraphDocument, change: (title: string) => string): GraphDocument {
  return withAgent(graph, (config) => {
    const { title } = config
    return typeof title === 'string' && title.trim() !== '' ? { ...config, title: change(title) } : config
  })
}

function withAgent(graph: GraphDocument, change: (config: JsonObject) => JsonObject): GraphDocument {
  const index = graph.nodes.findIndex((node) => node.kind === 'agent')
  const nodes = graph.nodes.map((node, at) =>
    at === index ? { ...node, config: change(node.config) } : node,
  )
  return { ...graph, nodes }
}

/** `retail`, or the first free name of `retail-2`, `retail-3` … */
export function freeName(wanted: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted
  for (let count = 2; ; count += 1) {
    const tail = `-${count}`
    const name = `${wanted.slice(0, longest - tail.length).replace(/-+$/, '')}${tail}`
    if (!isTaken(name)) return name
  }
}
