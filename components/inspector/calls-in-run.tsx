'use client'
/**
 * The latest calls of a node in the shown run: the arguments, the outcome and the duration. Each opens in
 * place and links to the trace.
 */
import { useState } from 'react'
import { count, duration } from '#components/run/figures'
import { type CallAtRead, lastCalls, sameCalls } from '#components/run/last-calls'
import { usePoint, useRun } from '#components/run/run-context'
import { shownState } from '#components/run/run-store'
import { CallDetail } from '#components/trace/call-detail'
import { isWithheld, resultWithheld } from '#components/trace/call-rows'
import { Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { Line } from '#components/ui/line'
import shared from '#components/ui/shared.module.css'
import { argumentsLine, lineOf } from '#lib/spec/line'
import type { CallState } from '#lib/spec/state'
import styles from './calls-in-run.module.css'
import inspector from './inspector.module.css'

export function CallsInRun({ path }: { path: string }) {
  const { calls, total } = useRun((run) => lastCalls(shownState(run), path), sameCalls)
  if (total === 0) return null
  return (
    <section className={inspector.section} aria-label="In this run">
      <h3 className={inspector.heading}>
        In this run
        <span className={inspector.end}>{total === 1 ? '1 call' : `${count(total)} calls`}</span>
      </h3>
      <ul className={shared.list}>
        {calls.map((each) => (
          <Row key={each.call.id} called={each} />
        ))}
      </ul>
    </section>
  )
}

const signs: Readonly<Record<CallState['status'], { readonly icon: string; readonly word: string }>> = {
  streaming: { icon: 'loader-circle', word: 'being written' },
  due: { icon: 'clock', word: 'about to run' },
  waiting: { icon: 'hand', word: 'waiting for you' },
  running: { icon: 'loader-circle', word: 'running' },
  ok: { icon: 'check', word: 'ok' },
  error: { icon: 'circle-x', word: 'failed' },
  timeout: { icon: 'circle-x', word: 'timed out' },
  denied: { icon: 'ban', word: 'denied' },
  unknown: { icon: 'circle-x', word: 'unknown' },
  skipped: { icon: 'circle-minus', word: 'skipped' },
  interrupted: { icon: 'circle-x', word: 'interrupted' },
}

const withheld = { icon: 'circle-x', word: resultWithheld }

function Row({ called: { call, step, status } }: { called: CallAtRead }) {
  const [isOpen, setOpen] = useState(false)
  const point = usePoint()
  const { icon, word } = isWithheld({ ...call, status }) ? withheld : signs[status]
  const args = call.args === undefined ? '' : lineOf(argumentsLine(call.args))
  return (
    <li>
      <button
        type="button"
        className={inspector.item}
        aria-expanded={isOpen}
        title={`${lineOf(call.name)} ${args}`.trim()}
        onClick={() => {
          setOpen(!isOpen)
          if (!isOpen) point({ call: call.id, step })
        }}
      >
        <span className={styles.sign} data-status={status}>
          {icon === 'loader-circle' ? <Spinner size={12} /> : <Icon name={icon} size={12} />}
        </span>
        <span className={styles.step}>Step {step}</span>
        <span className={styles.args}>
          <Line text={args === '' ? call.name : args} />
        </span>
        <span className={styles.figure}>
          {call.finishedAt === undefined || status !== 'ok' ? word : duration(call.durationMs)}
        </span>
      </button>
      {isOpen && (
        <div className={styles.open}>
          <CallDetail call={call} raw={false} />
        </div>
      )}
    </li>
  )
}
