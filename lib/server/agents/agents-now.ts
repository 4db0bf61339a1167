/** The tools of a config with its sub-agents as they are now, for what a person reads of it outside a run. */
import { offerOf } from '#lib/agent/request/offering'
import type { NamedAgent } from '#lib/spec/agents-port'
import type { RunAgent } from '#lib/spec/run-agents'
import type { ToolPorts } from '#lib/spec/tool'
import { agent } from '#lib/toolkits/agent'
import { listEntry } from '#lib/toolkits/entry'
import { agentsPort, type ChildRuns } from '../runs/child-runs'
import type { Assembled } from './assemble'
import { type FoundAgent, reachAgents } from './reach-agents'

interface AgentsNow extends Omit<ChildRuns, 'agents' | 'folder' | 'ports' | 'report'> {
  find(named: NamedAgent): FoundAgent
  readonly shared: Omit<ToolPorts, 'agents'>
}

/** The ports through which an agent reaches the agents that it can call now. */
export function portsNow(
  { find, shared, ...context }: AgentsNow,
  { config }: Pick<Assembled, 'config'>,
): ToolPorts {
  const { agents } = reachAgents({ name: config.name, config }, find)
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
export async function withAgentsNow(assembled: Assembled, ports: ToolPorts): Promise<Assembled> {
  const { config, tools, codec } = assembled
  if (tools.every(({ source }) => source !== agent.id)) return assembled
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
