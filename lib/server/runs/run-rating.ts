/** Stores what a person says about the answer of a run. */
import { AppError } from '#lib/spec/errors'
import type { Feedback } from '#lib/spec/feedback'
import type { RunRow, RunStore } from '#lib/spec/store'

/** Throws `conflict` for a run that is not finished. */
export function rateRun(
  runs: RunStore,
  { id, finishedAt }: RunRow,
  { rating, text = '' }: Feedback,
): Feedback {
  if (finishedAt === null)
    throw new AppError('conflict', 'The run is not finished yet. Rate its answer when it has ended.')
  const feedback: Feedback = { rating, ...(text.trim() !== '' && { text: text.trim() }) }
  runs.setFeedback(id, feedback)
  return feedback
}
