/** The events of one type in a growing list; each event is examined only once. */
import type { RunEvent } from '#lib/spec/event'

export interface KeptEvents {
  readonly kept: readonly RunEvent[]
  /** How many events there are of each type, in order of first appearance. */
  readonly types: ReadonlyMap<string, number>
}

/** An empty type keeps all events. The given list may have grown or may be another list. */
export function createEventFilter(): (events: readonly RunEvent[], type: string) => KeptEvents {
  let known: { events: readonly RunEvent[]; type: string } | null = null
  let seen = 0
  let kept: RunEvent[] = []
  let types = new Map<string, number>()
  return (events, type) => {
    if (known?.events !== events || known.type !== type) {
      known = { events, type }
      seen = 0
      kept = []
      types = new Map()
    }
    for (; seen < events.length; seen++) {
      const event = events[seen]
      if (event === undefined) break
      types.set(event.type, (types.get(event.type) ?? 0) + 1)
      if (event.type === type) kept.push(event)
    }
    return { kept: type === '' ? events : kept, types }
  }
}
