'use client'
/** The head of the chat: in the top bar, or above the chat where that is the whole page. */
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { ButtonLink, IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { BarRule, TopBarSlot, useBarMenu } from '#components/ui/top-bar-slot'
import { lineOf } from '#lib/spec/line'
import styles from './chat.module.css'
import type { ChatAgent } from './chat-agent'
import { ShareLink } from './share-link'

export interface ChatHeadProps {
  readonly agent: ChatAgent
  /** Opens the list of threads; null where it is always shown. */
  readonly onThreads: (() => void) | null
}

export function ChatHead({ agent, onThreads }: ChatHeadProps) {
  const name = (
    <>
      {onThreads !== null && (
        <IconButton icon="panel-left" label="Threads" aria-haspopup="dialog" onClick={onThreads} />
      )}
      <span className={styles.barTitle} title={lineOf(agent.title)}>
        <Line text={agent.title} />
      </span>
    </>
  )
  if (!agent.isBare) return <InBar agent={agent}>{name}</InBar>
  return (
    <header className={styles.head}>
      {name}
      {!agent.hasKey && <ShareLink agentId={agent.id} />}
    </header>
  )
}

function InBar({ agent: { id }, children }: { agent: ChatAgent; children: ReactNode }) {
  const router = useRouter()
  const builder = `/agents/${encodeURIComponent(id)}`
  const bare = `${builder}/talk`
  useBarMenu([
    { label: 'Open in the builder', icon: 'waypoints', run: () => router.push(builder) },
    { label: 'Open without the admin bar', icon: 'maximize', run: () => router.push(bare) },
  ])
  return (
    <>
      <TopBarSlot at="start">
        <BarRule />
        {children}
      </TopBarSlot>
      <TopBarSlot at="end">
        <span className={styles.links}>
          <ButtonLink href={bare} icon="maximize">
            Open without the admin bar
          </ButtonLink>
          <ButtonLink href={builder} icon="waypoints">
            Builder
          </ButtonLink>
        </span>
      </TopBarSlot>
    </>
  )
}
