'use client'
/** The page on which the tool of a call can be tried with its arguments; null where there is none. */
import { hasPageKey } from '#components/data/page-key'
import { toolHref } from '#components/data/trials'
import { useRun } from '#components/run/run-context'
import { rowInside, runInside } from '#components/run/run-inside'
import type { CallState } from '#lib/spec/state'
import type { Row } from './row'

type Called = Pick<CallState, 'id' | 'name' | 'node' | 'args'>

/** The holder of a key tries nothing, and a tool that belongs to no entry of a stored agent has no page. */
export function useTryAgain(): (row: Pick<Row, 'parent'> & { readonly call?: Called }) => string | null {
  const state = useRun((run) => run.state)
  const runId = useRun((run) => run.runId)
  return ({ call, parent }) => {
    if (call?.node?.startsWith('tools/') !== true || call.args === undefined || hasPageKey()) return null
    // The tool of a call inside another one is that of the agent which ran there.
    const agentId = state === null ? null : (runInside(state, parent)?.start.agent.id ?? null)
    if (agentId === null || runId === null) return null
    const path = parent === undefined ? call.id : rowInside(parent, call.id)
    return toolHref(agentId, call.name, { runId, path })
  }
}
