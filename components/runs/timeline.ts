/**
 * A stored run as a timeline: where its steps begin, where it waited for a person, and when events happened.
 * Pure.
 */
import { nextTime, replayStart } from '#components/run/replay-time'
import {
  breakWidth,
  endPlace,
  idleOf,
  placeAt,
  type Scale,
  scaleOf,
  shortestBreak,
  timeAt,
  unitsOf,
} from '#components/trace/time-scale'
import type { RunEvent } from '#lib/spec/event'

/** All times are milliseconds since the run began; its earlier time in the queue is not included. */
export interface Timeline {
  /** The time in the queue: from the first event to the start of the run. */
  readonly lead: number
  readonly span: number
  readonly steps: readonly StepMark[]
  readonly waits: readonly IdleWait[]
  /** Waits for a person of more than two seconds in which nothing else happened; a replay can skip them. */
  readonly idle: readonly IdleWait[]
  /** Where moments are on the bar: long idle waits are shortened. */
  readonly scale: Scale
  /** The times of all events, ascending and without duplicates. */
  readonly moments: readonly number[]
}

export interface IdleWait {
  readonly from: number
  readonly to: number
}

export interface StepMark {
  readonly number: number
  readonly at: number
}

/** Computed once, when the run is finished. The steps of sub-agents are not steps of this run. */
export function timelineOf(events: readonly RunEvent[]): Timeline {
  const first = events[0]?.at ?? 0
  const start = events.find((each) => each.type === 'run.started')?.at ?? first
  const steps: StepMark[] = []
  const waits: IdleWait[] = []
  const asked = new Map<string, number>()
  const works: IdleWait[] = []
  const begun = new Map<string, number>()
  const moments: number[] = []
  let time = replayStart
  let last = 0
  for (const event of events) {
    time = nextTime(time, event, first)
    last = Math.max(0, time.at - (start - first))
    if (moments.at(-1) !== last) moments.push(last)
    if (event.parent === undefined && event.type === 'step.started')
      steps.push({ number: event.step, at: last })
    if (event.type === 'approval.requested') asked.set(event.callId, last)
    if (event.type === 'approval.decided') close(asked, event.callId, waits)
    if (event.type === 'input.requested' && event.refused === undefined) {
      asked.set(inputKey(event), last)
      // A call that waits for a reply does nothing else.
      close(begun, event.callId, works)
    }
    if (event.type === 'input.given') {
      close(asked, inputKey(event), waits)
      begun.set(event.callId, last)
    }
    if (event.type === 'call.started') begun.set(event.callId, last)
    if (event.type === 'call.finished') close(begun, event.callId, works)
  }
  for (const callId of [...asked.keys()]) close(asked, callId, waits)
  for (const callId of [...begun.keys()]) close(begun, callId, works)
  const idle = idleOf(waits, works).flatMap(({ from, to }) =>
    to !== null && to - from > shortestBreak ? [{ from, to }] : [],
  )
  return { lead: start - first, span: last, steps, waits, idle, scale: scaleOf(0, last, idle), moments }

  function close(open: Map<string, number>, callId: string, into: IdleWait[]) {
    const from = open.get(callId)
    open.delete(callId)
    if (from !== undefined && last > from) into.push({ from, to: last })
  }
}

function inputKey({ callId, inputId }: { callId: string; inputId: string }): string {
  return `${callId}\n${inputId}`
}

/** The place of a moment on the bar, from 0 to 1. */
export function shareAt({ scale, span }: Timeline, at: number): number {
  const { work } = endPlace(scale, span)
  const width = breakWidth(scale.breaks.length, work)
  const whole = unitsOf(endPlace(scale, span), width)
  return whole === 0 ? 1 : Math.min(1, Math.max(0, unitsOf(placeAt(scale, at), width) / whole))
}

/** The moment at a place on the bar, from 0 to 1. */
export function momentAt({ scale, span }: Timeline, share: number): number {
  const { work } = endPlace(scale, span)
  const width = breakWidth(scale.breaks.length, work)
  return Math.min(span, Math.max(0, timeAt(scale, share * unitsOf(endPlace(scale, span), width), width)))
}

/** Where playback goes from `at` instead of `next`, if it skips idle waits: to the end of a wait on its way. */
export function withoutWaits({ idle }: Timeline, at: number, next: number): number {
  const wait = idle[firstWhere(idle, (each) => each.to > at)]
  return wait !== undefined && wait.from <= next ? wait.to : next
}

/** The start of the next step, or else the end. */
export function markAfter({ steps, span }: Timeline, at: number): number {
  return steps[firstWhere(steps, (each) => each.at > at)]?.at ?? span
}

/** The start of the nearest earlier step, or else the start of the run. */
export function markBefore({ steps }: Timeline, at: number): number {
  return steps[firstWhere(steps, (each) => each.at >= at) - 1]?.at ?? 0
}

export function momentAfter({ moments, span }: Timeline, at: number): number {
  return moments[firstWhere(moments, (each) => each > at)] ?? span
}

export function momentBefore({ moments }: Timeline, at: number): number {
  return moments[firstWhere(moments, (each) => each >= at) - 1] ?? 0
}

/** The step in progress at a time; undefined before the first. */
export function stepAt({ steps }: Timeline, at: number): number | undefined {
  return steps[firstWhere(steps, (each) => each.at > at) - 1]?.number
}

/** The index of the first item that passes; once one passes, all later ones do. */
function firstWhere<T>(items: readonly T[], passes: (item: T) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const half = (low + high) >> 1
    const item = items[half]
    if (item !== undefined && !passes(item)) low = half + 1
    else high = half
  }
  return low
}

/** `8.47` of `21.36 s`; `1:05` of `12:40 min` for runs of a minute and a half or longer. */
export function clockText(at: number, span: number): string {
  if (span < 90_000) return (at / 1_000).toFixed(2)
  const seconds = Math.floor(at / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

export function clockUnit(span: number): string {
  return span < 90_000 ? 's' : 'min'
}

export interface TimelinePiece {
  /** Shares of the whole, 0 to 1. */
  readonly from: number
  readonly to: number
  /** Shown above the start of the piece; null where there is no room. */
  readonly label: string | null
}

/** More pieces than this could not be distinguished, so the bar is drawn as one. */
const mostPieces = 120
/** Labels closer than this to the previous one are left out, as a share of the whole. */
const labelRoom = 0.035

/**
 * The pieces of the scrubber's bar, one per step. A short stretch before the first step is added to that
 * step.
 */
export function piecesOf(timeline: Timeline): TimelinePiece[] {
  const { span, steps } = timeline
  if (span === 0 || steps.length === 0 || steps.length > mostPieces) return [{ from: 0, to: 1, label: null }]
  const starts = steps.map(({ at, number }) => ({ share: shareAt(timeline, at), label: String(number) }))
  const [first] = starts
  const lead = first !== undefined && first.share > 0.02 ? [{ share: 0, label: null }] : []
  const marks: { share: number; label: string | null }[] = [...lead, ...starts]
  if (lead.length === 0 && first !== undefined) marks[0] = { ...first, share: 0 }
  let labelled = Number.NEGATIVE_INFINITY
  return marks.map(({ share, label }, index) => {
    const hasRoom = share - labelled >= labelRoom
    if (hasRoom && label !== null) labelled = share
    return { from: share, to: marks[index + 1]?.share ?? 1, label: hasRoom ? label : null }
  })
}
