'use client'
/** The state on a card: the slot at the end of line 2, and the strap below the card. */
import { useEffect, useState } from 'react'
import type { CardState } from '#components/drawing/card-state'
import { useGraphStore } from '#components/drawing/graph-context'
import { useRun } from '#components/run/run-context'
import { Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { TailLine } from '#components/ui/tail-line'
import styles from './card-status.module.css'

const slotIcons: Partial<Record<CardState['name'], string>> = {
  ok: 'check',
  withheld: 'ban',
  asks: 'hand',
  off: 'circle-minus',
  inactive: 'circle-minus',
  loose: 'circle-minus',
  warning: 'triangle-alert',
}
const strapIcons: Partial<Record<CardState['name'], string>> = {
  waiting: 'hand',
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

export function CardStrap({ node, state }: { node: string; state: CardState }) {
  const icon = strapIcons[state.name]
  if (state.strap === undefined) return null
  return (
    <div className={styles.strap} data-state={state.name} title={state.detail ?? state.strap}>
      {icon !== undefined && <Icon name={icon} size={14} className={styles.icon} />}
      {state.isTail ? (
        <TailLine text={state.strap} className={styles.text} />
      ) : (
        <span className={styles.text}>{state.strap}</span>
      )}
      <StrapEnd node={node} state={state} />
    </div>
  )
}

/** One figure or one button at the right end of the strap. */
function StrapEnd({ node, state }: { node: string; state: CardState }) {
  // In a replay there is nothing to decide any more.
  const isReplayed = useRun(({ replay }) => replay !== null)
  if (state.name === 'waiting') return isReplayed ? null : <Review node={node} />
  if (state.name === 'working' && state.since !== undefined) return <Elapsed since={state.since} />
  return state.figure === undefined ? null : <span className={styles.figure}>{state.figure}</span>
}

/** Selects the card, which puts its waiting call first in the inspector. */
function Review({ node }: { node: string }) {
  const store = useGraphStore()
  return (
    <Button
      size="s"
      className={`nodrag nopan ${styles.review}`}
      onClick={() => store.getState().select({ nodes: [node] })}
    >
      Review
    </Button>
  )
}

/**
 * Counts up by itself, so that a running call needs no events; in a replay it shows the time at the playhead.
 */
function Elapsed({ since }: { since: number }) {
  const playhead = useRun(({ replay, events }) => (replay === null ? null : (events[0]?.at ?? 0) + replay.at))
  const [clock, setClock] = useState(() => Date.now())
  useEffect(() => {
    if (playhead !== null) return
    const timer = setInterval(() => setClock(Date.now()), 100)
    return () => clearInterval(timer)
  }, [playhead])
  const seconds = Math.max(0, ((playhead ?? clock) - since) / 1000)
  return <span className={styles.figure}>{seconds.toFixed(1)} s</span>
}
