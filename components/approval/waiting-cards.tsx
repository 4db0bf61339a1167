'use client'
/** All calls of the run that wait for a person, for pages without a drawing to select them from. */
import { useRun, useRunActions } from '#components/run/run-context'
import { sameWaiting, waitingCalls } from '#components/run/waiting'
import { AskCard } from './ask-card'

/** @param frame the class of the box around each card */
export function WaitingCards({ frame }: { frame: string | undefined }) {
  const { decide } = useRunActions()
  const waiting = useRun(waitingCalls, sameWaiting)
  return waiting.map((each, index) => (
    <div key={`${each.call.id} ${each.askedAt}`} className={frame}>
      <AskCard waiting={each} hasKey={index === 0} decide={decide} />
    </div>
  ))
}
