/** The groups of a config as a run uses them, and the tool that switches them. */
import { offer } from '#lib/agent/request/offer'
import type { AgentConfig } from '#lib/spec/config'
import type { BoundPolicy } from '#lib/spec/policy'
import type { BoundGroup, BoundTool } from '#lib/spec/toolkit'
import { bindTool } from '#lib/toolkits/entry'
import { equip } from '#lib/tools/equip'

export function bindGroups({ groups }: Pick<AgentConfig, 'groups'>): readonly BoundGroup[] {
  return groups.map((each, index) => ({ ...each, node: `groups/${index}` }))
}

/** Adds `tools.equip` after the agent's own tools, when it has groups that are of use. */
export function withEquip(
  tools: readonly BoundTool[],
  groups: readonly BoundGroup[],
  policies: readonly BoundPolicy[],
): readonly BoundTool[] {
  const usable = groups.filter((group) => isOfUse(group, tools, policies))
  if (usable.length === 0) return tools
  return [...tools, bindTool(equip(usable), { use: 'builtin', preset: {} }, 'agent')]
}

/** Switching on a group whose tools are all denied would change nothing. */
function isOfUse(
  { name }: BoundGroup,
  tools: readonly BoundTool[],
  policies: readonly BoundPolicy[],
): boolean {
  const members = tools.filter(({ group }) => group === name)
  return members.length === 0 || offer(members, policies).offered.length > 0
}
