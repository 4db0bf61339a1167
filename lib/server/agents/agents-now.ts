/** The tools of a config with its sub-agents as they are now, for what a person reads of it outside a run. */
import { offerOf } from '#lib/agent/request/offering'
import type { RunAgent } from '#lib/spec/run-agents'
import type { AgentStore } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import { agent } from '#lib/toolkits/agent'
import { listEntry } from '#lib/toolkits/entry'
import { agentsPort, type ChildRuns } from '../runs/child-runs'
import type { Assembled } from './assemble'
import { findAgent } from './find-agent'
import { reachAgents } from './reach-agents'

interface AgentsNow extends Omit<ChildRuns, 'agents' | 'folder' | 'ports' | 'report'> {
  readonly store: AgentStore
  readonly shared: Omit<ToolPorts, 'agents'>
}

/** The ports through which an agent reaches the agents that it can call now. */
export function portsNow(
  { store, shared, ...context }: AgentsNow,
  { config }: Pick<Assembled, 'config'>,
): ToolPorts {
  const { agents } = reachAgents({ name: config.name, config }, (named) => findAgent(store, named))
  const known = new Map(agents.map((each): [string, RunAgent] => [each.key, each]))
  const port = agentsPort({
    ...context,
    agents: () => known,
    folder: [],
    ports: () => shared,
    report: () => undefined,
  })
  return { ...shared, agents: port }
}

/** A sub-agent that cannot be called has no tool; a finding says why. */
export async function withAgentsNow(context: AgentsNow, assembled: Assembled): Promise<Assembled> {
  const { config, tools, codec } = assembled
  if (tools.every(({ source }) => source !== agent.id)) return assembled
  const ports = portsNow(context, assembled)
  const now = await Promise.all(
    tools.map(async (tool) => {
      const index = Number(tool.node.split('/')[1])
      const entry = tool.source === agent.id ? config.tools[index] : undefined
      if (entry === undefined) return [tool]
      const listed = await listEntry({ toolkit: agent, entry, index }, ports)
      return listed?.bound() ?? [tool]
    }),
  )
  const all = now.flat()
  return { ...assembled, tools: all, codec: codec.over(offerOf({ ...assembled, tools: all }).offered) }
}
