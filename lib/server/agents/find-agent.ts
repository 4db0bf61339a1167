/** Looks up an agent that another one calls, among the agents of this server. */
import type { NamedAgent } from '#lib/spec/agents-port'
import type { AgentStore } from '#lib/spec/store'
import type { FoundAgent } from './reach-agents'

export function findAgent(agents: AgentStore, { agent: name, version: wanted }: NamedAgent): FoundAgent {
  const agent = agents.byName(name)
  if (agent === undefined)
    return {
      code: 'agent_not_found',
      problem: `There is no agent “${name}” on this server. Create or import it, or choose another.`,
    }
  const ref = { id: agent.id, name: agent.name }
  if (wanted === 'draft') {
    const { config, configHash, origins } = agent
    if (config === null || configHash === null)
      return {
        code: 'agent_unfinished',
        problem: `The draft of ${name} has errors in its drawing. Fix them first.`,
      }
    return { agent: { ...ref, version: 'draft', configHash }, config, origins }
  }
  const number = wanted === 'published' ? agents.newestVersion(agent.id) : wanted
  const published = number === undefined ? undefined : agents.version(agent.id, number)
  if (number === undefined || published === undefined)
    return {
      code: 'agent_not_published',
      problem:
        number === undefined
          ? `${name} has no published version. Publish it, or use its draft.`
          : `${name} has no version ${number}. Choose one that is published, or use its draft.`,
    }
  const { config, configHash, origins } = published
  return { agent: { ...ref, version: number, configHash }, config, origins }
}
