'use client'
/** The layout of the chat: the list of threads, the dialogue and the composer, with the keys of all three. */
import { useRouter } from 'next/navigation'
import { useEffect, useMemo, useRef } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { samplesOf, titleOf } from '#components/dialogue/sample-questions'
import { drawnModel } from '#components/models/drawn'
import { isDemo, isScripted } from '#components/models/entry'
import { useRunActions } from '#components/run/run-context'
import { ButtonLink } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import { BarRule, TopBarSlot } from '#components/ui/top-bar-slot'
import type { Catalog } from '#lib/spec/catalog'
import type { AgentView } from '#lib/wire/agents'
import styles from './chat.module.css'
import type { ChatAgent } from './chat-agent'
import { ChatComposer } from './chat-composer'
import { ChatDialogue } from './chat-dialogue'
import { ThreadsRail } from './threads-rail'
import { type Chat, useChat } from './use-chat'

export function ChatRegions({ agent, catalog }: { agent: AgentView; catalog: Catalog }) {
  const known = useMemo(() => chatAgent(agent, catalog), [agent, catalog])
  const chat = useChat(known)
  const builder = `/agents/${encodeURIComponent(agent.id)}`
  useChatCommands(chat, builder)
  return (
    <main className={styles.chat}>
      <TopBarSlot at="start">
        <BarRule />
        <span className={styles.barTitle} title={known.title}>
          {known.title}
        </span>
      </TopBarSlot>
      <TopBarSlot at="end">
        <ButtonLink href={builder} icon="waypoints">
          Builder
        </ButtonLink>
      </TopBarSlot>
      <h1 className={shared.unseen}>Chat with {known.title}</h1>
      <ThreadsRail chat={chat} />
      <section className={styles.main} aria-label="Chat">
        <ChatDialogue chat={chat} agent={known} />
        <ChatComposer chat={chat} agent={known} />
      </section>
    </main>
  )
}

function chatAgent({ id, graph, config, diagnostics }: AgentView, catalog: Catalog): ChatAgent {
  const model = drawnModel(graph, catalog)
  const errors = diagnostics.filter((each) => each.severity === 'error').length
  const description = graph.nodes.find((each) => each.kind === 'agent')?.config.description
  return {
    id,
    title: titleOf(graph, catalog),
    description: typeof description === 'string' ? description : '',
    hindrance: config === null ? hindranceOf(errors) : undefined,
    samples: samplesOf(graph, catalog),
    script: model === null || !isScripted(model) ? null : isDemo(model) ? 'demo' : 'turns',
  }
}

function hindranceOf(errors: number): string {
  return errors === 1
    ? 'An error stands in its drawing. Mend it in the builder first.'
    : `${errors} errors stand in its drawing. Mend them in the builder first.`
}

function useChatCommands(chat: Chat, builder: string): void {
  const router = useRouter()
  const { cancel } = useRunActions()
  const latest = useRef(chat)
  useEffect(() => {
    latest.current = chat
  })
  const commands = useMemo<readonly Command[]>(
    () => [
      {
        id: 'chat.stop',
        label: 'Stop the answer',
        group: 'Run',
        icon: 'square',
        keys: ['Escape'],
        rank: 'stop',
        whileTyping: true,
        canRun: () => latest.current.isBusy,
        run: () => void cancel(),
      },
      {
        id: 'chat.new',
        label: 'New thread',
        group: 'Chat',
        icon: 'square-pen',
        keys: ['N'],
        run: () => {
          latest.current.startOver()
          document.getElementById('question')?.focus()
        },
      },
      {
        id: 'chat.write',
        label: 'Write a question',
        group: 'Chat',
        icon: 'message-square',
        keys: ['/'],
        run: () => document.getElementById('question')?.focus(),
      },
      {
        id: 'chat.builder',
        label: 'Open the agent in the builder',
        group: 'Go to',
        icon: 'waypoints',
        run: () => router.push(builder),
      },
    ],
    [cancel, router, builder],
  )
  useCommands(commands)
}
