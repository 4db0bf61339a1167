/** Checks a drawing and explains what is wrong, or worth knowing, and what to do about it. */
import type { Catalog } from '#lib/spec/catalog'
import type { Diagnostic } from '#lib/spec/errors'
import { type GraphDocument, type GraphNode, mostDrawn } from '#lib/spec/graph'
import { checkDenied } from './check-denied'
import { checkGroups } from './check-groups'
import { checkParameters } from './check-parameters'
import { checkPolicies } from './check-policies'
import { checkSkills } from './check-skills'
import { checkTools } from './check-tools'
import { checkWeight } from './check-weight'
import { type Drawing, readDrawing } from './drawing'
import { isAgent, kindOf, nameOf, outPort } from './kinds'
import { globsOf } from './scope'
import { problemsOf } from './validate'

/** Errors first, then warnings, then infos; each in the order of the config. */
export function check(graph: GraphDocument, catalog: Catalog): Diagnostic[] {
  return checkDrawing(readDrawing(graph, catalog))
}

export function checkDrawing(drawing: Drawing): Diagnostic[] {
  const all = [
    ...checkAgent(drawing),
    ...drawing.faults,
    ...checkObjects(drawing),
    ...checkConfigs(drawing),
    ...checkLengths(drawing),
    ...checkWeight(drawing),
    ...checkTools(drawing),
    ...checkGroups(drawing),
    ...checkSkills(drawing),
    ...checkParameters(drawing),
    ...checkPolicies(drawing),
    ...checkDenied(drawing),
    ...checkParked(drawing),
  ]
  const rank = { error: 0, warning: 1, info: 2 }
  return cutOff(all.sort((a, b) => rank[a.severity] - rank[b.severity]))
}

/** The same number as of nodes. More findings would not help a reader, and are costly to send. */
const mostFindings = mostDrawn.nodes

function cutOff(sorted: Diagnostic[]): Diagnostic[] {
  const more = sorted.length - mostFindings
  if (more <= 0) return sorted
  const message = `${more} further findings are not shown. Correct these first.`
  return [...sorted.slice(0, mostFindings), { severity: 'info', code: 'findings_cut', message }]
}

function checkAgent({ agents, graph, objects }: Drawing): Diagnostic[] {
  const [agent, ...others] = agents
  if (agent === undefined) {
    const message = 'There is no agent. Add one and wire the model, tools and policies to it.'
    return [{ severity: 'error', code: 'agent_missing', message }]
  }
  const found: Diagnostic[] = others.map((other) => ({
    severity: 'error',
    code: 'agent_several',
    message: 'A drawing holds one agent. Delete this one, or draw it as an agent of its own.',
    node: other.id,
  }))
  const off = new Set(graph.parked)
  if (off.has(agent.id)) {
    const message = 'The agent itself cannot be switched off. Switch it on again.'
    found.push({ severity: 'error', code: 'agent_parked', message, node: agent.id, path: 'agent' })
  }
  if (objects.get('model')?.length === 0) {
    const message = 'No model is connected, so the scripted demo answers. It is not AI.'
    found.push({ severity: 'info', code: 'model_missing', message, node: agent.id, path: 'agent' })
  }
  return found
}

function checkObjects({ objects, catalog }: Drawing): Diagnostic[] {
  return [...objects].flatMap(([key, [, ...others]]) =>
    others.map((node): Diagnostic => {
      const label = kindOf(catalog, node.kind)?.label ?? key
      const message = `The agent takes one ${label.toLowerCase()}, and another is wired already. Remove one of the wires.`
      return { severity: 'error', code: `${key}_several`, message, node: node.id, path: key }
    }),
  )
}

/** Only live nodes are checked against their schemas; others may be unfinished. */
function checkConfigs({ graph, live, catalog, paths, byId }: Drawing): Diagnostic[] {
  return graph.nodes.flatMap((node): Diagnostic[] => {
    if (!live.has(node.id) || byId.get(node.id) !== node) return []
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined) {
      const message = `This server has no part “${node.kind}”. Switch the node off, delete it, or install the part.`
      return [{ severity: 'error', code: 'kind_unknown', message, node: node.id }]
    }
    const base = isAgent(kind) ? '' : (paths.get(node.id) ?? '')
    return problemsOf(node.config, kind.schema).map(({ path, message }) => ({
      severity: 'error',
      code: 'config_invalid',
      message: `${kind.label}: ${message}`,
      node: node.id,
      path: joinPath(base, path),
    }))
  })
}

function checkLengths({ lists, catalog }: Drawing): Diagnostic[] {
  return [...lists].flatMap(([key, nodes]): Diagnostic[] => {
    const most = catalog.schema.properties?.[key]?.maxItems
    const first = typeof most === 'number' ? nodes[most] : undefined
    if (first === undefined) return []
    const message = `An agent holds at most ${most} ${key}. Remove some.`
    return [{ severity: 'error', code: 'list_too_long', message, node: first.id, path: `${key}/${most}` }]
  })
}

function checkParked({ parked, catalog, paths }: Drawing): Diagnostic[] {
  return parked.flatMap(({ node, why }): Diagnostic[] => {
    const place = { node: node.id, path: paths.get(node.id) }
    const name = sentenceName(catalog, node)
    if (why === 'unwired') {
      const message = `${toolsNamed(catalog, node) ?? name} isn’t connected, so the agent can’t use it. Connect it, or delete it.`
      return [{ severity: 'info', code: 'node_unwired', message, ...place }]
    }
    if (outPort(catalog, node.kind) !== 'policy') return []
    const message = `${name} is switched off, so it has no effect. Switch it on, or delete it.`
    return [{ severity: 'warning', code: 'policy_off', message, ...place }]
  })
}

/** A part that offers one or two tools is known by them. */
function toolsNamed(catalog: Catalog, node: GraphNode): string | undefined {
  const kind = kindOf(catalog, node.kind)
  const globs = kind === undefined ? [] : globsOf(node.config, kind)
  return globs.length === 1 || globs.length === 2 ? globs.join(' and ') : undefined
}

function sentenceName(catalog: Catalog, node: GraphNode): string {
  const name = nameOf(catalog, node)
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

function joinPath(base: string, path: string): string {
  if (base === '') return path
  return path === '' ? base : `${base}/${path}`
}
