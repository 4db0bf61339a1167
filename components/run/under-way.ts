/** Whether the followed run was requested and is not finished. */
import type { LiveRun } from './run-store'

export function isUnderWay({ connection, state }: LiveRun): boolean {
  if (state !== null) return state.finishedAt === undefined && connection !== 'failed'
  return connection === 'starting' || connection === 'live' || connection === 'reconnecting'
}
