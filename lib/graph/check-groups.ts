/** Checks groups of tools: names that clash, groups without tools, and tools in several places at once. */
import type { Diagnostic } from '#lib/spec/errors'
import type { GraphNode } from '#lib/spec/graph'
import { basicGroup } from '#lib/spec/group'
import { type Drawing, targetsOf } from './drawing'
import { kindOf, nameOf, outPort } from './kinds'

/** The group that a tool entry is wired to. */
export function groupOf(drawing: Drawing, node: GraphNode): GraphNode | undefined {
  return groupsOf(drawing, node)[0]
}

function groupsOf(drawing: Drawing, node: GraphNode): GraphNode[] {
  if (outPort(drawing.catalog, node.kind) !== 'tool') return []
  return targetsOf(drawing, node.id).entries.filter(({ kind }) => isGroup(drawing, kind))
}

function isGroup({ catalog }: Drawing, kind: string): boolean {
  return kindOf(catalog, kind)?.out === 'group'
}

export function checkGroups(drawing: Drawing): Diagnostic[] {
  const groups = [...drawing.lists.values()].flat().filter(({ kind }) => isGroup(drawing, kind))
  return [...checkNames(drawing, groups), ...checkEmpty(drawing, groups), ...checkWires(drawing)]
}

function checkNames({ paths }: Drawing, groups: readonly GraphNode[]): Diagnostic[] {
  const known = new Set<unknown>()
  return groups.flatMap(({ id, config: { name } }): Diagnostic[] => {
    const isTwice = known.has(name)
    known.add(name)
    const place = { severity: 'error' as const, node: id, path: `${paths.get(id)}/name` }
    if (name === basicGroup) {
      const message = `“${basicGroup}” is the group of all tools that are in no other, and it is always active. Choose another name.`
      return [{ ...place, code: 'group_reserved', message }]
    }
    if (!isTwice) return []
    return [
      {
        ...place,
        code: 'group_twice',
        message: `Another group is named “${name}” as well. Rename one of them.`,
      },
    ]
  })
}

function checkEmpty(drawing: Drawing, groups: readonly GraphNode[]): Diagnostic[] {
  const filled = new Set(drawing.toolEntries.flatMap((node) => groupsOf(drawing, node)))
  return groups
    .filter((node) => !filled.has(node))
    .map((node) => ({
      severity: 'info',
      code: 'group_empty',
      message: `The group ${nameOf(drawing.catalog, node)} has no tools. Wire tools to it, or delete it.`,
      node: node.id,
      path: drawing.paths.get(node.id),
    }))
}

/** A tool is in one place: wired to the agent, or to one group. */
function checkWires(drawing: Drawing): Diagnostic[] {
  return drawing.toolEntries.flatMap((node): Diagnostic[] => {
    const count = groupsOf(drawing, node).length + (targetsOf(drawing, node.id).agent ? 1 : 0)
    if (count < 2) return []
    const message = `${nameOf(drawing.catalog, node)} is wired to several places. Keep the wire to the agent or to one group.`
    const place = { node: node.id, path: drawing.paths.get(node.id) }
    return [{ severity: 'error', code: 'tool_placed_twice', message, ...place }]
  })
}
