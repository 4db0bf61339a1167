'use client'
/** What was said in the thread: earlier runs as the server keeps them, then the one followed, live. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useEffect, useRef } from 'react'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import { api } from '#lib/http/client'
import type { RunSummary } from '#lib/http/runs'
import type { Artifact } from '#lib/spec/artifact'
import { FileChips } from './attachment-list'
import { type Ending, endingOf } from './endings'
import styles from './run-box.module.css'
import { useRun } from './run-context'
import type { LiveRun } from './run-store'
import { statusWords } from './status-words'

export interface RunDialogueProps {
  readonly samples: readonly string[]
  readonly canRun: boolean
  readonly settingsHref: string
  /** Files given in this box, by run. */
  readonly given: ReadonlyMap<string, readonly Artifact[]>
  onAsk(question: string): void
}

const noFiles: readonly Artifact[] = []

export function RunDialogue({ samples, canRun, settingsHref, given, onAsk }: RunDialogueProps) {
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
        <PastTurn key={each.id} run={each} given={given.get(each.id) ?? noFiles} />
      ))}
      <Current settingsHref={settingsHref} />
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

function PastTurn({ run, given }: { run: RunSummary; given: readonly Artifact[] }) {
  // A run that called nothing has made nothing.
  const whole = useQuery({
    queryKey: ['runs', 'one', run.id],
    queryFn: ({ signal }) => api.runs.get(run.id, signal),
    enabled: run.toolCalls.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <div className={styles.turn}>
      <p className={styles.asked}>{run.input}</p>
      <FileChips files={given} label="Files given" isAsked />
      <p className={styles.answer}>{run.answer ?? statusWords[run.status].word}</p>
      <FileChips files={whole.data?.artifacts ?? noFiles} label="Files made" />
    </div>
  )
}

function Current({ settingsHref }: { settingsHref: string }) {
  const input = useRun((run) => run.state?.start.input)
  const given = useRun((run) => run.state?.start.files ?? noFiles)
  const answer = useRun(answerSoFar)
  const doing = useRun(doingNow)
  const error = useRun((run) => run.error)
  // The list grows in place: its length is what tells.
  useRun((run) => run.state?.artifacts.length ?? 0)
  const made = useRun((run) => run.state?.artifacts ?? noFiles)
  const script = useRun((run) =>
    run.state?.model?.provider === 'scripted' ? run.state.model.name : undefined,
  )
  return (
    <>
      {input !== undefined && <p className={styles.asked}>{input}</p>}
      <FileChips files={given} label="Files given" isAsked />
      {answer !== '' && (
        <p className={styles.answer} data-testid="answer">
          {answer}
        </p>
      )}
      <FileChips files={made} label="Files made" />
      {doing !== null && (
        <p className={styles.doing}>
          <Spinner /> {doing}
        </p>
      )}
      {doing === null && <Ended settingsHref={settingsHref} />}
      {error !== null && (
        <ErrorNote error={error}>{needsSettings(error) && <SettingsLink href={settingsHref} />}</ErrorNote>
      )}
      {script !== undefined && doing === null && (
        <p className={styles.note}>
          {script === 'demo'
            ? 'Answered by the scripted demo model: it follows plain rules and is not an AI.'
            : 'Played from the turns written in the model: it is not an AI.'}{' '}
          <Link href={settingsHref} className={styles.link}>
            Use a real model
          </Link>
        </p>
      )}
    </>
  )
}

/** A refusal that sends one to Settings brings the way there. */
function needsSettings({ message }: { message: string }): boolean {
  return /\bSettings\b/.test(message)
}

/** A limit that held shows the mark of its status. */
const marks: Readonly<Record<Ending['tone'], string | null>> = {
  error: 'circle-x',
  plain: 'circle-alert',
  policy: null,
}

/** Everything but a plain end: its word, why, and what to do now. */
function Ended({ settingsHref }: { settingsHref: string }) {
  const status = useRun((run) => run.state?.status)
  const error = useRun((run) => run.state?.error ?? null)
  if (status === undefined || status === 'new' || (status === 'completed' && error === null)) return null
  const ending = error === null ? undefined : endingOf(error)
  const { word, tone, icon } = statusWords[status]
  const why = error?.message ?? null
  if (ending === undefined) {
    return (
      <p className={styles.ending} data-tone={tone}>
        {word}
        {why !== null && `: ${why}`}
      </p>
    )
  }
  return (
    <div className={styles.ended} data-tone={ending.tone} role={ending.tone === 'error' ? 'alert' : 'status'}>
      <span data-mark="">
        <Icon name={marks[ending.tone] ?? icon} size={14} />
      </span>
      <div>
        <b>{ending.title}</b>
        {why !== null && <p>{why}</p>}
        {ending.advice !== undefined && <p className={styles.advice}>{ending.advice}</p>}
        {ending.anchor !== undefined && (
          <SettingsLink href={settingsHref.replace(/#.*/, `#${ending.anchor}`)} />
        )}
      </div>
    </div>
  )
}

function SettingsLink({ href }: { href: string }) {
  return (
    <Link href={href} className={styles.link}>
      Open Settings
    </Link>
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
  if (calls.length > 0) return `Step ${step.number}: ${[...new Set(calls)].join(', ')}`
  const failed = step.retries.at(-1)
  const isWaiting = failed !== undefined && (step.request === undefined || step.request.at <= failed.at)
  return `Step ${step.number}: ${isWaiting ? 'waits, then asks the model again' : 'the model is thinking'}`
}
