/** The agent of a run inside a call, for a fork that continues at a step of that run. */
import { beginningOf } from '#lib/agent/beginning'
import { offerOf } from '#lib/agent/request/offering'
import { AppError } from '#lib/spec/errors'
import type { AgentRef, RunEvent } from '#lib/spec/event'
import type { RunAgent } from '#lib/spec/run-agents'
import type { RunRow } from '#lib/spec/store'
import type { ForkRun } from '#lib/wire/runs'
import type { Assembled } from '../agents/assemble'
import { applyOverrides } from './run-config'
import type { RunsContext } from './runs-context'

type StoredAgent = Extract<RunAgent, { config: string }>

interface Inside {
  readonly request: ForkRun
  /** The ids of the calls around the run, joined by `/`. */
  readonly path: string
  readonly kept: readonly RunEvent[]
}

/** The agent as it is stored with the run, with the overrides of the fork, and all agents of the fork with it. */
export function agentInside(
  { stores, catalog, parts }: Pick<RunsContext, 'stores' | 'catalog' | 'parts'>,
  run: RunRow,
  { request: { version, overrides = {} }, path, kept }: Inside,
): { readonly agent: StoredAgent; readonly agents: readonly RunAgent[] } {
  if (version !== undefined)
    throw new AppError(
      'unprocessable',
      'A fork at a step inside a call has the agents of its run, so it cannot take the draft. Overrides are possible.',
      { path: 'version' },
    )
  const begun = kept.findLast((each) => each.type === 'run.started' && each.parent === path)
  const ref = begun?.type === 'run.started' ? begun.agent : undefined
  const isOfStep = (each: RunAgent): each is StoredAgent =>
    'config' in each && each.agent.name === ref?.name && each.agent.version === ref.version
  const all = stores.runs.agentsOf(run.id)
  const stored = all.find(isOfStep)
  if (stored === undefined)
    throw new AppError('unprocessable', 'The agent of this step is no longer on record.', { path: 'parent' })
  const { config: text, origins } = stored
  const changed = applyOverrides({ text, hash: stored.agent.configHash, origins }, overrides, {
    catalog,
    ...(parts && { parts }),
  })
  const withChange = (each: StoredAgent): StoredAgent => ({
    ...each,
    config: changed.text,
    agent: { ...each.agent, configHash: changed.hash },
  })
  // Entries may name the same version in different ways, such as `published` and 3.
  return { agent: withChange(stored), agents: all.map((each) => (isOfStep(each) ? withChange(each) : each)) }
}

/** The run inside goes on with the changed config of its agent. */
export function begunWith(
  assembled: Assembled,
  taken: readonly RunEvent[],
  { agent, path }: { readonly agent: AgentRef; readonly path: string | undefined },
): RunEvent[] {
  const begins = beginningOf(assembled, offerOf(assembled))
  return taken.map((each) =>
    each.type === 'run.started' && each.parent === path ? { ...each, ...begins, agent } : each,
  )
}
