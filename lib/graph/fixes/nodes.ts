/** Fixes that add, switch or delete whole nodes. */
import { defaultModel } from '#lib/spec/config'
import type { JsonObject } from '#lib/spec/json'
import { finishEdit, keepItems, leaveUnchanged } from '../edit/edited'
import { addNode, setConfig, setParked } from '../edit/nodes'
import { removeNodes } from '../edit/remove'
import { connect, disconnect } from '../edit/wires'
import { kindOf, nameOf, portsBetween } from '../kinds'
import type { FixableFinding } from './finding'
import type { Fix } from './fix'

/** The model that answers when none is wired. */
export const demoModel: JsonObject = { provider: defaultModel.provider, name: defaultModel.name }

export function deleting(id: string, label = 'Delete it'): Fix {
  return { label, apply: (graph, catalog) => removeNodes(graph, [id], catalog) }
}

export function switching(id: string, isOff: boolean, label = isOff ? 'Switch it off' : 'Switch it on'): Fix {
  return { label, apply: (graph, catalog) => setParked(graph, [id], isOff, catalog) }
}

/** For a group without tools. */
export function emptyFixes({ node }: FixableFinding): Fix[] {
  return node === undefined ? [] : [deleting(node.id)]
}

export function agentFixes({ diagnostic, node, catalog }: FixableFinding): Fix[] {
  if (diagnostic.code === 'agent_missing') {
    const kind = catalog.kinds.find((each) => each.place.at === 'root')
    if (kind === undefined) return []
    return [{ label: 'Add an agent', apply: (graph) => addNode(graph, { kind: kind.kind }, catalog) }]
  }
  if (node === undefined) return []
  if (diagnostic.code === 'agent_several') return [deleting(node.id, 'Delete this agent')]
  return [
    {
      label: 'Switch it on',
      apply: (graph) =>
        finishEdit(graph, { ...graph, parked: keepItems(graph.parked, (id) => id !== node.id) }, catalog),
    },
  ]
}

/** An existing, unused model is offered before the demo model, which needs no key. */
export function modelFixes(finding: FixableFinding): Fix[] {
  const { drawing, catalog, agent } = finding
  const models = catalog.kinds.find((each) => each.out === 'model')
  if (agent === undefined || models === undefined) return []
  const spare = drawing.parked.find(({ node }) => node.kind === models.kind)
  const demo: Fix = {
    label: 'Use the scripted demo model',
    apply: (graph) => {
      const wired = drawing.objects.get('model')?.[0]
      const config = demoModel
      if (wired === undefined) return addNode(graph, { kind: models.kind, config, wire: true }, catalog)
      return setConfig(graph, wired.id, config, catalog)
    },
  }
  if (finding.diagnostic.code !== 'model_missing' || spare === undefined) return [demo]
  const name = nameOf(catalog, spare.node)
  if (spare.why === 'disabled') return [usingAgain(finding, spare.node.id, name)]
  return [...wiring(finding, spare.node.id, `Connect the ${name.toLowerCase()}`), demo]
}

/** A node without its wire needs that too, or it would still be unwired. */
function usingAgain(finding: FixableFinding, id: string, name: string): Fix {
  const isWired = finding.graph.edges.some(
    ({ from, to }) => from.node === id && to.node === finding.agent?.id,
  )
  const [wire] = isWired ? [] : wiring(finding, id)
  const order = `Switch the ${name.toLowerCase()} on`
  const label = wire === undefined ? order : `${order} and wire it`
  return {
    label,
    apply: (graph, catalog) => {
      const on = setParked(graph, [id], false, catalog)
      if (wire === undefined) return on
      const wired = wire.apply(on.graph, catalog)
      return { ...wired, notes: [...on.notes, ...wired.notes] }
    },
  }
}

/** A wire to the agent, where one fits. */
export function wiring(
  { drawing, catalog, agent }: FixableFinding,
  id: string,
  label = 'Wire it to the agent',
): Fix[] {
  const node = drawing.byId.get(id)
  const ports = node && agent && portsBetween(catalog, node.kind, agent.kind)
  if (agent === undefined || ports === undefined) return []
  return [
    {
      label,
      apply: (graph) =>
        connect(graph, { node: id, port: ports.from }, { node: agent.id, port: ports.to }, catalog),
    },
  ]
}

/** For one of two nodes where the agent takes one. */
export function extraFixes({ node, agent }: FixableFinding): Fix[] {
  if (node === undefined || agent === undefined) return []
  const { id } = node
  return [
    {
      label: 'Remove this one’s wire',
      apply: (graph, catalog) => {
        const wires = graph.edges.filter(({ from, to }) => from.node === id && to.node === agent.id)
        return disconnect(graph, wires, catalog)
      },
    },
    switching(id, true),
  ]
}

export function kindFixes({ node }: FixableFinding): Fix[] {
  return node === undefined ? [] : [switching(node.id, true), deleting(node.id)]
}

export function parkedFixes({ node }: FixableFinding): Fix[] {
  return node === undefined ? [] : [switching(node.id, false), deleting(node.id)]
}

/** Entries beyond the limit of a list are kept, but switched off. */
export function lengthFixes({ drawing, node, catalog }: FixableFinding): Fix[] {
  const place = node && kindOf(catalog, node.kind)?.place
  const list = place?.at === 'list' ? (drawing.lists.get(place.key) ?? []) : []
  const first = list.findIndex((each) => each.id === node?.id)
  if (first < 0) return []
  const ids = list.slice(first).map(({ id }) => id)
  const label = ids.length === 1 ? 'Switch the last one off' : `Switch the last ${ids.length} off`
  return [
    {
      label,
      apply: (graph) => (ids.length === 0 ? leaveUnchanged(graph) : setParked(graph, ids, true, catalog)),
    },
  ]
}
