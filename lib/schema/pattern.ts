/** Matches regular expressions in time linear in the text and counts each step, so none can run away. */
import { type Edge, type PatternPart, readPattern } from './pattern-read'
import { Unchecked, type Work } from './work'

/** Why a pattern cannot be used, as the end of a sentence about it; undefined when it can. */
export function patternProblem(text: string): string | undefined {
  const read = readPattern(text)
  return 'problem' in read ? read.problem : undefined
}

export class Pattern {
  readonly #states: readonly State[]
  readonly #isAtStart: boolean
  /** The states before the next character, each once. `#marks` holds the round in which a state was added. */
  #now: Int32Array
  #next: Int32Array
  readonly #marks: Int32Array
  readonly #stack: number[] = []
  #round = 0
  /** States visited since the last payment to `work`. */
  #seen = 0

  constructor(text: string) {
    const read = readPattern(text)
    if ('problem' in read)
      throw new Unchecked(`the pattern ${JSON.stringify(text.slice(0, 100))} cannot be used: ${read.problem}`)
    this.#states = statesOf(read.part)
    this.#isAtStart = startsAtStart(read.part)
    this.#now = new Int32Array(this.#states.length)
    this.#next = new Int32Array(this.#states.length)
    this.#marks = new Int32Array(this.#states.length)
  }

  /** Whether the pattern matches anywhere in the text. All threads advance together, reading it once. */
  test(text: string, work: Work): boolean {
    // Paid at each test, so that the cost does not depend on earlier tests.
    work.spend(this.#states.length)
    this.#seen = 0
    let count = 0
    for (let at = 0, before = -1; ; ) {
      const point = at < text.length ? (text.codePointAt(at) ?? 0) : -1
      this.#newRound()
      let added = 0
      for (let index = 0; index < count; index++) {
        added = this.#add(this.#now[index] ?? 0, { added, before, point })
        if (added < 0) return true
      }
      if (at === 0 || !this.#isAtStart) added = this.#add(0, { added, before, point })
      if (added < 0) return true
      work.spend(added + this.#seen)
      this.#seen = 0
      if (point < 0 || (added === 0 && this.#isAtStart)) return false
      count = this.#step(added, point)
      before = point
      at += point > 0xffff ? 2 : 1
    }
  }

  #newRound(): void {
    this.#round++
    if (this.#round < 0x7fffffff) return
    this.#marks.fill(0)
    this.#round = 1
  }

  /** Adds a state and all that it leads to without a character. Returns the new count, or -1 on a match. */
  #add(start: number, { added, before, point }: { added: number; before: number; point: number }): number {
    let count = added
    this.#stack.push(start)
    for (let id = this.#stack.pop(); id !== undefined; id = this.#stack.pop()) {
      this.#seen++
      if (this.#marks[id] === this.#round) continue
      this.#marks[id] = this.#round
      const state = this.#states[id]
      if (state === undefined) continue
      if (state.is === 'end') {
        this.#stack.length = 0
        return -1
      }
      if (state.is === 'split') this.#stack.push(...state.to)
      else if (state.is === 'edge') {
        if (isEdge(state.edge, before, point)) this.#stack.push(id + 1)
      } else this.#next[count++] = id
    }
    return count
  }

  /** Advances the threads that accept the character; their new states are then in `#now`. */
  #step(added: number, point: number): number {
    let count = 0
    for (let index = 0; index < added; index++) {
      const id = this.#next[index] ?? 0
      const state = this.#states[id]
      if (state?.is === 'point' ? state.point === point : state?.is === 'set' && state.set.has(point))
        this.#now[count++] = id + 1
    }
    return count
  }
}

type State =
  | { readonly is: 'point'; readonly point: number }
  | { readonly is: 'set'; readonly set: PointSet }
  | { readonly is: 'edge'; readonly edge: Edge }
  | { readonly is: 'split'; readonly to: readonly number[] }
  | { readonly is: 'end' }

/** ECMAScript matches each single character: it cannot backtrack, and behaves as the author expects. */
class PointSet {
  readonly #expression: RegExp
  /** Cached results for ASCII characters: 0 unknown, 1 in the set, 2 not in it. */
  readonly #ascii = new Uint8Array(128)

  constructor(source: string) {
    this.#expression = new RegExp(`^${source}$`, 'u')
  }

  has(point: number): boolean {
    if (point > 127) return this.#expression.test(String.fromCodePoint(point))
    if (this.#ascii[point] === 0)
      this.#ascii[point] = this.#expression.test(String.fromCharCode(point)) ? 1 : 2
    return this.#ascii[point] === 1
  }
}

function statesOf(root: PatternPart): State[] {
  const states: State[] = []
  const sets = new Map<string, PointSet>()
  const write = (part: PatternPart): void => {
    switch (part.is) {
      case 'point':
        states.push({ is: 'point', point: part.point })
        return
      case 'set': {
        const set = sets.get(part.source) ?? new PointSet(part.source)
        sets.set(part.source, set)
        states.push({ is: 'set', set })
        return
      }
      case 'edge':
        states.push({ is: 'edge', edge: part.edge })
        return
      case 'sequence':
        for (const each of part.parts) write(each)
        return
      case 'choice':
        writeChoice(part.parts)
        return
      case 'repeat':
        writeRepeat(part)
        return
    }
    part satisfies never
  }
  const split = () => {
    const to: number[] = []
    states.push({ is: 'split', to })
    return to
  }
  const writeChoice = (parts: readonly PatternPart[]) => {
    const starts = split()
    const ends: number[][] = []
    for (const each of parts) {
      starts.push(states.length)
      write(each)
      ends.push(split())
    }
    for (const each of ends) each.push(states.length)
  }
  const writeRepeat = ({ part, least, most }: PatternPart & { is: 'repeat' }) => {
    for (let turn = 0; turn < least; turn++) write(part)
    if (most === Number.POSITIVE_INFINITY) {
      const at = states.length
      const to = split()
      to.push(at + 1)
      write(part)
      split().push(at)
      to.push(states.length)
      return
    }
    const ways: number[][] = []
    for (let turn = least; turn < most; turn++) {
      const to = split()
      to.push(states.length)
      ways.push(to)
      write(part)
    }
    for (const each of ways) each.push(states.length)
  }
  write(root)
  states.push({ is: 'end' })
  return states
}

/** Whether the pattern can match only at the start of the text. */
function startsAtStart(part: PatternPart): boolean {
  if (part.is === 'edge') return part.edge === 'start'
  if (part.is === 'sequence') return part.parts[0] !== undefined && startsAtStart(part.parts[0])
  if (part.is === 'choice') return part.parts.every(startsAtStart)
  return part.is === 'repeat' && part.least > 0 && startsAtStart(part.part)
}

function isEdge(edge: Edge, before: number, after: number): boolean {
  if (edge === 'start') return before < 0
  if (edge === 'end') return after < 0
  return (isWord(before) !== isWord(after)) === (edge === 'word')
}

function isWord(point: number): boolean {
  return (
    (point >= 48 && point <= 57) ||
    (point >= 65 && point <= 90) ||
    point === 95 ||
    (point >= 97 && point <= 122)
  )
}
