/**
 * Checks one call of an agent of this server, or of an agent that it calls, against the policies, as a run would just
 * before it executes the tool; nothing runs or is stored.
 */

import type { z } from 'zod'
import { AppError, type Diagnostic } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import { type JsonObject, jsonKey } from '#lib/spec/json'
import type { RunState } from '#lib/spec/state'
import type { Stores } from '#lib/spec/store'
import type { DryRun, dryRunRequest } from '#lib/wire/dry-run'
import { createUploads } from '../runs/run-earlier'
import { stateOf } from '../runs/run-history'
import { freshState } from './called-agents'
import type { Compiling } from './compiling'
import { type DryRunContext as CallContext, dryRunCall } from './dry-run-call'

interface DryRunContext extends CallContext {
  readonly stores: Stores
  readonly compiling: Pick<Compiling, 'compile'>
  /** The agent's saved drawing; throws `not_found`. */
  drawn(agentId: string): GraphDocument
}

/** Throws `not_found` for an unknown agent or run of it, and `not_compiled` while the drawing has errors. */
export async function dryRun(
  context: DryRunContext,
  agentId: string,
  { tool, args, through = [], runId, graph }: z.output<typeof dryRunRequest>,
): Promise<DryRun> {
  const saved = context.drawn(agentId)
  const { config, diagnostics } = context.compiling.compile(graph ?? saved)
  if (config === null) throw cannot(diagnostics)
  const assembled = await context.assemble(config)
  if (!assembled.ok) throw cannot(assembled.error)
  const state = runId === undefined ? freshState(context.engine) : pastOf(context, { agentId, runId, config })
  const { threadId } = state.start
  const hasUploads = threadId === null ? undefined : createUploads(context.stores.artifacts, threadId)
  return dryRunCall(context, {
    assembled: assembled.value,
    state,
    hasUploads,
    through,
    tool,
    args,
    withRequest: true,
  })
}

function cannot(diagnostics: readonly Diagnostic[]): AppError {
  return new AppError('not_compiled', 'The agent has errors in its drawing. Fix them first.', {
    diagnostics,
  })
}

/**
 * The state of a past run. An approval for the whole run belongs to a policy entry, so it holds
 * while the policies are the same.
 */
function pastOf({ engine, stores }: DryRunContext, { agentId, runId, config }: Past): RunState {
  const row = stores.runs.get(runId)
  if (row === undefined || row.agentId !== agentId)
    throw new AppError('not_found', 'The agent has no such run.')
  const state = stateOf(engine, row, { history: [], events: stores.runs.settledEvents(runId) })
  const ran: JsonObject = JSON.parse(row.config)
  if (jsonKey(ran.policies ?? []) !== jsonKey(config.policies ?? [])) state.granted.clear()
  return state
}

interface Past {
  readonly agentId: string
  readonly runId: string
  readonly config: JsonObject
}
