'use client'
/** What a person said to a run while it was under way, and whether the agent has read it. */
import { useRun } from '#components/run/run-context'
import { Words } from '#components/ui/long-text'
import type { SteeredWords } from '#lib/wire/runs'
import { type SaidLine, saidLines, storedLines } from './doing'
import styles from './said-words.module.css'

/** To the followed run. */
export function SaidWords() {
  // The state changes in place; `seq` tells that it has.
  useRun((run) => run.seq)
  const state = useRun((run) => run.state)
  return <Lines lines={state === null ? [] : saidLines(state)} />
}

/** To a run that has ended. */
export function StoredWords({ said }: { said: readonly SteeredWords[] }) {
  return <Lines lines={storedLines(said)} />
}

function Lines({ lines }: { lines: readonly SaidLine[] }) {
  if (lines.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Your messages to the run">
      {lines.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are only ever added at the end
        <li key={index}>
          <Words text={each.text} className={styles.words} />
          <span className={styles.note}>{noteOf(each)}</span>
        </li>
      ))}
    </ul>
  )
}

function noteOf({ at, step }: SaidLine): string {
  switch (at) {
    case 'read':
      return `Read at step ${step}`
    case 'waiting':
      return 'The agent reads this at its next step'
    case 'unread':
      return 'The run ended before the agent could read this'
  }
  return at satisfies never
}
