'use client'
/** The page on which the tool of a call can be tried with its arguments; null where there is none. */
import { hasPageKey } from '#components/data/page-key'
import { toolHref } from '#components/data/trials'
import { useRun } from '#components/run/run-context'
import type { CallState } from '#lib/spec/state'

type Called = Pick<CallState, 'id' | 'name' | 'node' | 'args'>

/** The holder of a key tries nothing, and a tool that belongs to no entry has no page. */
export function useTryAgain(): (call: Called | undefined) => string | null {
  const agentId = useRun((run) => run.state?.start.agent.id ?? null)
  const runId = useRun((run) => run.runId)
  return (call) => {
    if (call?.node?.startsWith('tools/') !== true || call.args === undefined || hasPageKey()) return null
    if (agentId === null || runId === null) return null
    return toolHref(agentId, call.name, { runId, callId: call.id })
  }
}
