'use client'
/** The details of a row: its text, its call or its result, rendered or raw, with copy buttons. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { RecallView } from '#components/observation/recall-view'
import { useFork } from '#components/run/fork-context'
import { useRun } from '#components/run/run-context'
import { namesOfCalls } from '#components/run/run-inside'
import { shownState } from '#components/run/run-store'
import { Button, ButtonLink, IconButton } from '#components/ui/button'
import { CopyButton } from '#components/ui/copy-button'
import { LongText } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import { lineOf } from '#lib/spec/line'
import { CallDetail, Result } from './call-detail'
import styles from './opened-row.module.css'
import { placeOf, type Row } from './row'
import { callJson, rowJson, stepCurl } from './row-copy'
import { useTryAgain } from './use-try-again'

export interface OpenedRowProps {
  readonly row: Row
  /** Called at once and on every change of size, because the rows below are placed under it. */
  onMeasure(id: string, height: number): void
}

/** Below its row, in the table. */
export function OpenedRow({ row, onMeasure }: OpenedRowProps) {
  const { id } = row
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
      <RowDetail row={row} />
    </div>
  )
}

/** Next to the table, where the table is too low to show a row in it. */
export function RowPanel({ row, onClose }: { row: Row; onClose(): void }) {
  const panel = useRef<HTMLElement>(null)
  useEffect(() => panel.current?.focus(), [])
  return (
    <section
      ref={panel}
      className={styles.panel}
      aria-label={`Details of ${row.title}`}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        onClose()
      }}
    >
      <header className={styles.panelHead}>
        <h3 className={styles.name}>{row.call === undefined ? row.title : lineOf(row.call.name)}</h3>
        <IconButton icon="x" size="s" label="Close the details" onClick={onClose} />
      </header>
      <RowDetail key={row.id} row={row} />
    </section>
  )
}

function RowDetail({ row }: { row: Row }) {
  const [isRaw, setRaw] = useState(false)
  const { call, parent } = row
  const through = useRun((run) => namesOfCalls(shownState(run), parent), sameNames)
  const actions = <Actions row={row} isRaw={isRaw} onRaw={setRaw} />
  const isResult = row.kind === 'observation' && call?.result !== undefined
  return (
    <div className={styles.openedBody} tabIndex={0} role="region" aria-label="Opened row">
      {call !== undefined && !isResult ? (
        <CallDetail call={call} raw={isRaw} through={through} actions={actions} />
      ) : (
        <>
          <div className={styles.line}>
            <span>{call === undefined ? null : 'Result'}</span>
            {actions}
          </div>
          {call?.result === undefined ? (
            <Words row={row} isRaw={isRaw} />
          ) : (
            <Result result={call.result} artifact={call.artifact} raw={isRaw} />
          )}
        </>
      )}
    </div>
  )
}

const sameNames = (one: readonly string[] | undefined, other: readonly string[] | undefined) =>
  one?.join('\n') === other?.join('\n')

interface ActionsProps {
  readonly row: Row
  readonly isRaw: boolean
  onRaw(isRaw: boolean): void
}

function Actions({ row, isRaw, onRaw }: ActionsProps) {
  const { call } = row
  const runId = useRun((run) => run.runId)
  const fork = useFork()
  const tryAgain = useTryAgain()
  const place = placeOf(row)
  const href = row.kind === 'call' ? tryAgain(row) : null
  return (
    <span className={styles.actions}>
      <Button size="s" pressed={isRaw} onClick={() => onRaw(!isRaw)}>
        Raw
      </Button>
      <CopyButton
        label={call === undefined ? 'Copy as JSON' : 'Copy call as JSON'}
        text={() => (call === undefined ? rowJson(row) : callJson(call))}
      />
      {fork !== null && place !== null && (
        <Button
          size="s"
          icon="git-fork"
          onClick={() =>
            fork({
              ...place,
              ...(row.edit && { edit: row.edit }),
              ...(call && { callId: call.id, edit: row.kind === 'observation' ? 'result' : 'args' }),
            })
          }
        >
          Fork from here
        </Button>
      )}
      {href !== null && (
        <ButtonLink size="s" variant="plain" icon="play" href={href}>
          Try again
        </ButtonLink>
      )}
      {runId !== null && place !== null && (
        <CopyButton isWide label="Copy request as curl" text={() => stepCurl(runId, place)} />
      )}
    </span>
  )
}

function Words({ row, isRaw }: { row: Row; isRaw: boolean }) {
  const text = row.words ?? [row.title, row.detail].filter(Boolean).join('\n\n')
  if (row.recall !== undefined && !isRaw) return <RecallView recall={row.recall} />
  if (isRaw || (row.kind !== 'thought' && row.kind !== 'answer')) return <LongText text={text} />
  return <Markdown text={text} size="s" />
}
