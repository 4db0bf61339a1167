'use client'
/** All that the run asks a person, for pages without a drawing to select its calls from. */
import { useRun, useRunActions } from '#components/run/run-context'
import { keyOfWaiting, sameWaiting, waitingCalls } from '#components/run/waiting'
import shared from '#components/ui/shared.module.css'
import { ComingCard } from './coming-card'
import { waitingWords } from './waiting-words'

interface WaitingCardsProps {
  /** The class of the box around each card. */
  readonly frame: string | undefined
  /** Whether the person may decide on calls, or only answer questions. */
  readonly mayDecide?: boolean
}

export function WaitingCards({ frame, mayDecide = true }: WaitingCardsProps) {
  const { decide, reply } = useRunActions()
  const asked = useRun(waitingCalls, sameWaiting)
  const waiting = mayDecide ? asked : asked.filter(({ kind }) => kind === 'input')
  return (
    <>
      <p className={shared.unseen} role="status" aria-live="polite">
        {waitingWords(waiting)}
      </p>
      {waiting.map((each, index) => (
        <div key={keyOfWaiting(each)} className={frame}>
          <ComingCard waiting={each} hasKey={index === 0} decide={decide} reply={reply} />
        </div>
      ))}
    </>
  )
}
