'use client'
/** The document that a run writes, such as a report: its text as it grows, then the finished page. */
import { type ReactNode, useId, useState } from 'react'
import { isPageFile, OpenPage, PageFrame } from '#components/observation/page-view'
import { draftNow, madeTitle, type ReportDraft } from '#components/run/draft'
import { useRun } from '#components/run/run-context'
import { Spinner } from '#components/ui/bits'
import { FoldButton } from '#components/ui/fold-button'
import { Icon } from '#components/ui/icon'
import { Markdown } from '#components/ui/markdown'
import type { Artifact } from '#lib/spec/artifact'
import type { RunState } from '#lib/spec/state'
import styles from './document-panel.module.css'
import { useFollowEnd } from './use-follow-end'

/** Pixels from the end that still count as being at the end. */
const near = 24

interface DocumentPanelProps {
  /** `s` in a column that is low as well as narrow. */
  readonly size?: 's' | 'm'
}

/** Of the followed run. */
export function DocumentPanel({ size = 'm' }: DocumentPanelProps) {
  const draft = useRun(({ state }) => (state === null ? undefined : draftNow(state)), same)
  const page = useRun(({ state }) => state?.document?.artifact ?? state?.artifacts.findLast(isPageFile))
  const title = useRun(({ state }) => (page === undefined || state === null ? '' : titleOf(page, state)))
  if (draft !== undefined)
    return (
      <Panel
        size={size}
        icon={draft.stage === 'waiting' ? undefined : <Spinner size={14} />}
        title={draft.title}
        doing={stageWords[draft.stage]}
      >
        <Growing key={draft.callId} draft={draft} />
      </Panel>
    )
  return page === undefined ? null : <Panel size={size} {...finished(page, title)} />
}

interface StoredDocumentProps extends DocumentPanelProps {
  /** The files that the run has made. */
  readonly made: readonly Artifact[]
  /** Whether the page is shown from the beginning. */
  readonly isOpen: boolean
}

/** Of a run that has ended. */
export function StoredDocument({ made, isOpen, size = 'm' }: StoredDocumentProps) {
  const page = made.findLast(isPageFile)
  if (page === undefined) return null
  return <Panel size={size} isOpen={isOpen} {...finished(page, titleOf(page))} />
}

function titleOf(page: Artifact, state?: RunState): string {
  const isDocument = state?.document?.artifact.id === page.id
  return state !== undefined && isDocument ? madeTitle(state) : (page.description ?? page.name)
}

function finished(page: Artifact, title: string) {
  return {
    title,
    beside: <OpenPage artifact={page} title={title} />,
    children: <PageFrame key={page.id} artifact={page} isPart />,
  }
}

interface PanelProps extends Required<DocumentPanelProps> {
  readonly icon?: ReactNode
  readonly title: string
  readonly doing?: string
  /** At the right of the line that folds it. */
  readonly beside?: ReactNode
  readonly isOpen?: boolean
  readonly children: ReactNode
}

function Panel({ size, icon, title, doing, beside, isOpen: isOpenAtFirst = true, children }: PanelProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const id = useId()
  return (
    <section className={styles.panel} data-size={size} aria-label="Document">
      <header className={styles.head}>
        <FoldButton
          icon={icon ?? <Icon name="file-text" size={14} />}
          title={title || 'Document'}
          aside={doing}
          isOpen={isOpen}
          controls={id}
          onToggle={() => setOpen(!isOpen)}
        />
        {beside}
      </header>
      {isOpen && (
        <div id={id} className={styles.body}>
          {children}
        </div>
      )}
    </section>
  )
}

function same(a: ReportDraft | undefined, b: ReportDraft | undefined): boolean {
  return a?.callId === b?.callId && a?.text === b?.text && a?.title === b?.title && a?.stage === b?.stage
}

const stageWords: Readonly<Record<ReportDraft['stage'], string>> = {
  writing: 'being written',
  waiting: 'Waits for a decision',
  making: 'being made',
}

/** Follows the end of the text until a person scrolls away from it. */
function Growing({ draft: { callId, text } }: { draft: ReportDraft }) {
  const { scroller, content } = useFollowEnd(callId, near)
  return (
    <div
      ref={scroller}
      className={styles.draft}
      tabIndex={0}
      role="region"
      aria-label="The text so far"
      // The dialogue would have it read aloud with every word.
      aria-live="off"
      data-testid="draft"
    >
      <div ref={content}>
        <Markdown text={text} size="s" />
      </div>
    </div>
  )
}
