'use client'
/** A run's question with its answer, the text received so far, or the reason why there is no answer. */
import { answerWords } from '#components/run/answer-words'
import { Rating } from '#components/run/rating'
import { useRun } from '#components/run/run-context'
import { Words } from '#components/ui/long-text'
import { Markdown } from '#components/ui/markdown'
import { ErrorNote } from '#components/ui/notice'
import shared from '#components/ui/shared.module.css'
import { streamingText } from '#lib/agent/state/fold'
import type { RunView } from '#lib/wire/runs'
import styles from './run-dock.module.css'
import { SettingsWay } from './settings-way'

export function RunAnswer({
  run: { id, input, feedback },
}: {
  run: Pick<RunView, 'id' | 'input' | 'feedback'>
}) {
  const isOver = useRun((run) => run.state?.finishedAt !== undefined)
  const answer = useRun((run) => run.state?.answer ?? null)
  const output = useRun((run) => run.state?.output)
  const error = useRun((run) => run.state?.error ?? null)
  const soFar = useRun(({ state }) => {
    const step = state?.steps.at(-1)
    return step === undefined ? '' : streamingText(step)
  })
  return (
    <section className={styles.answer} tabIndex={0} aria-label="Question and answer">
      <Words text={input} className={styles.question} />
      {answer !== null && (
        <div className={styles.text}>
          <Markdown text={answerWords(answer, output)} />
        </div>
      )}
      {answer === null && !isOver && (
        <div className={styles.text} data-live="">
          {soFar === '' ? 'No answer yet.' : <Markdown text={soFar} />}
        </div>
      )}
      {answer === null && isOver && error === null && (
        <p className={shared.empty}>It ended without an answer.</p>
      )}
      {error !== null && (
        <>
          <ErrorNote error={error} />
          <SettingsWay fault={error} />
        </>
      )}
      {isOver && (
        <div className={styles.rating}>
          <Rating runId={id} known={feedback ?? null} />
        </div>
      )}
    </section>
  )
}
