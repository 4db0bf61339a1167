'use client'
/**
 * The composer of the chat, with a note below it: what keeps a question from being sent, or that no AI model
 * answers.
 */
import Link from 'next/link'
import { useId, useState } from 'react'
import { dropOf } from '#components/dialogue/attach-files'
import { Composer } from '#components/dialogue/composer'
import { MockHint } from '#components/dialogue/mock-hint'
import { scriptWords } from '#components/dialogue/script-words'
import shared from '#components/ui/shared.module.css'
import { lineOf } from '#lib/spec/line'
import type { ChatAgent } from './chat-agent'
import styles from './chat-composer.module.css'
import type { Chat } from './use-chat'

export function ChatComposer({ chat, agent }: { chat: Chat; agent: ChatAgent }) {
  const [isOver, setOver] = useState(false)
  const hintId = useId()
  const { dialogue, runs } = chat
  const hindrance = agent.hindrance ?? dialogue.fileHindrance
  return (
    <div className={styles.place} {...dropOf(dialogue.acts.giveFiles, setOver)}>
      <Composer
        dialogue={dialogue}
        place="page"
        placeholder={chat.threadId === null ? `Ask ${lineOf(agent.title)}` : 'Ask a follow-up'}
        send={{ label: 'Send', icon: 'arrow-up', keys: '↵', alwaysShowsKeys: true }}
        wantsFocus={() => true}
        id="question"
        describedBy={hintId}
        lastQuestion={runs.at(-1)?.input}
        isOver={isOver}
      />
      {!agent.hasKey && !agent.isBare && <MockHint agentId={agent.id} className={styles.hint} />}
      <p id={hintId} className={styles.hint}>
        {hindrance ?? (agent.script !== null && scriptWords[agent.script])}{' '}
        {agent.hindrance !== undefined && !agent.isBare && (
          <Link className={shared.link} href={`/agents/${encodeURIComponent(agent.id)}`}>
            Open in the builder
          </Link>
        )}
        {hindrance === undefined && agent.script !== null && !agent.isBare && (
          <Link className={shared.link} href={settingsFrom(agent.id)}>
            Use a real model
          </Link>
        )}
      </p>
    </div>
  )
}

function settingsFrom(agentId: string): string {
  return `/settings?back=${encodeURIComponent(`/agents/${agentId}/chat`)}#models`
}
