/**
 * The rows of one step: its head, failed attempts, the model's output, and its calls. Pure; a finished step
 * is read once.
 */

import { cutAuthor, cutReason, cutSizes, cutTitle, replacedSteps } from '#components/run/cut-words'
import { cacheText, count, duration, plural, wholeDuration } from '#components/run/figures'
import { planFigures, planLines } from '#components/run/plan-words'
import { plainMarkdown } from '#components/ui/plain-markdown'
import { awaitedRetry, isSettled } from '#lib/agent/state/reading'
import { lineLength, shortenText } from '#lib/spec/line'
import { textOf } from '#lib/spec/message'
import type { StepState } from '#lib/spec/state'
import { argumentsOf, callBars, callRows, observationId, observationLine } from './call-rows'
import { hookRows } from './hook-rows'
import { type Bar, type Row, type RowTone, row } from './row'

/** Rows of settled steps never change: they are built once folded and once unfolded. */
const settled = new WeakMap<StepState, { open: readonly Row[] | null; closed: readonly Row[] | null }>()

/** The title of a model's row before its first output. */
export const awaited = 'Waiting for the model'
export const nothingCame = 'No answer came'

export function stepId(step: Pick<StepState, 'number'>): string {
  return `step-${step.number}`
}

export function stepRows(step: StepState, open: boolean): readonly Row[] {
  let kept = settled.get(step)
  if (kept === undefined) {
    if (!isSettled(step)) return readStep(step, open)
    kept = { open: null, closed: null }
    settled.set(step, kept)
  }
  const key = open ? 'open' : 'closed'
  kept[key] ??= readStep(step, open)
  return kept[key]
}

function readStep(step: StepState, open: boolean): Row[] {
  const { input, output, estimated } = step.usage
  const head = row({
    id: stepId(step),
    kind: 'step',
    step: step.number,
    title: step.summary ? 'Closing answer' : `Step ${step.number}`,
    tone: step.finishedAt === undefined ? 'working' : 'plain',
    bar: { kind: 'step', start: step.startedAt, end: step.finishedAt ?? null },
    tokens: input + output || null,
    ...(estimated && { isEstimated: true }),
    cost: input + output > 0 ? step.costUsd : null,
    ms: step.durationMs ?? null,
    open,
    ...(open && headTail(step)),
    ...(step.copied === 'whole' && { isCopied: true }),
    ...(!open && closedLine(step)),
  })
  if (!open) return [head]
  const rows: Row[] = [
    head,
    ...resultRows(step),
    ...noteRow(step),
    ...saidRows(step),
    ...planRow(step),
    ...droppedMessagesRow(step),
    ...cutRows(step),
    ...retryRows(step),
  ]
  const of = { holder: stepId(step), step: step.number }
  rows.push(...hookRows(step.hooks, 'pre_reasoning', of))
  const model = modelRow(step)
  if (model !== null) rows.push(model)
  rows.push(...warningRows(step), ...hookRows(step.hooks, 'post_reasoning', of))
  rows.push(...hookRows(step.hooks, 'print', of))
  // The result of the call that ended the run is its answer, which has a row of its own.
  const answer = step.finalOf && observationId(step.finalOf)
  for (const call of step.calls) rows.push(...callRows(step.number, call).filter(({ id }) => id !== answer))
  return step.copied === 'whole' ? rows.map((each) => ({ ...each, isCopied: true })) : rows
}

/** What was copied from another run, or what the provider's cache held of the request. */
function headTail({ copied, usage, savedUsd }: StepState): Pick<Row, 'tail'> {
  if (copied !== undefined) return { tail: copied === 'whole' ? 'copied' : 'copied in part' }
  // What was only written to the cache is among the figures of the step.
  const cache = usage.cached ? cacheText(usage, savedUsd) : null
  return cache === null ? {} : { tail: cache }
}

/** A folded step shows its first call, its outcome, and the bars of everything in it. */
function closedLine(step: StepState): Pick<Row, 'detail' | 'tail' | 'beside'> {
  const model = modelRow(step)
  const beside = [...(model?.bar ? [model.bar] : []), ...step.calls.flatMap((call) => callBars(call))]
  const [first, ...rest] = step.calls
  if (first === undefined) {
    const said = textOf(step.parts ?? [])
    return { detail: said === '' ? (model?.title ?? '') : `Answer: ${shortenText(said)}`, beside }
  }
  const more = rest.length > 0 ? `and ${plural(rest.length, 'more call')}` : argumentsOf(first)
  const detail = more === '' ? first.name : `${first.name} ${more}`
  return { detail, ...(first.result !== undefined && { tail: observationLine(first.result) }), beside }
}

/** Results of calls in the background, which the model reads from this step on. */
function resultRows(step: StepState): Row[] {
  return (step.noted ?? []).map((call) =>
    notice(step, `noted-${call.id}`, {
      title: `Result of ${call.name}, from the background`,
      detail: call.result === undefined ? '' : observationLine(call.result),
      words: call.result?.text ?? '',
      isNote: true,
    }),
  )
}

/** What the model was told before the step, because its last answer did not end the run. */
function noteRow(step: StepState): Row[] {
  const { said, before } = step
  if (said === undefined) return []
  const title = before === undefined ? 'Note to the model' : 'Asked to continue where it was cut off'
  return [notice(step, 'told', { title, detail: shortenText(said), words: said, isNote: true })]
}

/** What a person said to the run, which this step was the first to read. */
function saidRows(step: StepState): Row[] {
  return (step.steered ?? []).map(({ text, at }, index) =>
    notice(step, `said-${index}`, { title: 'You said', detail: shortenText(text), words: text, at }),
  )
}

/** The plan that a person has changed, as this step is the first to read it. */
function planRow({ plan, planEditedAt: at, ...step }: StepState): Row[] {
  if (plan === undefined || at === undefined) return []
  const detail = `${plan.title}: ${planFigures(plan)}`
  return [notice(step, 'plan', { title: 'You changed the plan', detail, words: planLines(plan), at })]
}

/** The messages that did not fit into the model's context window. */
function droppedMessagesRow(step: StepState): Row[] {
  const { truncated } = step
  if (truncated === undefined) return []
  return [
    notice(step, 'left-out', {
      title: `The oldest ${plural(truncated.dropped, 'message')} left out`,
      detail: `${count(truncated.kept)} kept: the dialogue was too long for the history policy.`,
    }),
  ]
}

/** What was cut from the run's own steps, since the request would not have fitted the model's context window. */
function cutRows(step: StepState): Row[] {
  return (step.compacted ?? []).map((cut, index) => {
    const { calls, summary } = cut
    const why = `${cutReason(cut)} ${cutSizes(cut)}`
    const author = cutAuthor(cut)
    const words = [
      why,
      ...(calls.length === 0 ? [] : [`Taken out: the results of ${calls.join(', ')}.`]),
      ...(author === '' ? [] : [author]),
      ...(summary === undefined ? [] : [`${replacedSteps(cut)}:\n${summary}`]),
    ]
    return notice(step, `cut-${index}`, {
      title: cutTitle(cut),
      detail: why,
      words: words.join('\n\n'),
      ...(summary !== undefined && { edit: 'summary' }),
    })
  })
}

/** What the protocol repaired in the answer or left out of it. */
function warningRows(step: StepState): Row[] {
  return (step.warnings ?? []).map((words, index) =>
    notice(step, `warning-${index}`, { title: 'Repaired', detail: words, words }),
  )
}

function notice(
  step: Pick<StepState, 'number'>,
  id: string,
  said: Pick<Row, 'title' | 'detail'> & Partial<Row>,
): Row {
  return row({
    id: `${stepId(step)}-${id}`,
    kind: 'notice',
    depth: 1,
    step: step.number,
    tone: 'muted',
    ...said,
  })
}

/**
 * The code of a wait that no request of this run caused: the provider is paused after several failures in a
 * row.
 */
const rest = 'resting'

/** Failed requests that were retried, each with the reason and the wait before the next request. */
function retryRows(step: StepState): Row[] {
  const awaitedAfter = awaitedRetry(step)
  let begun = step.startedAt
  return step.retries.map((each, index) => {
    const { attempt, code, reason, waitMs, at } = each
    const isRest = code === rest
    const bar: Bar = { kind: 'model', start: Math.min(begun, at), end: at, firstAt: null }
    const isAwaited = each === awaitedAfter && step.finishedAt === undefined
    const pause: Bar = { kind: 'pause', start: at, end: isAwaited ? null : at + waitMs }
    begun = at + waitMs
    return row({
      id: `${stepId(step)}-retry-${index}`,
      kind: 'retry',
      depth: 1,
      step: step.number,
      title: isRest ? 'Paused' : `Attempt ${attempt} failed`,
      detail: shortenText(reason),
      words: reason,
      tone: 'muted',
      bar: isRest ? pause : bar,
      ...(!isRest && waitMs > 0 && { beside: [pause] }),
      ms: isRest ? waitMs : null,
      tail: waitMs === 0 ? 'retried at once' : `waits ${wholeDuration(waitMs)}`,
      ...(each === awaitedAfter && { until: at + waitMs }),
    })
  })
}

/** What the model said in this step beside its calls: its thought, and its text. */
export function modelRow(step: StepState): Row | null {
  const { request } = step
  if (request === undefined || awaitedRetry(step) !== undefined) return null
  const parts = step.parts ?? []
  const reasoning =
    step.live.reasoning || parts.map((each) => (each.type === 'reasoning' ? each.text : '')).join('')
  const said = step.live.text || textOf(parts)
  const answered = step.answeredAt !== undefined
  const firstAt = step.firstTokenMs == null ? step.live.firstAt : request.at + step.firstTokenMs
  const words = reasoning || said
  return row({
    id: `${stepId(step)}-model`,
    // Text without calls is the run's answer; text before calls is a thought.
    kind: answered && reasoning === '' && said !== '' && step.calls.length === 0 ? 'answer' : 'thought',
    depth: 1,
    step: step.number,
    ...(answered || words === ''
      ? {
          title: shortenText(plainMarkdown(words)) || (answered ? answerWords(step) : awaited),
          detail: reasoning === '' ? '' : shortenText(plainMarkdown(said)),
        }
      : { title: lastWords(said || reasoning), isTail: true as const }),
    ...(words !== '' && { words: reasoning !== '' && said !== '' ? `${reasoning}\n\n${said}` : words }),
    tone: modelTone(step),
    bar: { kind: 'model', start: request.at, end: step.answeredAt ?? null, firstAt },
    ms: step.modelMs ?? null,
    ...(tailOf(step) !== '' && { tail: tailOf(step) }),
  })
}

/** The end of a text that is still growing: what the model writes now. */
function lastWords(text: string): string {
  return text.slice(-lineLength).trim()
}

/** The number of the attempt, if not the first, and whether the answer was cut off. */
function tailOf({ request, finishReason, savedMs, edited }: StepState): string {
  const parts = request === undefined || request.attempt === 1 ? [] : [`attempt ${request.attempt}`]
  if (edited) parts.push('written by you')
  if (finishReason === 'length') parts.push('cut off at the model’s limit')
  if (finishReason === 'filter') parts.push('stopped by the provider')
  if (savedMs) parts.push(`parallel calls saved ${duration(savedMs)}`)
  return parts.join(', ')
}

function modelTone(step: StepState): RowTone {
  if (step.answeredAt === undefined) return 'working'
  return step.finishReason === 'fault' || step.finishReason === 'cut' ? 'error' : 'plain'
}

function answerWords(step: StepState): string {
  if (step.finishReason === 'fault' || step.finishReason === 'cut')
    return step.firstTokenMs == null ? nothingCame : 'The answer broke off'
  if (step.finishReason === 'cancelled') return 'Cancelled'
  return step.calls.length > 0 ? `Requests ${plural(step.calls.length, 'call')}` : 'Empty answer'
}
