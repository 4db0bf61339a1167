'use client'
/** A question of a call of a run, and the ways to reply to it. */
import type { WaitingReply } from '#components/run/waiting'
import type { GiveReply } from '#lib/wire/runs'
import { QuestionCard } from './question-card'

export interface InputCardProps {
  readonly waiting: WaitingReply
  reply(callId: string, said: GiveReply): Promise<void>
}

export function InputCard({ waiting: { call, path, inside, step, at, input }, reply }: InputCardProps) {
  return (
    <QuestionCard
      tool={call}
      input={input}
      place={
        <>
          {inside !== undefined && `${inside.agent}: `}call {at} of step {step}
        </>
      }
      say={(said) => reply(path, { inputId: input.inputId, ...said })}
    />
  )
}
