'use client'
/** Above the field: messages that are on their way, and those that wait until the run has ended. */
import { IconButton } from '#components/ui/button'
import { Line } from '#components/ui/line'
import { lineOf } from '#lib/spec/line'
import type { Dialogue } from './use-dialogue'
import styles from './waiting-messages.module.css'

export function WaitingMessages({ dialogue: { state, acts } }: { dialogue: Dialogue }) {
  const { held, late, waiting, problem } = state
  const isEmpty = held === null && late.length === 0 && waiting.length === 0
  return (
    <>
      {!isEmpty && (
        <ol className={styles.list} aria-label="Waiting messages">
          {waiting.map(({ id, input }) => (
            <li key={id} className={styles.item}>
              <Text input={input} />
              <em>after this</em>
              <IconButton
                icon="pencil"
                size="s"
                label="Edit the waiting message"
                onClick={() => acts.removeWaiting(id, true)}
              />
              <IconButton
                icon="trash-2"
                size="s"
                label="Delete the waiting message"
                onClick={() => acts.removeWaiting(id, false)}
              />
            </li>
          ))}
          {late.map(({ key, input }) => (
            <li key={key} className={styles.item}>
              <Text input={input} />
              <em>sending</em>
            </li>
          ))}
          {held !== null && (
            <li className={styles.item}>
              <Text input={held.input} />
              <em>when the question has begun</em>
              <IconButton
                icon="pencil"
                size="s"
                label="Edit the waiting message"
                onClick={acts.takeHeldBack}
              />
            </li>
          )}
        </ol>
      )}
      {problem !== null && (
        <p className={styles.problem} role="alert">
          The message was not sent: {problem}
        </p>
      )}
    </>
  )
}

function Text({ input }: { input: string }) {
  return (
    <span className={styles.text} title={lineOf(input, 1_000)}>
      <Line text={input} />
    </span>
  )
}
