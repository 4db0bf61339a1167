/** Which budget a run has used up, and the clock that stops a run when its time is over. */
import type { Limits } from '#lib/spec/policy'
import type { RunState } from '#lib/spec/state'
import type { Clock } from './deps'
import type { BudgetKey } from './limits'

export interface Overrun {
  readonly reason: string
  /** Which of the run's own budgets; absent when a ruling on a call ended the run. */
  readonly by?: BudgetKey
}

/**
 * Undefined while something is left of every budget. It reads only the state, so a resumed run ends the same
 * way.
 * @param timeIsUp whether the time is over by the clock, even if no event shows it yet
 */
export function overrun(state: RunState, { budget }: Limits, timeIsUp: boolean): Overrun | undefined {
  if (state.overBudget !== null) return { reason: state.overBudget }
  const { input, output } = state.usage
  if (input + output >= budget.tokens)
    return overrunBy('tokens', `${budget.tokens.toLocaleString('en-US')} tokens`)
  if ((state.costUsd ?? 0) >= budget.usd) return overrunBy('usd', `$${budget.usd}`)
  if (timeIsUp || elapsedMs(state) >= budget.seconds * 1_000)
    return overrunBy('seconds', `${budget.seconds} seconds`)
  return undefined
}

function overrunBy(by: BudgetKey, what: string): Overrun {
  return { by, reason: `the budget of ${what} is used up` }
}

function elapsedMs(state: RunState): number {
  const { startedAt, lastAt } = state
  return startedAt === undefined ? 0 : lastAt - startedAt - waitedMsUntil(state, lastAt)
}

/** Time spent waiting for a person, until now. */
function waitedMsUntil({ waitedMs, waitingSince }: RunState, now: number): number {
  return waitedMs + (waitingSince === null ? 0 : Math.max(0, now - waitingSince))
}

/** Aborts with `budget` when the run's seconds are over, by the same clock that dates its events. */
export function stopWhenOver(
  state: RunState,
  { clock, seconds, ended }: { clock: Clock; seconds: number; ended: AbortSignal },
  stop: AbortController,
): void {
  const startedAt = state.startedAt ?? clock.now()
  const leftMs = () => {
    const now = clock.now()
    return startedAt + seconds * 1_000 + waitedMsUntil(state, now) - now
  }
  const watch = async () => {
    try {
      for (let left = leftMs(); left > 0 && !ended.aborted; left = leftMs())
        await clock.sleep(Math.min(Math.ceil(left), longestSleepMs), ended)
    } catch {
      return
    }
    if (!ended.aborted) stop.abort('budget')
  }
  void watch()
}

/** Timers of JavaScript runtimes hold milliseconds in 32 bits. */
export const longestSleepMs = 2_000_000_000
