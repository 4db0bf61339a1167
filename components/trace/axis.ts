/** The time axis of the trace: how long it is, where its breaks are, and which moments it names. Pure. */
import { duration, ticks } from '#components/run/figures'
import {
  breakWidth,
  endPlace,
  placeAt,
  type Scale,
  type Stretch,
  sameScale,
  scaleOf,
  unitsOf,
} from './time-scale'

/** `now` and `playhead` are milliseconds since 1970; lengths are in milliseconds of work. */
export interface Axis {
  readonly scale: Scale
  readonly span: number
  /** The width of a break. */
  readonly gap: number
  /** Null once the run is finished. */
  readonly now: number | null
  /** Null unless the run is being replayed. */
  readonly playhead: number | null
  readonly ticks: readonly Tick[]
  readonly breaks: readonly BreakMark[]
}

export interface Tick {
  readonly at: number
  /** Null where there is no room for it. */
  readonly label: string | null
}

export interface BreakMark {
  readonly at: number
  /** How long the wait took, or has taken so far. */
  readonly words: string
  /** Whether the words fit above the break. */
  readonly hasRoom: boolean
}

export interface AxisOf {
  readonly start: number
  /** The last event, or the current time of a run that is active. */
  readonly end: number
  readonly isLive: boolean
  readonly playhead: number | null
  readonly waits: readonly Stretch[]
  /** The scale before, which is kept as long as it is the same. */
  readonly before: Scale | null
}

export function axisOf({ start, end, isLive, playhead, waits, before }: AxisOf): Axis {
  const fresh = scaleOf(start, end, waits)
  const scale = before !== null && sameScale(before, fresh) ? before : fresh
  const { work } = endPlace(scale, end)
  const room = isLive ? Math.max(1_000, work * 1.08) : Math.max(20, work * 1.04)
  const gap = breakWidth(scale.breaks.length, room)
  const span = room + scale.breaks.length * gap
  const breaks = scale.breaks.map(
    ({ from, to, work }, index): BreakMark => ({
      at: work + index * gap,
      words: duration((to ?? end) - from),
      hasRoom: gap / span >= breakRoom,
    }),
  )
  return {
    scale,
    span,
    gap,
    now: isLive ? end : null,
    playhead,
    ticks: ticksOn(scale, { room, gap, span, breaks }),
    breaks,
  }
}

/** Parts of the axis: a break narrower than this has no room for words above it. */
const breakRoom = 0.12
/** A tick further right has no room for its label. */
const lastLabel = 0.85
/** Labels begin at least this far after another. */
const labelRoom = 0.1
/** The words above a break are as wide as the break, and a label that ends at it has to end before them. */
const beforeWords = 0.14
/** A tick this close behind a break would touch the words above it. */
const wordsRoom = 0.03

/** Ticks at round times between the breaks. */
function ticksOn(
  { start, breaks }: Scale,
  axis: { room: number; gap: number; span: number; breaks: readonly BreakMark[] },
): Tick[] {
  const { room, gap, span } = axis
  const [, step = room] = ticks(room, 7)
  const found: { at: number; time: number }[] = []
  let from = 0
  for (let index = 0; index <= breaks.length; index++) {
    const next = breaks[index]
    const to = next === undefined ? from + span : next.from - start
    for (let time = Math.ceil(from / step) * step; time < to; time += step) {
      const at = unitsOf(placeAt({ start, breaks }, start + time), gap)
      if (at > span) break
      found.push({ at, time })
    }
    if (next === undefined || next.to === null) break
    from = next.to - start
  }
  const write = tickWriter(found.at(-1)?.time ?? 0, step)
  let labelled = Number.NEGATIVE_INFINITY
  return found.map(({ at, time }) => {
    const share = at / span
    const hasRoom =
      share < lastLabel && share - labelled >= labelRoom && !axis.breaks.some((each) => isUnder(each, at))
    if (hasRoom) labelled = share
    return { at, label: hasRoom ? write(time) : null }
  })

  function isUnder(each: BreakMark, at: number): boolean {
    return each.hasRoom && at > each.at - beforeWords * span && at < each.at + gap + wordsRoom * span
  }
}

/** All labels of an axis have the same unit and the same number of decimals. */
export function tickWriter(last: number, step: number): (ms: number) => string {
  if (last >= 120_000 && step >= 1_000) return clock
  if (last < 1_000) return (ms) => `${Math.round(ms)} ms`
  const decimals = step >= 1_000 ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  return (ms) => (ms === 0 ? '0 s' : `${(ms / 1_000).toLocaleString('en-US', digits)} s`)
}

/** `1:05`, `1:01:05`. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  const two = (value: number) => String(value).padStart(2, '0')
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`
}
