'use client'
/** What a try shows: its output as it comes, then its result, its files and its metadata. */
import { useEffect, useRef, useState } from 'react'
import { QuestionCard } from '#components/approval/question-card'
import { api } from '#components/data/client'
import { FileLink } from '#components/observation/file-link'
import { JsonTree } from '#components/observation/json-tree'
import { Blocks } from '#components/observation/rendered'
import { duration } from '#components/run/figures'
import { useNow } from '#components/run/use-now'
import { Chip, Spinner } from '#components/ui/bits'
import { Button } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { LongText } from '#components/ui/long-text'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { KeptTry } from '#lib/spec/trial'
import styles from './try-panel.module.css'
import type { TrialState, TryQuestion } from './use-trial'

export const outcomes = {
  ok: { tone: 'ok', icon: 'check', word: 'Done' },
  error: { tone: 'error', icon: 'circle-x', word: 'Failed' },
  timeout: { tone: 'error', icon: 'clock', word: 'Timed out' },
  stopped: { tone: 'plain', icon: 'square', word: 'Stopped' },
} as const

interface TryOutcomeProps {
  readonly agentId: string
  readonly tool: string
  readonly state: TrialState
}

export function TryOutcome({ agentId, tool, state }: TryOutcomeProps) {
  const { phase, done, past, error } = state
  const shown = done?.tried ?? past
  if (phase === 'idle' && shown === null)
    return (
      <>
        <h3 className={shared.heading}>Result</h3>
        <p className={shared.quiet}>Nothing has been tried yet. The result appears here.</p>
      </>
    )
  return (
    <>
      {phase === 'running' && done === null && <AtWork state={state} />}
      {state.questions.map((each) => (
        <Question key={each.questionId} agentId={agentId} tool={tool} asked={each} />
      ))}
      {phase === 'over' && error !== null && (
        <>
          <ErrorNote error={error} />
          {state.text !== '' && <Output text={state.text} />}
        </>
      )}
      {shown !== null && (
        <Result
          tried={shown}
          metadata={done?.metadata}
          isPast={past !== null}
          wasCut={(done?.cut.length ?? 0) > 0}
        />
      )}
      {state.files.length > 0 && (
        <ul className={styles.files} aria-label="Files it made">
          {state.files.map((each) => (
            <li key={each.id}>
              <Icon name="file-text" size={14} />
              {each.path === null || each.id === each.path ? (
                each.name
              ) : (
                <FileLink artifact={each} name={each.path ?? each.name} />
              )}
            </li>
          ))}
        </ul>
      )}
      {done !== null && state.text !== '' && (
        <details>
          <summary className={shared.caption}>Output while it worked</summary>
          <Output text={state.text} />
        </details>
      )}
    </>
  )
}

interface QuestionProps {
  readonly agentId: string
  readonly tool: string
  readonly asked: TryQuestion
}

function Question({ agentId, tool, asked: { tryId, questionId, tool: name, input } }: QuestionProps) {
  const card = useRef<HTMLDivElement>(null)
  // In a narrow window it comes below the arguments, where it would not be noticed.
  useEffect(() => {
    // Some browsers give a promise, which is nothing to clean up.
    card.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={card} className={styles.question}>
      <QuestionCard
        tool={{ name }}
        input={input}
        say={async ({ inputId: _, ...said }) => {
          await api.trials.reply(agentId, tool, { tryId, questionId, ...said })
        }}
      />
    </div>
  )
}

function AtWork({ state: { startedAt, wait, text, blocks, questions } }: { state: TrialState }) {
  const now = useNow(true)
  return (
    <>
      <p className={styles.working} role="status">
        {questions.length > 0 ? <Icon name="hand" size={14} className={styles.hand} /> : <Spinner />}
        {questions.length > 0
          ? 'It waits for you.'
          : wait === null
            ? 'It runs.'
            : `Waits for ${wait.for === 'sandbox' ? 'a free sandbox process' : 'its turn'}.`}{' '}
        <span className={shared.digits}>{duration(Math.max(0, now - startedAt))}</span>
      </p>
      {blocks !== null && <Blocks blocks={blocks} />}
      {text !== '' && <Output text={text} />}
    </>
  )
}

function Output({ text }: { text: string }) {
  return <LongText text={text} className={styles.output} />
}

interface ResultProps {
  readonly tried: KeptTry
  readonly metadata: Parameters<typeof JsonTree>[0]['value'] | undefined
  readonly isPast: boolean
  readonly wasCut: boolean
}

function Result({ tried, metadata, isPast, wasCut }: ResultProps) {
  const [isRaw, setRaw] = useState(false)
  const { tone, icon, word } = outcomes[tried.status]
  return (
    <div className={styles.result}>
      <header className={shared.row}>
        <h3 className={shared.heading}>{isPast ? 'Earlier result' : 'Result'}</h3>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        <span className={shared.caption}>{duration(tried.durationMs)}</span>
        {tried.code !== null && <code className={shared.caption}>{tried.code}</code>}
        {tried.result !== null && (
          <Button
            size="s"
            variant="quiet"
            pressed={isRaw}
            className={styles.raw}
            onClick={() => setRaw(!isRaw)}
          >
            Raw
          </Button>
        )}
      </header>
      <div className={styles.blocks}>
        {tried.result === null && <p className={shared.quiet}>The result was too long to keep.</p>}
        {tried.result !== null &&
          (isRaw ? <JsonTree value={tried.result} /> : <Blocks blocks={tried.result} />)}
      </div>
      {wasCut && <p className={shared.caption}>This try is too long to be kept in full.</p>}
      {metadata !== undefined && (
        <details>
          <summary className={shared.caption}>Metadata, not sent to the model</summary>
          <JsonTree value={metadata} />
        </details>
      )}
    </div>
  )
}
