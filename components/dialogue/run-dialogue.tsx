'use client'
/** The messages of the thread: earlier runs from the server, then the followed run, live. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { memo, type ReactNode } from 'react'
import { api } from '#components/data/client'
import { otherSection } from '#components/data/settings-href'
import { answerWords } from '#components/run/answer-words'
import { useRun } from '#components/run/run-context'
import type { LiveRun } from '#components/run/run-store'
import { Words } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { streamingText } from '#lib/agent/state/fold'
import type { Artifact } from '#lib/spec/artifact'
import type { RunSummary } from '#lib/wire/runs'
import { FileChips } from './attachment-list'
import { DocumentPanel, StoredDocument } from './document-panel'
import { EndingNote } from './ending-note'
import { PlanStrip } from './plan-strip'
import styles from './run-box.module.css'
import { Doings, isDoing } from './run-doings'
import { SaidWords, StoredWords } from './said-words'
import { Samples } from './samples'
import { scriptWords } from './script-words'
import { useFollowEnd } from './use-follow-end'
import { useWholeRun } from './use-whole-run'

export interface RunDialogueProps {
  readonly samples: readonly string[]
  readonly canRun: boolean
  readonly settingsHref: string
  /** The files attached to questions during this visit, by run id. */
  readonly filesOf: ReadonlyMap<string, readonly Artifact[]>
  onAsk(question: string): void
  readonly asks: ReactNode
  readonly onReview: ((path: string) => void) | undefined
}

const noFiles: readonly Artifact[] = []

/** Pixels from the end that still count as being at the end. */
const near = 24

export function RunDialogue(props: RunDialogueProps) {
  const { samples, canRun, settingsHref, filesOf, onAsk, asks, onReview } = props
  const runId = useRun((run) => run.runId)
  const threadId = useRun((run) => run.threadId)
  const { scroller, content } = useFollowEnd(null, near)
  const earlier = useQuery({
    queryKey: ['runs', 'thread', threadId, runId],
    queryFn: ({ signal }) => api.runs.list({ thread: threadId ?? '', limit: 50 }, signal),
    enabled: threadId !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const past = (earlier.data?.items ?? [])
    .filter((each) => each.id !== runId && each.finishedAt !== null)
    .reverse()
  return (
    <div ref={scroller} className={styles.dialogue} role="log" aria-label="Dialogue" tabIndex={0}>
      <div ref={content} className={styles.sheet}>
        {past.map((each) => (
          <PastTurn
            key={each.id}
            run={each}
            given={filesOf.get(each.id) ?? noFiles}
            settingsHref={settingsHref}
          />
        ))}
        <Current settingsHref={settingsHref} asks={asks} onReview={onReview} />
        <Samples samples={samples} canRun={canRun} onAsk={onAsk} />
      </div>
    </div>
  )
}

interface PastTurnProps {
  readonly run: RunSummary
  readonly given: readonly Artifact[]
  readonly settingsHref: string
}

const PastTurn = memo(function PastTurn({ run, given, settingsHref }: PastTurnProps) {
  const { made, said } = useWholeRun(run)
  return (
    <div className={styles.turn}>
      <Words text={run.input} className={styles.asked} />
      <FileChips files={given} label="Attached files" isAsked />
      <StoredWords said={said} />
      <StoredDocument made={made} isOpen={false} size="s" />
      {run.answer !== null && <Markdown text={answerWords(run.answer, run.output)} />}
      <FileChips files={made} label="Created files" />
      <EndingNote
        status={run.status}
        fault={run.error}
        settingsOf={(section) => otherSection(settingsHref, section, undefined)}
        isPast
        onAgain={null}
      />
    </div>
  )
})

type CurrentProps = Pick<RunDialogueProps, 'settingsHref' | 'asks' | 'onReview'>

function Current({ settingsHref, asks, onReview }: CurrentProps) {
  const input = useRun((run) => run.state?.start.input)
  const given = useRun((run) => run.state?.start.files ?? noFiles)
  const answer = useRun(answerSoFar)
  const isBusy = useRun(isDoing)
  const error = useRun((run) => run.error)
  // The list is changed in place, so its length is what shows a change.
  useRun((run) => run.state?.artifacts.length ?? 0)
  const made = useRun((run) => run.state?.artifacts ?? noFiles)
  const script = useRun((run) =>
    run.state?.model?.provider === 'scripted' ? run.state.model.name : undefined,
  )
  return (
    <>
      {input !== undefined && <Words text={input} className={styles.asked} />}
      <FileChips files={given} label="Attached files" isAsked />
      <PlanStrip />
      <SaidWords />
      <DocumentPanel size="s" />
      {answer !== '' && (
        <div data-testid="answer">
          <Markdown text={answer} />
        </div>
      )}
      <FileChips files={made} label="Created files" />
      {asks}
      {isBusy ? (
        <Doings hasAsks={asks !== undefined} onReview={onReview} />
      ) : (
        <Ended settingsHref={settingsHref} />
      )}
      {error !== null && (
        <ErrorNote error={error}>{needsSettings(error) && <SettingsLink href={settingsHref} />}</ErrorNote>
      )}
      {script !== undefined && !isBusy && (
        <p className={shared.caption}>
          {scriptWords[script === 'demo' ? 'demo' : 'turns']}{' '}
          <Link href={settingsHref} className={styles.link}>
            Use a real model
          </Link>
        </p>
      )}
    </>
  )
}

/** An error whose message names Settings gets a link to it. */
function needsSettings({ message }: { message: string }): boolean {
  return /\bSettings\b/.test(message)
}

/** Every ending but a plain answer. */
function Ended({ settingsHref }: { settingsHref: string }) {
  const status = useRun((run) => run.state?.status)
  const fault = useRun((run) => run.state?.error ?? null)
  const model = useRun((run) => run.state?.model)
  if (status === undefined || status === 'new') return null
  const price = model && { model: model.name, provider: model.provider }
  return (
    <EndingNote
      status={status}
      fault={fault}
      settingsOf={(section) => otherSection(settingsHref, section, price)}
      onAgain={null}
    />
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
  if (state.finishedAt !== undefined) return answerWords(state.answer ?? '', state.output)
  const step = state.steps.at(-1)
  return step === undefined ? '' : streamingText(step)
}
