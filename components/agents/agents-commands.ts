/** The commands of the agents page; commands on a single agent apply to the card that has the focus. */
import type { Command } from '#components/commands/commands'
import type { AgentSummary } from '#lib/wire/agents'
import type { AgentsTouched } from './use-agent-actions'

export interface AgentsPlace {
  find(): void
  make(): void
  choose(): void
  go(href: string): void
  touched(): AgentsTouched
  agents(): readonly AgentSummary[]
}

const group = 'Agents'

export function agentCommands({ find, make, choose, go, touched, agents }: AgentsPlace): readonly Command[] {
  const focused = () => {
    const id = document.activeElement?.closest('[data-agent]')?.getAttribute('data-agent')
    return agents().find((each) => each.id === id)
  }
  const ofCard = (
    command: Pick<Command, 'id' | 'label' | 'icon' | 'keys'>,
    run: (agent: AgentSummary) => void,
    can: (agent: AgentSummary) => boolean = () => true,
  ): Command => ({
    ...command,
    group,
    isUnlisted: true,
    canRun: () => {
      const agent = focused()
      return agent !== undefined && can(agent)
    },
    run: () => {
      const agent = focused()
      if (agent !== undefined) run(agent)
    },
  })
  const at = ({ id }: AgentSummary) => `/agents/${encodeURIComponent(id)}`
  const isRunnable = ({ runnable }: AgentSummary) => runnable
  return [
    { id: 'agents.find', label: 'Find an agent', group, icon: 'search', keys: ['/'], run: find },
    { id: 'agents.new', label: 'New agent', group, icon: 'plus', keys: ['N'], run: make },
    { id: 'agents.import', label: 'Import agents from files', group, icon: 'upload', run: choose },
    {
      id: 'agents.undo-delete',
      label: 'Restore the deleted agent',
      group,
      icon: 'undo-2',
      keys: ['Mod+Z'],
      canRun: () => touched().removed.size > 0,
      run: () => {
        const { removed, actions } = touched()
        const last = [...removed.keys()].filter((id) => !actions.isComing(id)).at(-1)
        if (last !== undefined) void actions.bringBack(last)
      },
    },
    ofCard(
      { id: 'agent.run', label: 'Run the agent of the card', icon: 'play', keys: ['R'] },
      (agent) => go(`${at(agent)}#ask`),
      isRunnable,
    ),
    ofCard(
      { id: 'agent.chat', label: 'Chat with the agent of the card', icon: 'message-square', keys: ['C'] },
      (agent) => go(`${at(agent)}/chat`),
      isRunnable,
    ),
    ofCard(
      { id: 'agent.duplicate', label: 'Duplicate the agent of the card', icon: 'copy', keys: ['Mod+D'] },
      (agent) => void touched().actions.duplicate(agent),
    ),
    ofCard(
      { id: 'agent.export', label: 'Export the agent of the card', icon: 'download', keys: ['E'] },
      (agent) => touched().actions.exportFile(agent),
      isRunnable,
    ),
    ofCard(
      { id: 'agent.delete', label: 'Delete the agent of the card', icon: 'trash-2', keys: ['Delete'] },
      (agent) => void touched().actions.remove(agent),
    ),
  ]
}
