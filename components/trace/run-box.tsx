'use client'
/** The run box: ask, watch the answer come, ask on in the same thread, stop. Run lives here and only here. */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Kbd, Spinner } from '#components/ui/bits'
import { Button, IconButton } from '#components/ui/button'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { api } from '#lib/http/client'
import styles from './run-box.module.css'
import { useRun, useRunActions } from './run-context'
import type { LiveRun } from './run-store'
import { statusWords } from './status-words'

export interface RunBoxProps {
  readonly agentId: string
  readonly canRun: boolean
  /** Why it cannot run, in one sentence. */
  readonly reason?: string
  readonly samples: readonly string[]
  /** Stores what is drawn, so that what runs is what is seen; false keeps the run from starting. */
  onBeforeRun?(): Promise<boolean>
}

const urlKey = 'run'

export function RunBox({ agentId, canRun, reason, samples, onBeforeRun }: RunBoxProps) {
  const { begin, watch, cancel, clear } = useRunActions()
  const [text, setText] = useState('')
  const [isStarting, setStarting] = useState(false)
  const threadId = useRun((run) => run.threadId)
  const runId = useRun((run) => run.runId)
  const isBusy = useRun(isUnderWay)
  const field = useRef<HTMLTextAreaElement>(null)

  // A reload in mid-run shows the same run again.
  useEffect(() => {
    const known = new URL(window.location.href).searchParams.get(urlKey)
    if (known !== null) watch(known)
    return clear
  }, [watch, clear])
  useEffect(() => {
    if (runId !== null) remember(runId)
  }, [runId])

  const run = async (input: string) => {
    if (input.trim() === '' || !canRun || isBusy || isStarting) return
    setStarting(true)
    try {
      if (onBeforeRun !== undefined && !(await onBeforeRun())) return
      const started = await begin(agentId, { input, ...(threadId !== null && { threadId }) })
      if (started !== null) setText('')
    } finally {
      setStarting(false)
    }
  }
  const startOver = () => {
    clear()
    remember(null)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isBusy) {
      event.preventDefault()
      void cancel()
    }
  }
  return (
    <section className={styles.box} aria-label="Run" onKeyDown={onKeyDown}>
      <header className={styles.head}>
        <h2>Run</h2>
        <span className={styles.thread}>
          {threadId === null ? 'New thread' : 'Follow-ups stay in this thread'}
        </span>
        <IconButton
          icon="plus"
          label="New thread"
          size="s"
          onClick={startOver}
          disabled={threadId === null && runId === null}
        />
      </header>
      <Dialogue samples={samples} canRun={canRun} onAsk={(question) => void run(question)} />
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          void run(text)
        }}
      >
        <textarea
          ref={field}
          rows={1}
          value={text}
          aria-label="Question"
          placeholder={threadId === null ? 'Ask something' : 'Ask a follow-up'}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            void run(text)
          }}
        />
        <div className={styles.line}>
          <span className={styles.hint}>{canRun ? '' : reason}</span>
          {isBusy ? (
            <Button size="s" icon="square" onClick={() => void cancel()}>
              Stop <Kbd>Esc</Kbd>
            </Button>
          ) : (
            <Button
              size="s"
              variant="primary"
              icon="play"
              type="submit"
              disabled={!canRun || isStarting || text.trim() === ''}
            >
              Run {text.trim() !== '' && <Kbd>↵</Kbd>}
            </Button>
          )}
        </div>
      </form>
    </section>
  )
}

function isUnderWay({ connection, state }: LiveRun): boolean {
  if (state !== null) return state.finishedAt === undefined && connection !== 'failed'
  return connection === 'starting' || connection === 'live' || connection === 'reconnecting'
}

function remember(runId: string | null): void {
  const url = new URL(window.location.href)
  if (runId === null) url.searchParams.delete(urlKey)
  else url.searchParams.set(urlKey, runId)
  window.history.replaceState(window.history.state, '', url)
}

/** What was said in the thread: earlier runs as the server keeps them, then the one followed, live. */
function Dialogue({
  samples,
  canRun,
  onAsk,
}: {
  samples: readonly string[]
  canRun: boolean
  onAsk(question: string): void
}) {
  const runId = useRun((run) => run.runId)
  const threadId = useRun((run) => run.threadId)
  const seq = useRun((run) => run.seq)
  const scroller = useRef<HTMLDivElement>(null)
  const earlier = useQuery({
    queryKey: ['runs', 'thread', threadId, runId],
    queryFn: ({ signal }) => api.runs.list({ thread: threadId ?? '', limit: 50 }, signal),
    enabled: threadId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said grows with `seq`
  useEffect(() => {
    const body = scroller.current
    if (body !== null) body.scrollTop = body.scrollHeight
  }, [seq])
  const past = (earlier.data?.items ?? [])
    .filter((each) => each.id !== runId && each.finishedAt !== null)
    .reverse()
  return (
    <div ref={scroller} className={styles.dialogue} role="log" aria-label="Dialogue" tabIndex={0}>
      {past.map((each) => (
        <div key={each.id} className={styles.turn}>
          <p className={styles.asked}>{each.input}</p>
          <p className={styles.answer}>{each.answer ?? statusWords[each.status].word}</p>
        </div>
      ))}
      <Current />
      {runId === null && samples.length > 0 && (
        <div className={styles.samples}>
          {samples.map((each) => (
            <button key={each} type="button" disabled={!canRun} title={each} onClick={() => onAsk(each)}>
              <Icon name="corner-down-right" size={14} />
              <span>{each}</span>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

function Current() {
  const input = useRun((run) => run.state?.start.input)
  const answer = useRun(answerSoFar)
  const doing = useRun(doingNow)
  const status = useRun((run) => run.state?.status)
  const failure = useRun((run) => run.state?.error?.message)
  const error = useRun((run) => run.error)
  const script = useRun((run) =>
    run.state?.model?.provider === 'scripted' ? run.state.model.name : undefined,
  )
  return (
    <>
      {input !== undefined && <p className={styles.asked}>{input}</p>}
      {answer !== '' && (
        <p className={styles.answer} data-testid="answer">
          {answer}
        </p>
      )}
      {doing !== null && (
        <p className={styles.doing}>
          <Spinner /> {doing}
        </p>
      )}
      {status !== undefined && status !== 'new' && status !== 'completed' && doing === null && (
        <p className={styles.ending} data-tone={statusWords[status].tone}>
          {statusWords[status].word}
          {failure !== undefined && `: ${failure}`}
        </p>
      )}
      {error !== null && <ErrorNote error={error} />}
      {script !== undefined && doing === null && (
        <p className={styles.note}>
          {script === 'demo'
            ? 'Answered by the scripted demo model: it follows plain rules and is not an AI.'
            : 'Played from the turns written in the model: it is not an AI.'}
        </p>
      )}
    </>
  )
}

function answerSoFar({ state }: LiveRun): string {
  if (state === null) return ''
  if (state.finishedAt !== undefined) return state.answer ?? ''
  return state.steps.at(-1)?.live.text ?? ''
}

function doingNow({ state, connection }: LiveRun): string | null {
  if (state === null) return connection === 'starting' ? 'Starting' : null
  if (state.finishedAt !== undefined) return null
  const step = state.steps.at(-1)
  if (step === undefined) return state.status === 'queued' ? 'Waits for a free place' : 'Starting'
  const calls = step.calls.filter((call) => call.result === undefined).map((call) => call.name)
  const what = calls.length > 0 ? [...new Set(calls)].join(', ') : 'the model is thinking'
  return `Step ${step.number}: ${what}`
}
