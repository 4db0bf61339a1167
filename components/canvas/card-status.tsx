'use client'
/** State on a card: the slot at the end of line 2, and the strap that hangs under it. */
import { useEffect, useState } from 'react'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import type { CardState } from './card-state'
import styles from './card-status.module.css'

const slotIcons: Partial<Record<CardState['name'], string>> = {
  ok: 'check',
  withheld: 'ban',
  off: 'circle-minus',
  loose: 'circle-minus',
  warning: 'triangle-alert',
}
const strapIcons: Partial<Record<CardState['name'], string>> = {
  error: 'circle-x',
  denied: 'ban',
  fault: 'circle-alert',
}

export function StateSlot({ state }: { state: CardState }) {
  const icon = slotIcons[state.name]
  const words = [state.word, state.strap === undefined ? state.figure : undefined].filter(Boolean).join(' ')
  if (icon === undefined && state.name !== 'working' && words === '') return null
  return (
    <span className={styles.slot} data-state={state.name} title={state.detail}>
      {state.name === 'working' && <Spinner size={12} />}
      {icon !== undefined && <Icon name={icon} size={12} />}
      {words}
    </span>
  )
}

export function CardStrap({ state }: { state: CardState }) {
  const icon = strapIcons[state.name]
  if (state.strap === undefined) return null
  return (
    <div className={styles.strap} data-state={state.name} title={state.detail ?? state.strap}>
      {icon !== undefined && <Icon name={icon} size={14} className={styles.icon} />}
      <span className={styles.text}>{state.strap}</span>
      {state.name === 'working' && state.since !== undefined ? (
        <Elapsed since={state.since} />
      ) : (
        state.figure !== undefined && <span className={styles.figure}>{state.figure}</span>
      )}
    </div>
  )
}

/** Counts up by itself, so that a running call costs no event. */
function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return <span className={styles.figure}>{Math.max(0, (now - since) / 1000).toFixed(1)} s</span>
}
