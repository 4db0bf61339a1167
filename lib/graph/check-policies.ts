/** Checks how policies are wired, and whether their patterns name anything. */
import type { Diagnostic } from '#lib/spec/errors'
import { matchesGlob } from '#lib/spec/glob'
import type { GraphNode } from '#lib/spec/graph'
import { appliesToKey, type NodeKind } from '#lib/spec/kind'
import { type Drawing, targetsOf } from './drawing'
import { textsOf } from './equal'
import { kindOf, nameOf, toolNames, toolsOf } from './kinds'
import { globsOf, typedGlobs } from './scope'

export function checkPolicies(drawing: Drawing): Diagnostic[] {
  const names = knownNames(drawing)
  const policies = [...drawing.lists.values()].flat().flatMap((node) => {
    const kind = kindOf(drawing.catalog, node.kind)
    return kind?.out === 'policy' ? [{ node, kind, path: drawing.paths.get(node.id) ?? '' }] : []
  })
  return [
    ...policies.flatMap((policy) => checkScope(drawing, policy)),
    ...policies.flatMap((policy) => checkPatterns(policy, names)),
    ...checkLast(policies),
  ]
}

interface PolicyNode {
  readonly node: GraphNode
  readonly kind: NodeKind
  readonly path: string
}

/** Where a policy is wired must say one thing. Shared with nothing: `normalize` mends only what is no question. */
function checkScope(drawing: Drawing, { node, kind, path }: PolicyNode): Diagnostic[] {
  const { agent, entries } = targetsOf(drawing, node.id)
  if (entries.length === 0) return []
  const fault = (code: string, message: string): Diagnostic => ({
    severity: 'error',
    code,
    message,
    node: node.id,
    path,
  })
  if (kind.scoped !== true) {
    return [
      fault('policy_unscoped', `${kind.label} always covers the whole run. Wire it to the agent instead.`),
    ]
  }
  const found: Diagnostic[] = []
  if (agent) {
    const message = `${kind.label} is wired to the agent, which covers every tool, and to single tool entries as well. Take one kind of wire away.`
    found.push(fault('scope_twice', message))
  }
  if (typedGlobs(node.config) !== undefined) {
    const message = `${kind.label} takes its scope from its wires and names tools in “Applies to” as well. Clear “Applies to”, or wire it to the agent.`
    found.push({ ...fault('scope_twice', message), path: `${path}/${appliesToKey}` })
  }
  for (const entry of entries) {
    const entryKind = kindOf(drawing.catalog, entry.kind)
    if (entryKind === undefined || globsOf(entry.config, entryKind).length > 0) continue
    const message = `${kind.label} is wired to ${nameOf(drawing.catalog, entry)} (${drawing.paths.get(entry.id)}), which names no tools yet. Choose its tools, or take the wire away.`
    found.push(fault('scope_empty', message))
  }
  return found
}

function checkPatterns({ node, kind, path }: PolicyNode, mayName: (glob: string) => boolean): Diagnostic[] {
  const keys = Object.entries(kind.schema.properties ?? {}).filter(([, each]) => each.format === 'globs')
  return keys.flatMap(([key]) =>
    textsOf(node.config[key]).flatMap((glob, index): Diagnostic[] => {
      if (mayName(glob)) return []
      const message = `${kind.label}: “${glob}” names no tool. Correct it, or take it out.`
      return [
        {
          severity: 'warning',
          code: 'glob_unmatched',
          message,
          node: node.id,
          path: `${path}/${key}/${index}`,
        },
      ]
    }),
  )
}

function checkLast(policies: readonly PolicyNode[]): Diagnostic[] {
  const last = new Map(policies.map((policy) => [policy.kind.kind, policy]))
  return policies.flatMap((policy): Diagnostic[] => {
    const deciding = last.get(policy.kind.kind)
    if (policy.kind.lastWins !== true || deciding === undefined || deciding === policy) return []
    const message = `Only the last ${policy.kind.label} counts, which is ${deciding.path}. This one does nothing: delete one of them.`
    return [
      { severity: 'warning', code: 'policy_overruled', message, node: policy.node.id, path: policy.path },
    ]
  })
}

/** Whether a pattern may name a tool of the catalog or of an entry, those found only at run time included. */
function knownNames(drawing: Drawing): (glob: string) => boolean {
  const names = new Set(toolNames(drawing.catalog))
  const open: string[] = []
  for (const node of drawing.toolEntries) {
    const kind = kindOf(drawing.catalog, node.kind)
    if (kind === undefined || toolsOf(drawing.catalog, kind.use ?? '') !== undefined) continue
    for (const glob of globsOf(node.config, kind)) {
      if (glob.includes('*')) open.push(headOf(glob))
      else names.add(glob)
    }
  }
  const all = [...names]
  const answers = new Map<string, boolean>()
  return (glob) => {
    const known = answers.get(glob)
    if (known !== undefined) return known
    const head = headOf(glob)
    const found =
      names.has(glob) ||
      (glob.includes('*') && all.some((name) => matchesGlob(glob, name))) ||
      open.some((other) => head.startsWith(other) || (glob.includes('*') && other.startsWith(head)))
    answers.set(glob, found)
    return found
  }
}

function headOf(glob: string): string {
  const star = glob.indexOf('*')
  return star < 0 ? glob : glob.slice(0, star)
}
