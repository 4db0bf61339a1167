'use client'
/** One line on what a run is doing or did; it opens to show the steps with their calls. */
import { useId, useMemo, useState } from 'react'
import { type CallLine, stepLines } from '#components/dialogue/doing'
import { duration } from '#components/run/figures'
import { Skeleton, Spinner } from '#components/ui/bits'
import { Icon } from '#components/ui/icon'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import type { RunState } from '#lib/spec/state'
import styles from './steps.module.css'

export interface StepsProps {
  /** Null where there is nothing to show. */
  readonly line: string | null
  readonly isGoing: boolean
  /** It waits for a person. */
  readonly isWaiting?: boolean
  /** Null while it is not known. */
  readonly state: RunState | null
  /** Grows with `state`, which changes in place. */
  readonly seq: number
  readonly error?: unknown
  readonly isOpenable: boolean
  onOpen(isOpen: boolean): void
}

export function Steps({ line, isGoing, isWaiting, state, seq, error, isOpenable, onOpen }: StepsProps) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (line === null) return null
  const words = (
    <>
      {isWaiting ? <Icon name="hand" size={14} /> : isGoing && <Spinner />}
      <span>{line}</span>
    </>
  )
  if (!isOpenable)
    return (
      <p className={styles.line} data-going={isGoing || undefined} data-waits={isWaiting || undefined}>
        {words}
      </p>
    )
  const toggle = () => {
    setOpen(!isOpen)
    onOpen(!isOpen)
  }
  return (
    <div>
      <button
        type="button"
        className={styles.line}
        data-going={isGoing || undefined}
        data-waits={isWaiting || undefined}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {words}
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} />
      </button>
      {isOpen && (
        <div id={id} className={styles.list}>
          {state !== null && <StepList state={state} seq={seq} />}
          {state === null && error == null && <Skeleton height={24} />}
          {error != null && <ErrorNote error={error} />}
        </div>
      )}
    </div>
  )
}

function StepList({ state, seq }: { state: RunState; seq: number }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the state changes in place, and `seq` tells it
  const lines = useMemo(() => stepLines(state), [state, seq])
  return (
    <ol>
      {lines.map(({ number, thought, calls, said = [] }) => (
        <li key={number}>
          {said.map((words, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what was said at a step never changes
            <p key={index} className={styles.step}>
              <b>You said</b> {words}
            </p>
          ))}
          <p className={styles.step}>
            <b>Step {number}</b> {thought}
          </p>
          <ul>
            {calls.map((each) => (
              <Call key={each.id} call={each} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

const icons: Partial<Record<CallLine['status'], string>> = {
  ok: 'check',
  denied: 'ban',
  waiting: 'hand',
  due: 'clock',
  skipped: 'circle-minus',
  interrupted: 'circle-alert',
}

const statusWord: Partial<Record<CallLine['status'], string>> = {
  ok: 'done',
  waiting: 'waits for you',
  due: 'due',
  streaming: 'being written',
  timeout: 'timed out',
}

function Call({ call: { name, args, status, isInBackground, ms, fault } }: { call: CallLine }) {
  const isGoing = status === 'running' || status === 'streaming'
  return (
    <li className={styles.call} data-status={status}>
      {isGoing ? <Spinner size={12} /> : <Icon name={icons[status] ?? 'circle-x'} size={12} />}
      <span className={shared.unseen}>{statusWord[status] ?? status}: </span>
      <code className={styles.name}>{name}</code>
      <code className={styles.args} title={args}>
        {args}
      </code>
      {isInBackground && <span className={styles.ms}>in the background</span>}
      {ms !== null && <span className={styles.ms}>{duration(ms)}</span>}
      {fault !== '' && (
        <span className={styles.fault} title={fault}>
          {fault}
        </span>
      )}
    </li>
  )
}
