'use client'
/** What opens below a row: its text or its call, rendered or raw, with copy buttons. */
import { useLayoutEffect, useRef, useState } from 'react'
import { useFork } from '#components/run/fork-context'
import { useRun } from '#components/run/run-context'
import { Button } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { LongText } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import { CallDetail } from './call-detail'
import styles from './opened-row.module.css'
import type { Row } from './row'
import { callJson, rowJson, stepCurl } from './row-copy'

export interface OpenedRowProps {
  readonly row: Row
  /** Called at once and on every change of size, because the rows below are placed under it. */
  onMeasure(id: string, height: number): void
}

export function OpenedRow({ row, onMeasure }: OpenedRowProps) {
  const [isRaw, setRaw] = useState(false)
  const runId = useRun((run) => run.runId)
  const { call, id } = row
  const fork = useFork()
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => onMeasure(id, element.offsetHeight)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [id, onMeasure])
  return (
    <div ref={box} className={styles.opened}>
      <div className={styles.openedBar}>
        <Button size="s" pressed={isRaw} onClick={() => setRaw(!isRaw)}>
          Raw
        </Button>
        <CopyButton
          isWide
          label={call === undefined ? 'Copy as JSON' : 'Copy call as JSON'}
          text={() => (call === undefined ? rowJson(row) : callJson(call))}
        />
        {fork !== null && row.step > 0 && (
          <Button
            size="s"
            icon="git-fork"
            onClick={() => fork({ step: row.step, ...(call && { callId: call.id, edit: 'args' }) })}
          >
            Fork from here
          </Button>
        )}
        {runId !== null && row.step > 0 && (
          <CopyButton isWide label="Copy request as curl" text={() => stepCurl(runId, row.step)} />
        )}
      </div>
      <div className={styles.openedBody} tabIndex={0} role="region" aria-label="Opened row">
        {call !== undefined ? <CallDetail call={call} raw={isRaw} /> : <Words row={row} isRaw={isRaw} />}
      </div>
    </div>
  )
}

function Words({ row, isRaw }: { row: Row; isRaw: boolean }) {
  const text = row.words ?? [row.title, row.detail].filter(Boolean).join('\n\n')
  if (isRaw || (row.kind !== 'thought' && row.kind !== 'answer')) return <LongText text={text} />
  return <Markdown text={text} size="s" />
}
