/**
 * The rows after the last step: the answer if no step shows it, and how the run ended if that needs a word.
 */

import { endingOf } from '#components/run/endings'
import type { RunState } from '#lib/spec/state'
import { type Row, row } from './row'

/** @param shown the text that the row of the last step's model already shows */
export function endRows(state: RunState, shown: string | undefined): Row[] {
  const rows: Row[] = []
  if (state.answer !== null && state.finishedAt !== undefined && shown !== state.answer) {
    rows.push(
      row({
        id: 'answer',
        kind: 'answer',
        title: state.answer,
        words: state.answer,
        at: state.finishedAt,
      }),
    )
  }
  const notice = noticeOf(state)
  if (notice !== undefined) rows.push(notice)
  return rows
}

function noticeOf({ error, finishedAt }: RunState): Row | undefined {
  if (error === null) return undefined
  const { code, message } = error
  const ending = endingOf(error)
  const tone = ending?.tone ?? 'error'
  return row({
    id: 'error',
    kind: 'notice',
    at: finishedAt ?? null,
    title: ending?.title ?? message,
    detail: ending === undefined ? code : [message, ending.advice].filter(Boolean).join(' '),
    tone: tone === 'policy' ? 'denied' : tone,
  })
}
