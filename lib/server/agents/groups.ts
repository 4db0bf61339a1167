/** The groups of a config as a run uses them, and the tool that switches them. */
import type { AgentConfig } from '#lib/spec/config'
import type { BoundGroup, BoundTool } from '#lib/spec/toolkit'
import { bindTool } from '#lib/toolkits/entry'
import { equip } from '#lib/tools/equip'

export function bindGroups({ groups }: Pick<AgentConfig, 'groups'>): readonly BoundGroup[] {
  return groups.map((each, index) => ({ ...each, node: `groups/${index}` }))
}

/** Adds `tools.equip` after the agent's own tools, when it has groups. */
export function withEquip(tools: readonly BoundTool[], groups: readonly BoundGroup[]): readonly BoundTool[] {
  if (groups.length === 0) return tools
  return [...tools, bindTool(equip(groups), { use: 'builtin', preset: {} }, 'agent')]
}
