'use client'
/**
 * One turn: the question and its answer. A question that was asked again lets you page through all its
 * answers.
 */
import { useState } from 'react'
import { FileChips } from '#components/dialogue/attachment-list'
import { useRun } from '#components/run/run-context'
import { IconButton } from '#components/ui/button'
import { Words } from '#components/ui/long-text'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary } from '#lib/wire/runs'
import styles from './chat.module.css'
import { LiveAnswer } from './live-answer'
import { StoredAnswer } from './stored-answer'
import type { Said, Turn } from './turns'
import type { Chat } from './use-chat'

export interface TurnAnswer extends Said {
  /** Null until the server has listed it. */
  readonly run: RunSummary | null
  readonly isLive: boolean
  /** The turn's question, if it was the last one asked on this page. */
  readonly question: Chat['question']
}

export interface TurnViewProps {
  readonly turn: Turn<TurnAnswer>
  readonly isLast: boolean
  readonly chat: Chat
}

const noFiles: readonly Artifact[] = []

export function TurnView({ turn, isLast, chat }: TurnViewProps) {
  const { answers } = turn
  // Null shows the newest answer.
  const [chosen, setChosen] = useState<number | null>(null)
  const at = Math.min(chosen ?? answers.length - 1, answers.length - 1)
  const answer = answers[at]
  if (answer === undefined) return null
  const pager = answers.length > 1 && (
    <Pager
      at={at}
      of={answers.length}
      onGo={(next) => setChosen(next === answers.length - 1 ? null : next)}
    />
  )
  const isNewest = isLast && at === answers.length - 1
  return (
    <article className={styles.turn}>
      <Question answer={answer} first={answers[0] ?? answer} />
      {answer.isLive ? (
        <LiveAnswer chat={chat} run={answer.run} pager={pager} />
      ) : (
        answer.run !== null && <StoredAnswer run={answer.run} chat={chat} isNewest={isNewest} pager={pager} />
      )}
    </article>
  )
}

function Question({ answer, first }: { answer: TurnAnswer; first: TurnAnswer }) {
  const live = useRun((run) => (answer.isLive ? run.state?.start.files : undefined))
  const files = live ?? answer.question?.files ?? noFiles
  return (
    <div className={styles.question}>
      <Words
        text={first.run?.input ?? first.question?.input ?? answer.question?.input ?? answer.run?.input ?? ''}
        className={styles.asked}
      />
      <FileChips files={files} label="Attached files" isAsked />
    </div>
  )
}

function Pager({ at, of, onGo }: { at: number; of: number; onGo(next: number): void }) {
  return (
    <span className={styles.pager} role="group" aria-label="Answers to this question">
      <IconButton
        icon="chevron-left"
        size="s"
        label="Previous answer"
        disabled={at === 0}
        onClick={() => onGo(at - 1)}
      />
      <span>
        {at + 1} of {of}
      </span>
      <IconButton
        icon="chevron-right"
        size="s"
        label="Next answer"
        disabled={at === of - 1}
        onClick={() => onGo(at + 1)}
      />
    </span>
  )
}
