'use client'
/** The messages of the thread: earlier turns from the server, then the followed run, live. */
import { useMemo } from 'react'
import { useFollowEnd } from '#components/dialogue/use-follow-end'
import { useRun } from '#components/run/run-context'
import { Loading } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote, isMissing } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import styles from './chat.module.css'
import type { ChatAgent } from './chat-agent'
import { type TurnAnswer, TurnView } from './turn-view'
import { turnsOf } from './turns'
import type { Chat } from './use-chat'

/** Pixels from the end that still count as being at the end. */
const near = 48

const gone = 'It may have been deleted. Choose another thread, or start a new one.'

export function ChatDialogue({ chat, agent }: { chat: Chat; agent: ChatAgent }) {
  const { runs, question, thread } = chat
  const followed = useRun((run) => run.runId)
  const error = useRun((run) => run.error)
  const answers = useMemo(() => answersOf(runs, followed, question), [runs, followed, question])
  const turns = useMemo(() => turnsOf(answers), [answers])
  const { scroller, content, isAway, toEnd } = useFollowEnd(chat.threadId, near)
  const isEmpty = turns.length === 0 && (chat.threadId === null || thread.isSuccess)
  return (
    <div className={styles.place}>
      <div ref={scroller} className={styles.scroller} role="log" aria-label="Dialogue" tabIndex={0}>
        <div ref={content} className={styles.column}>
          {thread.isError && thread.data === undefined && (
            <ErrorNote error={thread.error} {...(isMissing(thread.error) && { advice: gone })}>
              <Button size="s" onClick={chat.startOver}>
                New thread
              </Button>
              {!isMissing(thread.error) && (
                <Button size="s" variant="quiet" onClick={() => void thread.refetch()}>
                  Try again
                </Button>
              )}
            </ErrorNote>
          )}
          {chat.threadId !== null && thread.isPending && turns.length === 0 && (
            <Loading what="the thread" heights={[32, 96]} className={styles.turn} />
          )}
          {isEmpty && <Welcome chat={chat} agent={agent} />}
          {turns.map((turn, index) => (
            <TurnView key={turn.key} turn={turn} isLast={index === turns.length - 1} chat={chat} />
          ))}
          {error !== null && <ErrorNote error={error} />}
        </div>
      </div>
      {isAway && (
        <Button size="s" icon="arrow-down" className={styles.toEnd} onClick={toEnd}>
          To the end
        </Button>
      )}
    </div>
  )
}

/**
 * The stored runs, with the followed one live. A new question is shown at the end until the server lists its
 * run.
 */
function answersOf(
  runs: Chat['runs'],
  followed: string | null,
  question: Chat['question'],
): readonly TurnAnswer[] {
  const known = runs.map(
    (run): TurnAnswer => ({
      id: run.id,
      replaces: run.replaces,
      run,
      isLive: run.id === followed,
      question: question?.runId === run.id ? question : null,
    }),
  )
  const isNew = question !== null && !runs.some((run) => run.id === question.runId)
  const isShown = isNew && (question.runId === null || question.runId === followed)
  if (!isShown) return known
  const { runId, replaces } = question
  return [...known, { id: runId ?? 'asked', replaces, run: null, isLive: true, question }]
}

function Welcome({ chat, agent }: { chat: Chat; agent: ChatAgent }) {
  const { title, description, samples } = agent
  return (
    <div className={styles.welcome}>
      <span className={styles.mark} data-family="agent">
        <Icon name="bot" size={20} />
      </span>
      <h2 className={shared.pageTitle}>{title}</h2>
      {description !== '' && <p>{description}</p>}
      <ul aria-label="Sample questions">
        {samples.map((each) => (
          <li key={each}>
            <button
              type="button"
              disabled={!chat.dialogue.canSend}
              onClick={() => chat.dialogue.acts.ask(each)}
            >
              <Icon name="corner-down-right" size={14} className={styles.sample} />
              <span>{each}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
