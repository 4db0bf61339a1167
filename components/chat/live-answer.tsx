'use client'
/** The answer of the followed run: what it is doing, its text as it streams, and how it ended. */
import type { ReactNode } from 'react'
import { WaitingCards } from '#components/approval/waiting-cards'
import { FileChips } from '#components/dialogue/attachment-list'
import { DocumentPanel } from '#components/dialogue/document-panel'
import { didWords, doingNow } from '#components/dialogue/doing'
import { EndingNote } from '#components/dialogue/ending-note'
import { LiveThought } from '#components/dialogue/live-thought'
import { PlanStrip } from '#components/dialogue/plan-strip'
import { SaidWords } from '#components/dialogue/said-words'
import { answerWords } from '#components/run/answer-words'
import { ownMs } from '#components/run/retime'
import { useRun } from '#components/run/run-context'
import type { LiveRun } from '#components/run/run-store'
import { useAhead } from '#components/run/use-ahead'
import { waitingCalls } from '#components/run/waiting'
import { Markdown } from '#components/ui/markdown'
import { streamingText } from '#lib/agent/state/fold'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary } from '#lib/wire/runs'
import { AnswerFoot } from './answer-foot'
import styles from './chat.module.css'
import { Steps } from './steps'
import type { Chat } from './use-chat'

export interface LiveAnswerProps {
  readonly chat: Chat
  readonly run: RunSummary | null
  readonly pager: ReactNode
}

const noFiles: readonly Artifact[] = []

export function LiveAnswer({ chat, run, pager }: LiveAnswerProps) {
  const runId = useRun((live) => live.runId)
  const text = useRun(answerSoFar)
  const output = useRun((live) => live.state?.output)
  const status = useRun((live) => live.state?.status ?? null)
  const isOver = useRun((live) => live.state?.finishedAt !== undefined)
  const fault = useRun((live) => live.state?.error ?? null)
  const input = useRun((live) => live.state?.start.input)
  const took = useRun(({ state }) => (state === null ? null : ownMs(state)))
  // The list is changed in place, so its length is what shows a change.
  useRun((live) => live.state?.artifacts.length ?? 0)
  const made = useRun((live) => live.state?.artifacts ?? noFiles)
  const mocked = useRun((live) => live.state?.mocks)
  const again = runId === null ? null : { id: runId, input: input ?? run?.input ?? '' }
  return (
    <>
      <LiveSteps hasKey={chat.hasKey} />
      <PlanStrip />
      <SaidWords />
      <DocumentPanel />
      {text !== '' && (
        <div className={styles.answer} data-testid="answer">
          <Markdown text={answerWords(text, output)} />
        </div>
      )}
      <FileChips files={made} label="Created files" />
      {!isOver && <WaitingCards frame={styles.ask} mayDecide={!chat.hasKey} />}
      {isOver && status !== null && status !== 'new' && (
        <>
          <EndingNote
            status={status}
            fault={fault}
            settingsOf={chat.isBare ? null : (section) => `/settings#${section}`}
            onAgain={again === null || chat.isBusy ? null : () => chat.dialogue.acts.retry(again)}
          />
          <AnswerFoot
            runId={chat.isBare && !chat.hasKey ? null : runId}
            isOpenable={!chat.isBare}
            text={text}
            ms={took}
            pager={pager}
            mocked={mocked}
            onAgain={again === null || status !== 'completed' ? null : () => chat.dialogue.acts.retry(again)}
          />
        </>
      )}
    </>
  )
}

function LiveSteps({ hasKey }: { hasKey: boolean }) {
  const ahead = useAhead()
  const doing = useRun((live) =>
    live.state === null
      ? live.connection === 'starting' || live.connection === 'live'
        ? 'Starting'
        : null
      : doingNow(live.state, ahead),
  )
  const did = useRun(({ state }) => (state === null ? null : didWords(state.steps.length, state.calls.size)))
  const connection = useRun((live) => live.connection)
  const isWaiting = useRun((live) => live.state?.status === 'waiting')
  const waitsForDecision = useRun((live) => waitingCalls(live).some(({ kind }) => kind === 'approval'))
  const seq = useRun((live) => live.seq)
  const state = useRun((live) => live.state)
  const line =
    connection === 'reconnecting'
      ? 'Connection lost, trying again'
      : hasKey && waitsForDecision
        ? 'Waiting for the operator, who decides about this call'
        : doing
  return (
    <>
      <Steps
        line={line ?? did}
        isGoing={line !== null}
        isWaiting={isWaiting}
        state={state}
        seq={seq}
        isOpenable={state !== null && state.calls.size > 0}
        onOpen={() => undefined}
      />
      <LiveThought />
    </>
  )
}

function answerSoFar({ state }: LiveRun): string {
  if (state === null) return ''
  if (state.finishedAt !== undefined) return state.answer ?? ''
  const step = state.steps.at(-1)
  // Text before a call is a thought and is shown among the steps.
  return step === undefined || step.calls.length > 0 ? '' : streamingText(step)
}
