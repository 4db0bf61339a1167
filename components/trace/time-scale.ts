/**
 * Where a moment of a run is on its time axis. Long waits for a person are breaks: each takes the same small
 * part of the axis, so that the work around them stays visible. Pure.
 */

/** Both in milliseconds on the same clock; `to` is null while it lasts. */
export interface Stretch {
  readonly from: number
  readonly to: number | null
}

/** Waits up to this many milliseconds are drawn in their real length. */
export const shortestBreak = 2_000
/** The part of the axis that one break takes, and that all together take at most. */
const breakShare = 0.15
const breaksShare = 0.5

export interface Break extends Stretch {
  /** Milliseconds outside of breaks from the start of the axis to this break. */
  readonly work: number
}

/** Stays the same object while its breaks stay the same. */
export interface Scale {
  /** Milliseconds since 1970. */
  readonly start: number
  /** In order, without overlaps; only the last may have no end. */
  readonly breaks: readonly Break[]
}

/**
 * A moment on the axis: so many milliseconds of work, and so many widths of a break. As long as the breaks
 * are the same it does not depend on how long the run is.
 */
export interface AxisPlace {
  readonly work: number
  readonly breaks: number
}

/** @param end the end of the axis, in milliseconds since 1970 */
export function scaleOf(start: number, end: number, waits: readonly Stretch[]): Scale {
  let idle = 0
  const breaks = breaksIn(start, end, waits).map(({ from, to }): Break => {
    const work = from - start - idle
    idle += (to ?? end) - from
    return { from, to, work }
  })
  return { start, breaks }
}

/** The longest waits that are wider in their real length than as a break, in their order. */
function breaksIn(start: number, end: number, waits: readonly Stretch[]): readonly Stretch[] {
  const lengthOf = ({ from, to }: Stretch) => (to ?? end) - from
  const long = waits.filter((each) => each.from >= start && lengthOf(each) > shortestBreak)
  const byLength = long.toSorted((a, b) => lengthOf(b) - lengthOf(a))
  let work = end - start - byLength.reduce((sum, each) => sum + lengthOf(each), 0)
  for (let shortest = byLength.pop(); shortest !== undefined; shortest = byLength.pop()) {
    if (lengthOf(shortest) > breakWidth(byLength.length + 1, work)) {
      const kept = new Set([...byLength, shortest])
      return long.filter((each) => kept.has(each))
    }
    work += lengthOf(shortest)
  }
  return []
}

/** The width of one break, in milliseconds of work. */
export function breakWidth(count: number, work: number): number {
  if (count === 0) return 0
  const share = Math.min(breakShare, breaksShare / count)
  return (Math.max(1, work) * share) / (1 - count * share)
}

/** A moment in a break that has not ended is at its beginning: only `endPlace` is at its end. */
export function placeAt({ start, breaks }: Scale, time: number): AxisPlace {
  const at = lastFrom(breaks, time)
  const last = breaks[at]
  if (last === undefined) return { work: time - start, breaks: 0 }
  if (last.to === null) return { work: last.work, breaks: at }
  if (time < last.to) return { work: last.work, breaks: at + (time - last.from) / (last.to - last.from) }
  return { work: last.work + time - last.to, breaks: at + 1 }
}

/** The current end of the axis of a run that is active. */
export function endPlace(scale: Scale, now: number): AxisPlace {
  const last = scale.breaks.at(-1)
  if (last === undefined || last.to !== null) return placeAt(scale, now)
  return { work: last.work, breaks: scale.breaks.length }
}

/** The moment at a place given in milliseconds of work and breaks of this width: the reverse of `placeAt`. */
export function timeAt({ start, breaks }: Scale, units: number, width: number): number {
  let time = start + units
  for (const [index, { from, to, work }] of breaks.entries()) {
    const begin = work + index * width
    if (to === null || units <= begin) break
    const inside = units - begin
    if (inside < width) return from + (inside / width) * (to - from)
    time = to + inside - width
  }
  return time
}

export function unitsOf({ work, breaks }: AxisPlace, width: number): number {
  return work + breaks * width
}

/** The index of the last break that begins before `time`; -1 when there is none. */
function lastFrom(breaks: readonly Break[], time: number): number {
  let [low, high] = [0, breaks.length]
  while (low < high) {
    const half = (low + high) >> 1
    if ((breaks[half]?.from ?? Number.POSITIVE_INFINITY) < time) low = half + 1
    else high = half
  }
  return low - 1
}

export function sameScale(a: Scale, b: Scale): boolean {
  return (
    a.start === b.start &&
    a.breaks.length === b.breaks.length &&
    a.breaks.every((each, at) => {
      const other = b.breaks[at]
      return each.from === other?.from && each.to === other.to && each.work === other.work
    })
  )
}

/** The time that `waits` cover and `works` do not: nothing happened but waiting. In order, without overlaps. */
export function idleOf(waits: readonly Stretch[], works: readonly Stretch[]): Stretch[] {
  const idle: Stretch[] = []
  const busy = union(works)
  let next = 0
  for (const { from, to } of union(waits)) {
    let begin: number | null = from
    for (; next < busy.length; next++) {
      const work = busy[next]
      if (work === undefined || begin === null || work.from >= endOf(to)) break
      if (work.from > begin) idle.push({ from: begin, to: work.from })
      // A work that outlasts this wait may reach into the next one.
      if (endOf(work.to) >= endOf(to)) {
        begin = null
        break
      }
      begin = Math.max(begin, endOf(work.to))
    }
    if (begin !== null && begin < endOf(to)) idle.push({ from: begin, to })
  }
  return idle
}

/** The same time, in order and without overlaps. */
function union(all: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = []
  for (const each of all.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last === undefined || endOf(last.to) < each.from) joined.push(each)
    else if (endOf(each.to) > endOf(last.to)) joined[joined.length - 1] = { from: last.from, to: each.to }
  }
  return joined
}

function endOf(to: number | null): number {
  return to ?? Number.POSITIVE_INFINITY
}
