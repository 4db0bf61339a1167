/** The rows of a call's questions to a person, and of the replies. Pure. */
import type { AskedInput } from '#lib/spec/input'
import { argumentsLine } from '#lib/spec/line'
import type { CallState } from '#lib/spec/state'
import { type Bar, type Row, row } from './row'

export function inputRows(step: number, call: CallState): Row[] {
  const { inputs = [] } = call
  return inputs.flatMap((input, index) => {
    const rows = [questionRow(step, call, input)]
    if (input.given !== undefined) rows.push(replyRow(step, call, input))
    if (isLastOfRound(inputs, index) && hasGoneOn(call, input)) rows.push(continuedRow(step, call, input))
    return rows
  })
}

/** The waits for replies, and the work between them and after them. */
export function inputBars({ inputs = [], finishedAt }: CallState): Bar[] {
  const asked = inputs.filter(({ refused }) => refused === undefined)
  return asked.flatMap(({ askedAt, given }, index): Bar[] => {
    const wait: Bar = { kind: 'wait', start: askedAt, end: given?.at ?? finishedAt ?? null }
    const next = asked[index + 1]
    if (given === undefined || (next !== undefined && next.askedAt <= given.at)) return [wait]
    return [wait, { kind: 'tool', start: given.at, end: next?.askedAt ?? finishedAt ?? null }]
  })
}

/** When the call first waited for a reply; undefined when it never did. */
export function firstAskedAt({ inputs = [] }: CallState): number | undefined {
  return inputs.find(({ refused }) => refused === undefined)?.askedAt
}

function questionRow(
  step: number,
  call: CallState,
  { inputId, server, question, url, ...asked }: AskedInput,
) {
  return row({
    id: `${call.id}-input-${inputId}`,
    kind: 'notice',
    depth: 2,
    step,
    tool: call.name,
    title: server === undefined ? 'Question' : `Question of ${server}`,
    detail: url === undefined ? question : `${question} (${url})`,
    at: asked.askedAt,
    tone: asked.given === undefined && call.result === undefined ? 'waiting' : 'plain',
  })
}

function replyRow(step: number, call: CallState, input: AskedInput): Row {
  const { inputId, given } = input
  return row({
    id: `${call.id}-reply-${inputId}`,
    kind: 'notice',
    depth: 2,
    step,
    tool: call.name,
    title: input.refused === undefined ? replyTitle(given) : 'Not asked',
    detail: replyWords(given),
    at: given?.at ?? null,
    tone: given?.action === 'answer' ? 'plain' : 'muted',
  })
}

type Given = AskedInput['given']

function replyTitle(given: Given): string {
  const by = given?.by ?? 'rule'
  switch (by) {
    case 'person':
      return given?.action === 'answer'
        ? 'Your reply'
        : given?.action === 'decline'
          ? 'You declined'
          : 'You cancelled'
    case 'timeout':
      return 'Nobody replied'
    case 'restart':
      return 'Question lost'
    case 'cancel':
      return 'Question closed'
    case 'rule':
      return 'Not asked'
  }
  return by satisfies never
}

function replyWords(given: Given): string {
  if (given === undefined) return ''
  if (given.by === 'restart')
    return 'The server restarted while this question was open. A call that can run again asks again.'
  if (given.values !== undefined) return argumentsLine(given.values)
  return given.text ?? (given.action === 'answer' ? 'done' : '')
}

/** The body has run again with the replies of this round, which is its second run by right. */
function continuedRow(step: number, call: CallState, { inputId, given }: AskedInput): Row {
  return row({
    id: `${call.id}-continued-${inputId}`,
    kind: 'notice',
    depth: 2,
    step,
    tool: call.name,
    title: 'Continued',
    detail: 'The call ran again with the replies. Its first run had ended by itself, with the questions.',
    at: given?.at ?? null,
    tone: 'muted',
  })
}

function isLastOfRound(inputs: readonly AskedInput[], index: number): boolean {
  const { round } = inputs[index] ?? {}
  return round !== undefined && inputs[index + 1]?.round?.number !== round.number
}

function hasGoneOn(call: CallState, { round }: AskedInput): boolean {
  return round !== undefined && (call.continued ?? 0) >= round.number
}
