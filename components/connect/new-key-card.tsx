'use client'
/** A key that was just made: its text, which is shown only now, and what to enter where. */
import { useEffect, useRef } from 'react'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { Line } from '#components/ui/line'
import styles from './connect.module.css'
import type { FreshKey } from './use-keys'
import { WayTexts } from './way-texts'
import { waysOf } from './ways'

interface NewKeyCardProps {
  readonly fresh: FreshKey
  readonly agent: { readonly id: string; readonly name: string }
  readonly url: string
  onClose(): void
}

export function NewKeyCard({ fresh, agent, url, onClose }: NewKeyCardProps) {
  const card = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key gets the focus
  useEffect(() => card.current?.focus(), [fresh.id])
  return (
    <section ref={card} tabIndex={-1} className={styles.fresh} aria-label={`The new key ${fresh.name}`}>
      <h3>
        <Line text={fresh.name} />
      </h3>
      <p>Copy the key now. It is not shown again.</p>
      <div className={styles.secret}>
        <code data-testid="new-key">{fresh.key}</code>
        <CopyButton isWide label="Copy the key" text={() => fresh.key} />
      </div>
      <WayTexts
        label={`Ways to use ${fresh.name}`}
        ways={waysOf(fresh.use, { url, agent, key: fresh.key })}
      />
      <div className={styles.buttons}>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </section>
  )
}
