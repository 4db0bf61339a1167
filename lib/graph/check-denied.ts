/** Warns where allowing a tool has no effect because it is denied, and where the policies leave no tool at all. */
import type { Diagnostic } from '#lib/spec/errors'
import { globMatcher, matchesAny } from '#lib/spec/glob'
import type { GraphNode } from '#lib/spec/graph'
import { isWithinWeight } from './check-weight'
import type { Drawing } from './drawing'
import { textsOf } from './equal'
import { kindOf, toolsOf } from './kinds'
import { globsOf } from './scope'
import { rulePolicies } from './tool-rules'

export function checkDenied(drawing: Drawing): Diagnostic[] {
  const policies = [...drawing.lists.values()].flat().filter(({ kind }) => kind === rulePolicies.never)
  if (policies.length === 0 || !isWithinWeight(drawing)) return []
  const tools = toolsIn(drawing)
  const denials = policies.flatMap(({ config }) => textsOf(config.deny))
  const denied = new Set(tools.names.filter((name) => matchesAny(denials, name)))
  const isLeft = (name: string) =>
    !denied.has(name) &&
    policies.every(({ config }) => {
      const allow = textsOf(config.allow)
      return allow.length === 0 || matchesAny(allow, name)
    })
  const found = policies.flatMap((policy) => checkAllowed(drawing, policy, { names: tools.names, denied }))
  if (tools.isOpen || tools.names.length === 0 || tools.names.some(isLeft)) return found
  const agent = drawing.agents[0]
  const message =
    'The policies deny every tool of this agent, so it can only answer in words. Allow a tool, or remove the tools.'
  return [
    ...found,
    {
      severity: 'warning',
      code: 'tools_denied',
      message,
      path: 'agent',
      ...(agent && { node: agent.id }),
    },
  ]
}

/** The names of all tools of the agent; `isOpen` when some are found only at run time. */
function toolsIn({ toolEntries, catalog }: Drawing): { names: string[]; isOpen: boolean } {
  const names = new Set<string>()
  let isOpen = false
  for (const node of toolEntries) {
    const kind = kindOf(catalog, node.kind)
    if (kind === undefined) continue
    const globs = globsOf(node.config, kind)
    const known = toolsOf(catalog, kind.use ?? '')
    for (const { name } of known ?? []) if (matchesAny(globs, name)) names.add(name)
    if (known === undefined && kind.scope?.name !== undefined) for (const name of globs) names.add(name)
    isOpen ||= known === undefined && kind.scope?.name === undefined
  }
  return { names: [...names], isOpen }
}

/** One warning for each pattern that allows only tools that are denied. */
function checkAllowed(
  { paths }: Drawing,
  { id, config }: GraphNode,
  { names, denied }: { names: readonly string[]; denied: ReadonlySet<string> },
): Diagnostic[] {
  return textsOf(config.allow).flatMap((glob, index): Diagnostic[] => {
    const matched = names.filter(globMatcher(glob))
    if (matched.length === 0 || !matched.every((name) => denied.has(name))) return []
    const message = `“${glob}” is allowed here, but every tool that it names is denied, and a denial wins. Remove it here, or from “Deny”.`
    const place = { node: id, path: `${paths.get(id)}/allow/${index}` }
    return [{ severity: 'warning', code: 'allow_denied', message, ...place }]
  })
}
