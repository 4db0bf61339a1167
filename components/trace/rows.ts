/** The trace as rows: computed from the run's state alone, one flat list in the order things happened. */

import { count, plural } from '#components/run/figures'
import { lostMocks, mockedWords, mockNames } from '#components/run/mock-mark'
import { plainMarkdown } from '#components/ui/plain-markdown'
import { joinPath } from '#lib/agent/state/reading'
import { shortenText } from '#lib/spec/line'
import type { CallState, RecallState, RunState, StepState } from '#lib/spec/state'
import { changeRows } from './change-rows'
import { endRows } from './end-rows'
import { hookRows } from './hook-rows'
import { recallRows } from './recall-rows'
import { placeOf, type Row, type RowTone, row } from './row'
import { awaited, modelRow, nothingCame, stepId, stepRows } from './step-rows'

export { callTone } from './call-rows'
export { stepId } from './step-rows'

/** `folded` holds the ids of rows whose children are hidden. */
export function rowsOf(state: RunState, folded: ReadonlySet<string>): Row[] {
  return [
    ...headRows(state, folded),
    ...state.steps.flatMap((step) => rowsOfStep(state, step, folded)),
    ...lastRows(state),
  ]
}

/** The rows before the first step. */
export function headRows(state: RunState, folded: ReadonlySet<string>): Row[] {
  if (state.tools === undefined) return []
  return [
    ...mockRows(state),
    ...toolRows(state, !folded.has('tools')),
    ...hookRows(state.hooks, 'pre_reply', ofRun),
    ...recallRows(state.recall, ofRun, isGiven),
  ]
}

/** Which tools are mocked in the run, and which of their mocks have no tool. */
function mockRows(state: RunState): Row[] {
  const { mocks = [] } = state
  if (mocks.length === 0) return []
  const lost = lostMocks(state)
  const missing = lost.length === 0 ? '' : `no such tool in this run: ${lost.join(', ')}`
  return [
    row({
      id: 'mocks',
      kind: 'notice',
      title: `${plural(mocks.length, 'tool')} mocked`,
      detail: [missing, mockNames(mocks)].filter((each) => each !== '').join('; '),
      words: [mockedWords(mocks), missing].filter((each) => each !== '').join('; '),
      tone: 'muted',
      at: state.startedAt ?? null,
    }),
  ]
}

/** The rows of one step; once the step is finished, always the same list. */
export function rowsOfStep(state: RunState, step: StepState, folded: ReadonlySet<string>): readonly Row[] {
  const own = withInside(stepRows(step, !folded.has(stepId(step))), step, folded)
  const read = step.toolChanges === undefined ? own : [...changeRows(step), ...own]
  const { finishedAt } = state
  if (finishedAt === undefined || step.finishedAt !== undefined) return read
  return read.map((each) => stopRow(each, finishedAt))
}

/** Puts the rows of each run inside a call below the row of that call. */
function withInside(rows: readonly Row[], step: StepState, folded: ReadonlySet<string>): readonly Row[] {
  if (step.calls.every(({ inner }) => inner === undefined)) return rows
  const inside = new Map(step.calls.map((call) => [call.id, insideRows(step, call, folded)]))
  return rows.flatMap((each) => (each.kind === 'call' ? [each, ...(inside.get(each.id) ?? [])] : [each]))
}

const insideTone: Partial<Record<RunState['status'], RowTone>> = {
  queued: 'working',
  running: 'working',
  waiting: 'waiting',
  completed: 'ok',
  failed: 'error',
}

/** A head, and when it is open all rows of the run inside, which is read like any other run. */
function insideRows(step: StepState, call: CallState, folded: ReadonlySet<string>): Row[] {
  const { inner } = call
  if (inner === undefined) return []
  const { status, steps, start, startedAt = null, finishedAt, answer } = inner
  const id = `${call.id}-inside`
  const open = !folded.has(id)
  const head = row({
    id,
    kind: 'notice',
    depth: 2,
    step: step.number,
    title: `Run of ${start.agent.name || 'another agent'}`,
    detail: `${plural(steps.length, 'step')}: ${shortenText(start.input)}`,
    tone: insideTone[status] ?? 'muted',
    at: startedAt,
    tokens: inner.usage.input + inner.usage.output || null,
    cost: inner.costUsd,
    ms: startedAt === null || finishedAt === undefined ? null : finishedAt - startedAt,
    ...(!open && answer !== null && { tail: shortenText(plainMarkdown(answer)) }),
    open,
    parent: call.id,
  })
  if (!open) return [head]
  const prefix = `${call.id}/`
  const foldedInside = new Set(
    [...folded].flatMap((each) => (each.startsWith(prefix) ? [each.slice(prefix.length)] : [])),
  )
  const rows = [
    ...recallRows(inner.recall, ofRun, isGiven),
    ...steps.flatMap((each) => rowsOfStep(inner, each, foldedInside)),
    ...recallRows(inner.recall, ofRun, isRecorded),
    ...lastRows(inner).filter(({ kind }) => kind === 'answer'),
  ]
  return [head, ...rows.map((each) => placedInside(each, { callId: call.id, step: step.number }))]
}

function placedInside(each: Row, { callId, step }: { callId: string; step: number }): Row {
  const ownStep = placeOf(each)?.step
  return {
    ...each,
    id: joinPath(callId, each.id),
    step,
    depth: each.depth + 3,
    parent: joinPath(callId, each.parent),
    ...(ownStep !== undefined && { ownStep }),
  }
}

/** The rows after the last step. */
export function lastRows(state: RunState): Row[] {
  const last = state.steps.at(-1)
  const model = last === undefined ? null : modelRow(last)
  return [
    ...hookRows(state.hooks, 'post_reply', ofRun),
    ...recallRows(state.recall, ofRun, isRecorded),
    ...endRows(state, model?.words ?? model?.title),
  ]
}

const ofRun = { holder: 'run', step: 0 }
const isRecorded = ({ type }: RecallState) => type === 'memory.recorded'
const isGiven = (each: RecallState) => !isRecorded(each)

/** Closes what a run left open when it ended: nothing in it continues. */
function stopRow(each: Row, at: number): Row {
  const { until: _, expiresAt: __, ...rest } = each
  const { tone, title, bar, beside } = rest
  return {
    ...rest,
    tone: tone === 'working' || tone === 'waiting' ? 'muted' : tone,
    title: title === awaited ? nothingCame : title,
    bar: bar === null ? null : { ...bar, end: bar.end ?? at },
    ...(beside && { beside: beside.map((other) => ({ ...other, end: other.end ?? at })) }),
  }
}

function toolRows(state: RunState, open: boolean): Row[] {
  // What the run began with; later changes have rows of their own.
  const { offered = [], withheld = [] } = state.steps[0]?.tools ?? state.tools ?? {}
  const at = state.startedAt ?? null
  const head = row({
    id: 'tools',
    kind: 'tools',
    title: 'Tools',
    detail: `${count(offered.length)} offered${withheld.length > 0 ? `, ${count(withheld.length)} withheld` : ''}${offered.length > 0 ? `: ${offered.map((each) => each.name).join(', ')}` : ''}`,
    at,
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
      at,
    }),
  )
  return [head, ...kept]
}
