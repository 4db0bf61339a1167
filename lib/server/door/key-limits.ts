/** How much a key may do: requests in a minute, runs and dollars in a day, and runs at the same time. */
import type { AgentKeyRow, KeySpend } from '#lib/spec/agent-key'
import { AppError } from '#lib/spec/errors'

const minute = 60_000
const day = 24 * 60 * minute
/** The runs of one key that may be queued or at work at the same time. */
export const mostRunning = 4

/** Counts requests in windows of a minute, each of which begins with a request. */
export function createRequestLimit(clock: { monotonic(): number }): (key: AgentKeyRow) => void {
  const windows = new Map<string, { began: number; count: number }>()
  return ({ id, requestsPerMinute }) => {
    const now = clock.monotonic()
    const known = windows.get(id)
    const window = known === undefined || now - known.began >= minute ? { began: now, count: 0 } : known
    windows.set(id, window)
    window.count += 1
    if (window.count <= requestsPerMinute) return
    throw new AppError('too_many', `This key may make ${requestsPerMinute} requests in a minute.`, {
      retryAfter: Math.max(1, Math.ceil((window.began + minute - now) / 1_000)),
    })
  }
}

/** The beginning of the day, which is the same for everybody: 00:00 UTC. */
export function dayOf(now: number): number {
  return now - (now % day)
}

/** Throws `too_many` when the key cannot begin another run now. */
export function checkBudget(
  { runsPerDay, usdPerDay }: AgentKeyRow,
  { now, today, running }: { now: number; today: KeySpend; running: number },
): void {
  if (running >= mostRunning)
    throw new AppError('too_many', `This key has ${running} runs under way. Wait until one has ended.`)
  const retryAfter = Math.ceil((dayOf(now) + day - now) / 1_000)
  if (runsPerDay !== null && today.runs >= runsPerDay)
    throw new AppError('too_many', `This key has used its ${runsPerDay} runs of today (UTC).`, { retryAfter })
  if (usdPerDay !== null && today.usd >= usdPerDay)
    throw new AppError('too_many', `This key has used its $${usdPerDay} of today (UTC).`, { retryAfter })
}
