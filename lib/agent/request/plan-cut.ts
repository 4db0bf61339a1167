/** Decides what of a run's own steps is cut when a request would not fit the model's context window. */
import type { ContextLimits } from '#lib/spec/policy'
import type { CallState, RunState, StepState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import { getBackName } from '#lib/spec/tool'
import type { Cuts } from './cuts'
import { tokensOf } from './window'

/** The size of a request, in tokens. */
export interface RequestSize {
  /** By our estimate, corrected by `scale`. */
  readonly tokens: number
  /** How many tokens the provider counted for one of our estimate, when it last said so. */
  readonly scale: number
}

export interface CutAsked {
  readonly state: RunState
  /** The step whose request is to be cut. */
  readonly step: number
  /** What is cut already. */
  readonly cuts: Cuts
  readonly size: RequestSize
  readonly limits: ContextLimits
  /** Undefined when it is not known. */
  readonly window: number | undefined
  /** How often the provider has refused this step's request as too long. */
  readonly refusals: number
}

export interface PlannedCut {
  /** The first and the last step that the cut changes. */
  readonly from: number
  readonly to: number
  /** The results to take out, in the order of their calls. */
  readonly calls: readonly string[]
  /** Steps up to this one are to be replaced by a summary; 0 when none are. */
  readonly through: number
  /** The size of the request after the cut, without the summary. */
  readonly tokensAfter: number
  /** The size that the cut should not exceed. */
  readonly goal: number
}

/** Tokens of the line in place of a result, with some room. */
const lineTokens = 48
/** A cut that frees a smaller part of the window is made only where the request would be refused. */
const leastGain = 0.05
/** Undefined when the request fits, or when nothing is left to cut. */
export function planCut(asked: CutAsked): PlannedCut | undefined {
  const { size, limits, window, refusals } = asked
  // A provider that refuses a request knows its size better than we do.
  const room = refusals > 0 ? Math.min(window ?? size.tokens, size.tokens) : window
  if (room === undefined || (refusals === 0 && size.tokens <= limits.at * room)) return undefined
  const goal = limits.clearTo * room
  const mustFit = refusals > 0 ? goal : limits.at * room
  const plan = new Plan(asked)
  const keep = refusals > 1 ? 0 : limits.keep
  plan.clearUnread(mustFit)
  if (limits.how === 'summarize') plan.replaceSteps(goal, keep)
  else plan.clear(goal, keep)
  // Otherwise the run would soon be cut again, and by little each time.
  if (plan.tokens > goal) plan.replaceSteps(goal, keep)
  // What should stay is cut only when the request would not fit otherwise.
  if (plan.tokens > mustFit) plan.clear(goal, 0)
  if (plan.tokens > mustFit) plan.replaceSteps(goal, 0)
  const gain = size.tokens - plan.tokens
  const isWorth = gain >= leastGain * room || (gain > 0 && (refusals > 0 || size.tokens > room))
  return isWorth ? plan.result(goal) : undefined
}

class Plan {
  readonly #calls = new Set<string>()
  #through: number
  tokens: number
  readonly #asked: CutAsked
  readonly #steps: readonly StepState[]

  constructor(asked: CutAsked) {
    this.#asked = asked
    this.#through = asked.cuts.through
    this.tokens = asked.size.tokens
    this.#steps = asked.state.steps.slice(asked.cuts.through, asked.step - 1)
  }

  /**
   * Takes out results that the model has not read yet, the longest first, while they would not fit even without
   * all steps before them.
   */
  clearUnread(room: number): void {
    const last = this.#steps.at(-1)
    if (last === undefined) return
    const before = this.#steps.slice(0, -1).reduce((sum, step) => sum + this.#weightOf(step), 0)
    const open = last.calls.filter((call) => isOwn(call) && !this.#isCleared(call.id))
    for (const call of open.sort((a, b) => resultTokens(b) - resultTokens(a))) {
      if (this.tokens - before <= room) return
      this.#clearOne(call)
    }
  }

  /** Takes out results that the model has read, the oldest first, until the goal is reached; the newest `keep` stay. */
  clear(goal: number, keep: number): void {
    const results = this.#left().flatMap(({ calls }) => calls.filter(isOwn))
    const unread = this.#steps.at(-1)?.calls.filter(isOwn).length ?? 0
    const open = results
      .slice(0, Math.max(0, results.length - Math.max(keep, unread)))
      .filter(({ id }) => !this.#isCleared(id))
    // Results that were read again are copies of others.
    const copies = open.filter(({ name }) => name === getBackName)
    const others = open.filter(({ name }) => name !== getBackName)
    for (const call of [...copies, ...others]) {
      if (this.tokens <= goal) return
      this.#clearOne(call)
    }
  }

  /** Replaces steps, the oldest first, until the goal is reached; steps with the newest `keep` results stay. */
  replaceSteps(goal: number, keep: number): void {
    const left = this.#left()
    const last = lastReplaceable(left, keep)
    for (const step of left.slice(0, last)) {
      if (this.tokens <= goal) return
      this.tokens -= this.#weightOf(step)
      this.#through = step.number
    }
  }

  result(goal: number): PlannedCut {
    const through = this.#through > this.#asked.cuts.through ? this.#through : 0
    const isCut = ({ id }: CallState) => this.#calls.has(id)
    const touched = this.#left().filter(({ calls }) => calls.some(isCut))
    return {
      from: through > 0 ? 1 : (touched[0]?.number ?? 1),
      to: through > 0 ? through : (touched.at(-1)?.number ?? 1),
      calls: touched.flatMap(({ calls }) => calls.filter(isCut).map(({ id }) => id)),
      through,
      tokensAfter: Math.max(0, Math.round(this.tokens)),
      goal: Math.round(goal),
    }
  }

  /** Steps whose messages are still in the request. */
  #left(): readonly StepState[] {
    return this.#steps.filter(({ number }) => number > this.#through)
  }

  #isCleared(id: string): boolean {
    return this.#calls.has(id) || this.#asked.cuts.cleared.has(id)
  }

  #clearOne(call: CallState): void {
    const freed = (resultTokens(call) - lineTokens) * this.#asked.size.scale
    if (freed <= 0) return
    this.#calls.add(call.id)
    this.tokens -= freed
  }

  #weightOf(step: StepState): number {
    const { messages } = this.#asked.state
    const end = this.#asked.state.steps[step.number]?.messagesBefore ?? messages.length
    const whole = messages.slice(step.messagesBefore, end).reduce((sum, each) => sum + tokensOf(each), 0)
    const cleared = step.calls.filter(({ id }) => this.#isCleared(id))
    const gone = cleared.reduce((sum, call) => sum + Math.max(0, resultTokens(call) - lineTokens), 0)
    return (whole - gone) * this.#asked.size.scale
  }
}

/** The result of a call in the background is a message of its own, which only a summary replaces. */
function isOwn(call: CallState): boolean {
  return call.background === undefined
}

/** How many of these steps come before those that hold the newest `keep` results; the last step always stays. */
function lastReplaceable(steps: readonly StepState[], keep: number): number {
  let last = steps.length - 1
  let kept = steps[last]?.calls.length ?? 0
  while (last > 0 && kept < keep) {
    last -= 1
    kept += steps[last]?.calls.length ?? 0
  }
  return Math.max(0, last)
}

const known = new WeakMap<object, number>()

function resultTokens({ name, result }: CallState): number {
  if (result === undefined) return 0
  let tokens = known.get(result)
  if (tokens === undefined) {
    tokens = estimateTokens(name) + estimateTokens(result.text)
    known.set(result, tokens)
  }
  return tokens
}
