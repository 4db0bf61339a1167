'use client'
/** Gives the address of this page to other people, and says what they need to open it. */
import Link from 'next/link'
import { useEffect, useRef, useState } from 'react'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Popover } from '#components/ui/popover'
import shared from '#components/ui/shared.module.css'
import styles from './share-link.module.css'

export function ShareLink({ agentId }: { agentId: string }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={button}
        variant="quiet"
        icon="link"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Share
      </Button>
      {isOpen && (
        <Popover anchor={button} width={320} onClose={() => setOpen(false)}>
          <Panel
            agentId={agentId}
            onClose={() => {
              setOpen(false)
              button.current?.focus()
            }}
          />
        </Popover>
      )}
    </>
  )
}

function Panel({ agentId, onClose }: { agentId: string; onClose(): void }) {
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector('button')?.focus(), [])
  // The thread belongs to the person who began it; what is shared is the agent.
  const { origin, pathname } = window.location
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Share this page"
      className={styles.panel}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <code className={styles.link}>{origin + pathname}</code>
      <CopyButton isWide label="Copy the link" text={() => origin + pathname} />
      <p className={styles.note}>
        People need this server’s access token to open this page. To let them talk to the agent without it,{' '}
        <Link className={shared.link} href={`/agents/${encodeURIComponent(agentId)}/connect`}>
          make a key
        </Link>{' '}
        and send its link.
      </p>
    </div>
  )
}
