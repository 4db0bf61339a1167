/** Undo and redo as a value: one entry per gesture, however many small changes it consists of. */

export interface History<T> {
  readonly past: readonly T[]
  readonly present: T
  readonly future: readonly T[]
  /** The gesture in progress; changes of the same gesture that are close in time share an entry. */
  readonly gesture: string | null
  readonly at: number
}

/** How many entries are kept; older ones are dropped. */
export const historyLength = 200
/** A pause of this many milliseconds ends a gesture. */
export const gesturePause = 1_200

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], gesture: null, at: 0 }
}

export function record<T>(history: History<T>, next: T, gesture: string | null, now: number): History<T> {
  if (next === history.present) return history
  const goesOn =
    gesture !== null &&
    gesture === history.gesture &&
    now - history.at < gesturePause &&
    history.past.length > 0
  if (goesOn) return { ...history, present: next, future: [], at: now }
  const past = [...history.past, history.present].slice(-historyLength)
  return { past, present: next, future: [], gesture, at: now }
}

export function undo<T>(history: History<T>): History<T> {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return {
    past: history.past.slice(0, -1),
    present: previous,
    future: [history.present, ...history.future],
    gesture: null,
    at: 0,
  }
}

export function redo<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future, gesture: null, at: 0 }
}
