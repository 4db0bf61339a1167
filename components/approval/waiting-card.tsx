'use client'
/** One thing that a run asks a person: a decision on a call, or a question. */
import type { Waiting } from '#components/run/waiting'
import type { DecideCall, GiveReply } from '#lib/wire/runs'
import { AskCard } from './ask-card'
import { InputCard } from './input-card'

export interface WaitingCardProps {
  readonly waiting: Waiting
  /** When several calls wait, only the first has the shortcut. */
  readonly hasKey: boolean
  decide(callId: string, said: DecideCall): Promise<void>
  reply(callId: string, said: GiveReply): Promise<void>
}

export function WaitingCard({ waiting, hasKey, decide, reply }: WaitingCardProps) {
  if (waiting.kind === 'approval') return <AskCard waiting={waiting} hasKey={hasKey} decide={decide} />
  return <InputCard waiting={waiting} reply={reply} />
}
