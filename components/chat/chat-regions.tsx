'use client'
/** The layout of the chat: the list of threads, the dialogue and the composer, with the keys of all three. */
import { useRouter } from 'next/navigation'
import { useMemo, useState } from 'react'
import type { Command } from '#components/commands/commands'
import { useCommands } from '#components/commands/commands-context'
import { useRunActions } from '#components/run/run-context'
import { Drawer } from '#components/ui/drawer'
import shared from '#components/ui/shared.module.css'
import { useLatest } from '#components/ui/use-latest'
import { oneColumn, useMedia } from '#components/ui/use-media'
import { usePageTitle } from '#components/ui/use-page-title'
import styles from './chat.module.css'
import type { ChatAgent } from './chat-agent'
import { ChatComposer } from './chat-composer'
import { ChatDialogue } from './chat-dialogue'
import { ChatHead } from './chat-head'
import { ThreadsRail } from './threads-rail'
import { type Chat, useChat } from './use-chat'

export function ChatRegions({ agent: known }: { agent: ChatAgent }) {
  usePageTitle(known.title)
  const chat = useChat(known)
  const isNarrow = useMedia(oneColumn)
  const [isListOpen, setListOpen] = useState(false)
  useChatCommands(chat, known)
  const closeList = () => setListOpen(false)
  return (
    <main className={styles.chat} data-bare={known.isBare || undefined}>
      <ChatHead agent={known} onThreads={isNarrow ? () => setListOpen(true) : null} />
      <h1 className={shared.unseen}>Chat with {known.title}</h1>
      {!isNarrow && <ThreadsRail chat={chat} agent={known} />}
      {isNarrow && isListOpen && (
        <Drawer label="Threads" onClose={closeList}>
          <ThreadsRail chat={chat} agent={known} onLeave={closeList} />
        </Drawer>
      )}
      <section className={styles.main} aria-label="Chat">
        <ChatDialogue chat={chat} agent={known} />
        <ChatComposer chat={chat} agent={known} />
      </section>
    </main>
  )
}

function useChatCommands(chat: Chat, agent: ChatAgent): void {
  const router = useRouter()
  const { cancel } = useRunActions()
  const latest = useLatest(chat)
  const { id, isBare, hasKey } = agent
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
      ...(hasKey ? [] : operatorCommands({ id, isBare }, (href) => router.push(href))),
    ],
    [cancel, router, id, isBare, hasKey],
  )
  useCommands(commands)
}

/** What leads to other pages of the product. */
function operatorCommands(
  { id, isBare }: Pick<ChatAgent, 'id' | 'isBare'>,
  goTo: (href: string) => void,
): readonly Command[] {
  return [
    {
      id: 'chat.builder',
      label: 'Open the agent in the builder',
      group: 'Go to',
      icon: 'waypoints',
      run: () => goTo(`/agents/${encodeURIComponent(id)}`),
    },
    {
      id: 'chat.bare',
      label: isBare ? 'Show the admin bar' : 'Open without the admin bar',
      group: 'Go to',
      icon: 'maximize',
      run: () => goTo(`/agents/${encodeURIComponent(id)}/${isBare ? 'chat' : 'talk'}`),
    },
  ]
}
