'use client'
/** The calls that wait for a person, asked about where the answer will stand. */
import { AskCard } from '#components/inspector/ask-card'
import { useRun, useRunActions } from '#components/trace/run-context'
import { sameWaiting, waitingCalls } from '#components/trace/waiting'
import styles from './chat.module.css'

export function WaitingCalls() {
  const { decide } = useRunActions()
  const waiting = useRun(waitingCalls, sameWaiting)
  return waiting.map((each, index) => (
    <div key={`${each.call.id} ${each.askedAt}`} className={styles.ask}>
      <AskCard waiting={each} hasKey={index === 0} decide={decide} />
    </div>
  ))
}
