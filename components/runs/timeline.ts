/** A stored run as time: where its steps begin, where it waited for a person, and the moments at which something happened. Pure. */
import type { RunEvent } from '#lib/spec/event'

/** All times in milliseconds since the run began; what it waited in the queue before that is no part of it. */
export interface Timeline {
  /** From the first event, the queue's, to that beginning. */
  readonly lead: number
  readonly span: number
  readonly steps: readonly StepMark[]
  readonly waits: readonly { readonly from: number; readonly to: number }[]
  /** When events came, each time once, rising. */
  readonly moments: readonly number[]
}

export interface StepMark {
  readonly number: number
  readonly at: number
}

/** Read once, when the run is over. Sub-agents' own steps are not this run's. */
export function timelineOf(events: readonly RunEvent[]): Timeline {
  const first = events[0]?.at ?? 0
  const start = events.find((each) => each.type === 'run.started')?.at ?? first
  const steps: StepMark[] = []
  const waits: { from: number; to: number }[] = []
  const asked = new Map<string, number>()
  const moments: number[] = []
  let last = 0
  for (const event of events) {
    // A clock that was set back must not turn time round.
    last = Math.max(last, event.at - start)
    if (moments.at(-1) !== last) moments.push(last)
    if (event.parent === undefined && event.type === 'step.started')
      steps.push({ number: event.step, at: last })
    if (event.type === 'approval.requested') asked.set(event.callId, last)
    if (event.type === 'approval.decided') close(event.callId, last)
  }
  for (const callId of asked.keys()) close(callId, last)
  return { lead: start - first, span: last, steps, waits, moments }

  function close(callId: string, to: number) {
    const from = asked.get(callId)
    asked.delete(callId)
    if (from !== undefined && to > from) waits.push({ from, to })
  }
}

/** The next begin of a step, else the end. */
export function markAfter({ steps, span }: Timeline, at: number): number {
  return steps[firstAbove(steps, at, (each) => each.at)]?.at ?? span
}

/** The nearest begin of a step before, else the start. */
export function markBefore({ steps }: Timeline, at: number): number {
  const next = firstAbove(steps, at - 1, (each) => each.at)
  return steps[next - 1]?.at ?? 0
}

export function momentAfter({ moments, span }: Timeline, at: number): number {
  return moments[firstAbove(moments, at, (each) => each)] ?? span
}

export function momentBefore({ moments }: Timeline, at: number): number {
  return moments[firstAbove(moments, at - 1, (each) => each) - 1] ?? 0
}

/** The step that goes on at a time; undefined before the first. */
export function stepAt({ steps }: Timeline, at: number): number | undefined {
  return steps[firstAbove(steps, at, (each) => each.at) - 1]?.number
}

function firstAbove<T>(items: readonly T[], limit: number, read: (item: T) => number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const half = (low + high) >> 1
    const item = items[half]
    if (item !== undefined && read(item) <= limit) low = half + 1
    else high = half
  }
  return low
}

/** `8.47` of `21.36 s`; `1:05` of `12:40 min` where a run took longer than a minute and a half. */
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
  /** Written above its beginning; null where there is no room. */
  readonly label: string | null
}

/** More than so many pieces are no longer told apart: the bar is then one. */
const mostPieces = 120
/** Labels nearer than this to the one before are left out, as a share of the whole. */
const labelRoom = 0.035

/** The scrubber's bar, cut where steps begin. What stands before the first step counts as the first where it is short. */
export function piecesOf({ span, steps }: Timeline): TimelinePiece[] {
  if (span === 0 || steps.length === 0 || steps.length > mostPieces) return [{ from: 0, to: 1, label: null }]
  const starts = steps.map(({ at, number }) => ({ share: at / span, label: String(number) }))
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
