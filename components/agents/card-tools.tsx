'use client'
/** What can be done with an agent in the list: run, chat, and a menu with the rest. */
import { useGoTo } from '#components/commands/use-go-to'
import { ButtonLink } from '#components/ui/button'
import { Menu } from '#components/ui/menu'
import type { AgentSummary } from '#lib/wire/agents'
import styles from './card-tools.module.css'
import { labelOf } from './find-agents'
import type { AgentActions } from './use-agent-actions'

export function CardTools({ agent, actions }: { agent: AgentSummary; actions: AgentActions }) {
  const title = labelOf(agent)
  const at = `/agents/${encodeURIComponent(agent.id)}`
  const goTo = useGoTo()
  const items = [
    { label: 'Insights', icon: 'chart-column', run: () => goTo(`${at}/insights`) },
    { label: 'Duplicate', icon: 'copy', run: () => void actions.duplicate(agent) },
    ...(agent.runnable
      ? [{ label: 'Export JSON', icon: 'download', run: () => actions.exportFile(agent) }]
      : []),
    { label: 'Delete', icon: 'trash-2', danger: true, run: () => void actions.remove(agent) },
  ]
  return (
    <div className={styles.tools} role="group" aria-label={`Actions for ${title}`}>
      {agent.runnable && (
        <>
          <ButtonLink size="s" href={`${at}#ask`} label={`Run ${title}`} icon="play">
            Run
          </ButtonLink>
          <ButtonLink size="s" href={`${at}/chat`} label={`Chat with ${title}`} icon="message-square">
            Chat
          </ButtonLink>
        </>
      )}
      <Menu label={`More for ${title}`} size="s" items={items} />
    </div>
  )
}
