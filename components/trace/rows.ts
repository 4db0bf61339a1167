/** The trace as rows: a pure reading of the run's state, one flat list in the order things happened. */
import type { Artifact } from '#lib/spec/artifact'
import { type Block, textOf } from '#lib/spec/message'
import type { CallState, RuledCall, RunState, StepState } from '#lib/spec/state'
import { endRows } from './end-rows'
import { argumentsText, count, duration, plural, size, streamedArguments } from './figures'
import { type Bar, type Row, type RowTone, row } from './row'

/** Rows of steps that are over never change: each is read once for either way it can stand. */
const settled = new WeakMap<StepState, { open: Row[] | null; closed: Row[] | null }>()

/** `folded` holds ids of rows whose children are hidden. */
export function rowsOf(state: RunState, folded: ReadonlySet<string>): Row[] {
  const rows: Row[] = []
  if (state.tools !== undefined) rows.push(...toolRows(state, !folded.has('tools')))
  for (const step of state.steps) {
    const read = stepRows(step, !folded.has(stepId(step)))
    if (state.finishedAt === undefined || step.finishedAt !== undefined) rows.push(...read)
    else for (const each of read) rows.push(stopped(each, state.finishedAt))
  }
  const last = state.steps.at(-1)
  rows.push(...endRows(state, last && modelRow(last)?.title))
  return rows
}

/** The title of a model's row before its first word. */
const awaited = 'Waiting for the model'
const nothingCame = 'No answer came'

/** What a run left open when it ended: nothing in it goes on. */
function stopped(each: Row, at: number): Row {
  const { until: _, ...rest } = each
  const { tone, title, bar } = rest
  return {
    ...rest,
    tone: tone === 'working' ? 'muted' : tone,
    title: title === awaited ? nothingCame : title,
    bar: bar === null ? null : { ...bar, end: bar.end ?? at },
  }
}

export function stepId(step: StepState): string {
  return `step-${step.number}`
}

function toolRows(state: RunState, open: boolean): Row[] {
  const { offered = [], withheld = [] } = state.tools ?? {}
  const head = row({
    id: 'tools',
    kind: 'tools',
    title: 'Tools',
    detail: `${count(offered.length)} offered${withheld.length > 0 ? `, ${count(withheld.length)} withheld` : ''}: ${offered.map((each) => each.name).join(', ')}`,
    ...(withheld.length > 0 ? { open } : {}),
  })
  if (!open) return [head]
  const kept = withheld.map((each) =>
    row({
      id: `withheld-${each.name}`,
      kind: 'ruling',
      depth: 1,
      title: each.name,
      detail: `withheld: ${each.reason}`,
      tone: 'denied',
    }),
  )
  return [head, ...kept]
}

function stepRows(step: StepState, open: boolean): Row[] {
  if (step.finishedAt === undefined) return readStep(step, open)
  let kept = settled.get(step)
  if (kept === undefined) {
    kept = { open: null, closed: null }
    settled.set(step, kept)
  }
  const key = open ? 'open' : 'closed'
  const known = kept[key]
  if (known !== null) return known
  const rows = readStep(step, open)
  kept[key] = rows
  return rows
}

function readStep(step: StepState, open: boolean): Row[] {
  const head = row({
    id: stepId(step),
    kind: 'step',
    step: step.number,
    title: step.summary ? 'Closing answer' : `Step ${step.number}`,
    detail: open ? '' : summaryOf(step),
    tone: step.finishedAt === undefined ? 'working' : 'plain',
    bar: { kind: 'step', start: step.startedAt, end: step.finishedAt ?? null },
    tokens: step.usage.input + step.usage.output || null,
    ...(step.usage.estimated && { isEstimated: true }),
    cost: step.usage.input + step.usage.output > 0 ? step.costUsd : null,
    ms: step.durationMs ?? null,
    open,
  })
  if (!open) return [head]
  const rows: Row[] = [head, ...retryRows(step)]
  const model = modelRow(step)
  if (model !== null) rows.push(model)
  for (const call of step.calls) rows.push(...callRows(step, call))
  return rows
}

function summaryOf(step: StepState): string {
  const [first, ...rest] = step.calls
  if (first === undefined) return textOf(step.parts ?? []) || step.live.text
  const more = rest.length > 0 ? ` and ${plural(rest.length, 'more call')}` : ''
  return `${first.name}${more}${first.result === undefined ? '' : `: ${gist(first.result)}`}`
}

/** The word for a wait that no request of this run has asked for. */
const rest = 'resting'

/** Requests that failed and were made again, each with why and how long was waited. */
function retryRows(step: StepState): Row[] {
  const awaited = isAwaiting(step) ? step.retries.at(-1) : undefined
  let begun = step.startedAt
  return step.retries.map((each, index) => {
    const { attempt, code, reason, waitMs, at } = each
    const bar: Bar = { kind: 'model', start: Math.min(begun, at), end: at, firstAt: null }
    begun = at + waitMs
    return row({
      id: `${stepId(step)}-retry-${index}`,
      kind: 'retry',
      depth: 1,
      step: step.number,
      title: code === rest ? 'Waits' : `Attempt ${attempt} failed`,
      detail: reason,
      tone: 'muted',
      bar: code === rest ? { ...bar, start: at, end: begun } : bar,
      ms: code === rest ? waitMs : null,
      tail: waitMs === 0 ? 'again at once' : `again after ${duration(waitMs)}`,
      ...(each === awaited && { until: at + waitMs }),
    })
  })
}

/** A wait before the next attempt is under way: the last request is the one that failed. */
function isAwaiting({ retries, request, answeredAt }: StepState): boolean {
  const last = retries.at(-1)
  return last !== undefined && answeredAt === undefined && (request === undefined || request.at <= last.at)
}

/** What the model said in this step beside its calls: its thought, and its text. */
function modelRow(step: StepState): Row | null {
  const { request } = step
  if (request === undefined || isAwaiting(step)) return null
  const parts = step.parts ?? []
  const reasoning =
    step.live.reasoning || parts.map((each) => (each.type === 'reasoning' ? each.text : '')).join('')
  const said = step.live.text || textOf(parts)
  const answered = step.answeredAt !== undefined
  const firstAt = step.firstTokenMs == null ? step.live.firstAt : request.at + step.firstTokenMs
  return row({
    id: `${stepId(step)}-model`,
    // Words without a call are what the run answers with; a thought stands before calls.
    kind: answered && reasoning === '' && said !== '' && step.calls.length === 0 ? 'answer' : 'thought',
    depth: 1,
    step: step.number,
    title: reasoning || said || (answered ? answerWords(step) : awaited),
    detail: reasoning !== '' && said !== '' ? said : '',
    tone: modelTone(step),
    bar: { kind: 'model', start: request.at, end: step.answeredAt ?? null, firstAt },
    ms: step.modelMs ?? null,
    ...(tailOf(step) !== '' && { tail: tailOf(step) }),
  })
}

/** Which attempt it is, when not the first; and where the answer stopped short. */
function tailOf({ request, finishReason }: StepState): string {
  const parts = request === undefined || request.attempt === 1 ? [] : [`attempt ${request.attempt}`]
  if (finishReason === 'length') parts.push('cut at the model’s limit')
  if (finishReason === 'filter') parts.push('broken off by the provider')
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
  return step.calls.length > 0 ? `Asks for ${plural(step.calls.length, 'call')}` : 'An empty answer'
}

function callRows(step: StepState, call: CallState): Row[] {
  const rows: Row[] = call.rulings.map((each, index) => rulingRow(step, call, each, index))
  rows.push(
    row({
      id: call.id,
      kind: 'call',
      depth: 1,
      step: step.number,
      title: call.name,
      detail:
        call.args === undefined ? streamedArguments(call.argsText || call.rawArgs) : argumentsText(call.args),
      tone: callTone(call),
      bar:
        call.startedAt === undefined
          ? null
          : { kind: 'tool', start: call.startedAt, end: call.finishedAt ?? null },
      ms: call.startedAt === undefined || call.finishedAt === undefined ? null : call.durationMs,
      call,
    }),
  )
  const observation = call.result === undefined ? firstLine(call.progress.text) : gist(call.result)
  if (observation !== '') rows.push(observationRow(step, call, observation))
  for (const artifact of call.created) rows.push(fileRow(step, call, artifact))
  return rows
}

function fileRow(step: StepState, call: CallState, artifact: Artifact): Row {
  return row({
    id: `${call.id}-file-${artifact.id}`,
    kind: 'file',
    depth: 2,
    step: step.number,
    title: artifact.path ?? artifact.name,
    detail: size(artifact.bytes),
    artifact,
  })
}

function rulingRow(step: StepState, call: CallState, ruling: RuledCall, index: number): Row {
  return row({
    id: `${call.id}-ruling-${index}`,
    kind: 'ruling',
    depth: 1,
    step: step.number,
    title: ruling.policy,
    detail: ruling.reason,
    tone: ruling.verdict === 'deny' ? 'denied' : 'plain',
    bar: { kind: 'policy', start: ruling.at, end: ruling.at },
  })
}

function observationRow(step: StepState, call: CallState, observation: string): Row {
  return row({
    id: `${call.id}-observation`,
    kind: 'observation',
    depth: 2,
    step: step.number,
    title: observation,
    tone: call.status === 'ok' || call.status === 'running' ? 'plain' : callTone(call),
    call,
  })
}

export function callTone(call: CallState): RowTone {
  switch (call.status) {
    case 'streaming':
    case 'running':
      return 'working'
    case 'due':
      return 'muted'
    case 'ok':
      return 'ok'
    case 'denied':
      return 'denied'
    case 'skipped':
    case 'interrupted':
      return 'muted'
    case 'error':
    case 'timeout':
    case 'unknown':
      return 'error'
    default:
      return call.status satisfies never
  }
}

/** An observation in one line: a table by its size and columns, a table of one row by its values, else the first line. */
function gist({ blocks, text }: { readonly blocks: readonly Block[]; readonly text: string }): string {
  const [block, ...more] = blocks
  if (block?.type !== 'table' || more.length > 0) return firstLine(text)
  const { columns, rows } = block
  const [row] = rows
  if (rows.length !== 1 || row === undefined) return `${plural(rows.length, 'row')}: ${columns.join(', ')}`
  return argumentsText(Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null])))
}

function firstLine(value: string): string {
  const end = value.indexOf('\n')
  return end < 0 ? value : `${value.slice(0, end)} …`
}
