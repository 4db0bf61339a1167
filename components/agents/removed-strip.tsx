'use client'
/** Takes the position of a card that was just deleted: says so, and offers to restore it for a while. */
import { useEffect, useRef, useState } from 'react'
import { Button, IconButton } from '#components/ui/button'
import shared from '#components/ui/shared.module.css'
import type { AgentSummary } from '#lib/wire/agents'
import { labelOf } from './find-agents'
import styles from './removed-strip.module.css'
import type { AgentActions } from './use-agent-actions'

/** Milliseconds, counted while neither pointer nor focus is on it. */
const staysFor = 15_000

export function RemovedStrip({ agent, actions }: { agent: AgentSummary; actions: AgentActions }) {
  const [isUnder, setUnder] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const undo = useRef<HTMLButtonElement>(null)
  const { letGo } = actions
  const { id } = agent
  // The card that had the focus is gone.
  useEffect(() => undo.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    if (isUnder || hasFocus) return
    const timer = setTimeout(() => letGo(id), staysFor)
    return () => clearTimeout(timer)
  }, [isUnder, hasFocus, letGo, id])
  const bringBack = async () => {
    setBusy(true)
    await actions.bringBack(id)
    setBusy(false)
  }
  return (
    <li
      className={styles.strip}
      onPointerEnter={() => setUnder(true)}
      onPointerLeave={() => setUnder(false)}
      onFocus={() => setFocus(true)}
      onBlur={() => setFocus(false)}
      aria-label={`${labelOf(agent)}, deleted`}
    >
      <p role="status">
        <b>{labelOf(agent)}</b> was deleted.
      </p>
      <p className={shared.quiet}>Its runs stay and can still be opened.</p>
      <div className={styles.actions}>
        <Button ref={undo} icon="undo-2" disabled={isBusy} onClick={() => void bringBack()}>
          Undo
        </Button>
        <IconButton icon="x" label="Dismiss" onClick={() => letGo(id)} />
      </div>
    </li>
  )
}
