/**
 * The rows after the last step: the answer if no step shows it, and how the run ended if that needs a word.
 */

import { endingOf } from '#components/run/endings'
import { plainMarkdown } from '#components/ui/plain-markdown'
import { shortenText } from '#lib/spec/line'
import type { RunState } from '#lib/spec/state'
import { type Row, row } from './row'
import { unmadeCallOf } from './unmade-call'

/** @param shown the text that the row of the last step's model already shows */
export function endRows(state: RunState, shown: string | undefined): Row[] {
  const rows: Row[] = []
  if (state.answer !== null && state.finishedAt !== undefined && shown !== state.answer) {
    rows.push(
      row({
        id: 'answer',
        kind: 'answer',
        title: plainMarkdown(state.answer),
        words: state.answer,
        at: state.finishedAt,
      }),
    )
  }
  rows.push(...unreadRows(state))
  const notice = noticeOf(state)
  if (notice !== undefined) rows.push(notice)
  const unmade = unmadeCallOf(state)
  if (unmade !== undefined) rows.push(unmadeRow(unmade, state.finishedAt))
  return rows
}

/** What a person said too late for the run to read it. */
function unreadRows({ steered = [], finishedAt }: RunState): Row[] {
  if (finishedAt === undefined) return []
  return steered.map(({ text, at }, index) =>
    row({
      id: `unread-${index}`,
      kind: 'notice',
      title: 'You said, too late for the run to read it',
      detail: shortenText(text),
      words: text,
      tone: 'muted',
      at,
    }),
  )
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

/** The model may not be able to call tools in the format it was given. */
function unmadeRow(name: string, finishedAt: number | undefined): Row {
  return row({
    id: 'unmade-call',
    kind: 'notice',
    at: finishedAt ?? null,
    title: `It wrote about ${name} but called nothing.`,
    detail: 'The model may not call tools in this format.',
    isModelTest: true,
  })
}
