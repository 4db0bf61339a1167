'use client'
/** The answer of a finished run, as stored by the server. */
import { type ReactNode, useState } from 'react'
import { useStoredState } from '#components/data/threads'
import { FileChips } from '#components/dialogue/attachment-list'
import { StoredDocument } from '#components/dialogue/document-panel'
import { didWords } from '#components/dialogue/doing'
import { EndingNote } from '#components/dialogue/ending-note'
import { StoredWords } from '#components/dialogue/said-words'
import { useWholeRun } from '#components/dialogue/use-whole-run'
import { answerWords } from '#components/run/answer-words'
import { Markdown } from '#components/ui/markdown'
import type { RunSummary } from '#lib/wire/runs'
import { AnswerFoot } from './answer-foot'
import styles from './chat.module.css'
import { Steps } from './steps'
import type { Chat } from './use-chat'

export interface StoredAnswerProps {
  readonly run: RunSummary
  readonly chat: Chat
  /** The dialogue continues from it; only this answer can be asked for again. */
  readonly isNewest: boolean
  readonly pager: ReactNode
}

export function StoredAnswer({ run, chat, isNewest, pager }: StoredAnswerProps) {
  const [isOpen, setOpen] = useState(false)
  const state = useStoredState(run.id, isOpen)
  const calls = run.toolCalls.reduce((sum, each) => sum + each.count, 0)
  const { made, said } = useWholeRun(run)
  const again = isNewest && !chat.isBusy ? () => chat.dialogue.acts.retry(run) : null
  const { answer, startedAt, finishedAt } = run
  // For a moment, a run is listed before the page follows it.
  if (finishedAt === null)
    return <Steps line="Starting" isGoing state={null} seq={0} isOpenable={false} onOpen={() => undefined} />
  return (
    <>
      <Steps
        line={didWords(run.steps, calls)}
        isGoing={false}
        state={state.data ?? null}
        seq={run.seq}
        error={state.error}
        isOpenable={calls > 0}
        onOpen={setOpen}
      />
      <StoredWords said={said} />
      <StoredDocument made={made} isOpen={isNewest} />
      {answer !== null && answer !== '' && (
        <div className={styles.answer} data-testid="answer">
          <Markdown text={answerWords(answer, run.output)} />
        </div>
      )}
      <FileChips files={made} label="Created files" />
      <EndingNote
        status={run.status}
        fault={run.error}
        settingsOf={chat.isBare ? null : (section) => `/settings#${section}`}
        onAgain={again}
      />
      <AnswerFoot
        runId={chat.isBare && !chat.hasKey ? null : run.id}
        isOpenable={!chat.isBare}
        text={answer ?? ''}
        ms={startedAt === null ? null : finishedAt - startedAt}
        pager={pager}
        mocked={run.mocked}
        feedback={run.feedback ?? null}
        onAgain={run.status === 'completed' ? again : null}
      />
    </>
  )
}
