/** Fixes of wires, and of the ids they refer to. */
import type { GraphEdge } from '#lib/spec/graph'
import { appliesToKey } from '#lib/spec/kind'
import { edgeKey, targetsOf } from '../drawing'
import { finishEdit, idMaker, leaveUnchanged } from '../edit/edited'
import { patchConfig } from '../edit/nodes'
import { connect, disconnect } from '../edit/wires'
import { kindOf, nameOf, portsBetween } from '../kinds'
import { globsOf } from '../scope'
import type { FixableFinding } from './finding'
import type { Fix } from './fix'
import { deleting, wiring } from './nodes'

export function looseFixes(_: FixableFinding): Fix[] {
  return [
    {
      label: 'Remove the wire',
      apply: (graph, catalog) => {
        const ids = new Set(graph.nodes.map(({ id }) => id))
        const edges = graph.edges.filter(({ from, to }) => ids.has(from.node) && ids.has(to.node))
        return finishEdit(graph, { ...graph, edges }, catalog)
      },
    },
  ]
}

export function misfitFixes({ node, drawing }: FixableFinding): Fix[] {
  if (node === undefined) return []
  const fitting = new Set(drawing.wires.map(edgeKey))
  return [
    {
      label: 'Remove the wire',
      apply: (graph, catalog) =>
        disconnect(
          graph,
          graph.edges.filter((edge) => edge.from.node === node.id && !fitting.has(edgeKey(edge))),
          catalog,
        ),
    },
  ]
}

/** The later of two nodes keeps its config, the wires stay with the first. */
export function idFixes({ node, catalog }: FixableFinding): Fix[] {
  if (node === undefined) return []
  const { id } = node
  return [
    {
      label: 'Give it an id of its own',
      apply: (graph) => {
        const makeId = idMaker(graph)
        const first = graph.nodes.findIndex((each) => each.id === id)
        const nodes = graph.nodes.map((each, at) =>
          each.id === id && at > first ? { ...each, id: makeId(each.kind) } : each,
        )
        return finishEdit(graph, { ...graph, nodes }, catalog)
      },
    },
  ]
}

/** If the agent's port takes one wire and has it, a new wire would replace that one, which is not a fix. */
export function unwiredFixes(finding: FixableFinding): Fix[] {
  const { node, agent, catalog, graph } = finding
  if (node === undefined) return []
  const ports = agent && portsBetween(catalog, node.kind, agent.kind)
  const port = agent && kindOf(catalog, agent.kind)?.in.find(({ name }) => name === ports?.to)
  const isTaken =
    port?.many === false && graph.edges.some(({ to }) => to.node === agent?.id && to.port === port.name)
  return [...(isTaken ? [] : wiring(finding, node.id)), deleting(node.id)]
}

/** For a policy whose wires do not give it one clear scope. */
export function scopeFixes(finding: FixableFinding): Fix[] {
  const { diagnostic, node, drawing, agent, steps } = finding
  if (node === undefined || agent === undefined) return []
  const { entries } = targetsOf(drawing, node.id)
  const own = drawing.wiresFrom.get(node.id) ?? []
  const toAgent = own.filter(({ to }) => to.node === agent.id)
  const toEntries = own.filter(({ to }) => to.node !== agent.id)
  if (diagnostic.code === 'policy_unscoped') {
    if (toAgent.length > 0) return [cutting(toEntries, 'Remove the wires to the tools')]
    return [rewiring(finding, toEntries)]
  }
  if (diagnostic.code === 'scope_empty') {
    const blank = new Set(entries.filter((each) => isBlank(finding, each.id)).map(({ id }) => id))
    const wires = toEntries.filter(({ to }) => blank.has(to.node))
    const isLast = wires.length === own.length
    return isLast ? [rewiring(finding, toEntries)] : [cutting(wires, 'Remove the wire to it')]
  }
  if (steps[0] === appliesToKey)
    return [
      {
        label: 'Clear “Applies to”',
        apply: (graph, catalog) => patchConfig(graph, node.id, { [appliesToKey]: undefined }, catalog),
      },
      rewiring(finding, toEntries, 'Keep the names, wire it to the agent'),
    ]
  return [cutting(toAgent, 'Keep it on these tools only'), cutting(toEntries, 'Let it cover every tool')]
}

function isBlank({ drawing, catalog }: FixableFinding, id: string): boolean {
  const entry = drawing.byId.get(id)
  const kind = entry && kindOf(catalog, entry.kind)
  return entry === undefined || kind === undefined || globsOf(entry.config, kind).length === 0
}

/** For a tool in several places: keep one of its wires. */
export function placeFixes({ node, drawing, catalog }: FixableFinding): Fix[] {
  if (node === undefined) return []
  const own = (drawing.wiresFrom.get(node.id) ?? []).filter(({ to }) => drawing.live.has(to.node))
  return own.flatMap((kept): Fix[] => {
    const place = drawing.byId.get(kept.to.node)
    if (place === undefined) return []
    const others = own.filter((each) => each !== kept)
    return [cutting(others, `Keep the wire to ${nameOf(catalog, place)}`)]
  })
}

function cutting(wires: readonly GraphEdge[], label: string): Fix {
  return { label, apply: (graph, catalog) => disconnect(graph, wires, catalog) }
}

/**
 * Moves the wires from the entries to the agent in one edit, so that the policy is never unwired in between.
 */
function rewiring(
  { node, agent, catalog }: FixableFinding,
  wires: readonly GraphEdge[],
  label = 'Wire it to the agent',
): Fix {
  return {
    label,
    apply: (graph) => {
      const ports = node && agent && portsBetween(catalog, node.kind, agent.kind)
      if (node === undefined || agent === undefined || ports === undefined) return leaveUnchanged(graph)
      const gone = new Set(wires.map(({ to }) => to.node))
      const bare = {
        ...graph,
        edges: graph.edges.filter(({ from, to }) => from.node !== node.id || !gone.has(to.node)),
      }
      return connect(bare, { node: node.id, port: ports.from }, { node: agent.id, port: ports.to }, catalog)
    },
  }
}
