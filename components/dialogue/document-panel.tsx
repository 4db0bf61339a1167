'use client'
/** The document that the followed run writes, such as a report: its text as it grows, then the finished page. */
import { useId, useState } from 'react'
import { isPageFile, OpenPage, PageFrame } from '#components/observation/page-view'
import { draftNow, madeTitle, type ReportDraft } from '#components/run/draft'
import { useRun } from '#components/run/run-context'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import { Markdown } from '#components/ui/markdown'
import type { Artifact } from '#lib/spec/artifact'
import styles from './document-panel.module.css'
import { useFollowEnd } from './use-follow-end'

/** Pixels from the end that still count as being at the end. */
const near = 24

/** @param size `s` in a column that is low as well as narrow */
export function DocumentPanel({ size = 'm' }: { size?: 's' | 'm' }) {
  const draft = useRun(({ state }) => (state === null ? undefined : draftNow(state)), same)
  const page = useRun(({ state }) => state?.document?.artifact)
  const made = useRun(({ state }) => (state === null ? '' : madeTitle(state)))
  const [isOpen, setOpen] = useState(true)
  const id = useId()
  const shown = page !== undefined && isPageFile(page) ? page : undefined
  if (draft === undefined && shown === undefined) return null
  const title = draft === undefined ? made : draft.title
  return (
    <section className={styles.panel} data-size={size} aria-label="Document">
      <header className={styles.head}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {draft === undefined || draft.stage === 'waiting' ? (
            <Icon name="file-text" size={14} />
          ) : (
            <Spinner size={14} />
          )}
          <span className={styles.title}>
            <Line text={title || 'Document'} />
          </span>
          {draft !== undefined && <span className={styles.doing}>{stageWords[draft.stage]}</span>}
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
        </button>
        {draft === undefined && shown !== undefined && <OpenPage artifact={shown} title={made} />}
      </header>
      {isOpen && (
        <div id={id} className={styles.body}>
          {draft === undefined ? <Page page={shown} /> : <Growing key={draft.callId} draft={draft} />}
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

function Page({ page }: { page: Artifact | undefined }) {
  return page === undefined ? null : <PageFrame key={page.id} artifact={page} isPart />
}
