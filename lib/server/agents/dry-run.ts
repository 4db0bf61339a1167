/**
 * Checks one call against an agent's policies, as a run would just before it executes the
 * tool; nothing runs or is stored.
 */

import type { z } from 'zod'
import { type Explanation, explain } from '#lib/agent/call/explain'
import { firstByName } from '#lib/agent/request/codecs'
import { AppError, type Diagnostic, type Result } from '#lib/spec/errors'
import type { GraphDocument } from '#lib/spec/graph'
import { type JsonObject, jsonKey } from '#lib/spec/json'
import type { Codec } from '#lib/spec/protocol'
import type { RunState } from '#lib/spec/state'
import type { Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { DryRun, dryRunRequest } from '#lib/wire/dry-run'
import { createUploads } from '../runs/run-earlier'
import { type Folding, stateOf } from '../runs/run-history'
import type { Assembled } from './assemble'
import type { Compiling } from './compiling'
import { firstRequestInside } from './first-request'

interface DryRunContext {
  readonly stores: Stores
  readonly engine: Folding
  readonly compiling: Pick<Compiling, 'compile'>
  /** The agent's saved drawing; throws `not_found`. */
  drawn(agentId: string): GraphDocument
  assemble(config: JsonObject): Promise<Result<Assembled>>
  /** The ports of an agent outside any run, with the agents that it can call now. */
  portsOf(assembled: Assembled): ToolPorts
}

/** Throws `not_found` for an unknown agent or run of it, and `not_compiled` while the drawing has errors. */
export async function dryRun(
  context: DryRunContext,
  agentId: string,
  { tool, args, runId, graph }: z.output<typeof dryRunRequest>,
): Promise<DryRun> {
  const saved = context.drawn(agentId)
  const { config, diagnostics } = context.compiling.compile(graph ?? saved)
  if (config === null) throw cannot(diagnostics)
  const assembled = await context.assemble(config)
  if (!assembled.ok) throw cannot(assembled.error)
  const state = runId === undefined ? freshState(context.engine) : pastOf(context, { agentId, runId, config })
  const { threadId } = state.start
  const hasUploads = threadId === null ? undefined : createUploads(context.stores.artifacts, threadId)
  const { asked, ...rest } = explainCall({ ...assembled.value, hasUploads }, state, { tool, args })
  const told = { ...rest, asked: [...asked] }
  if (rest.outcome.type === 'refused') return told
  const inside = await firstRequestInside(context, {
    config,
    tool: assembled.value.tools.find(({ name }) => name === rest.tool),
    args: rest.outcome.args,
  })
  return { ...told, ...(inside && { inside }) }
}

interface Uploads {
  /** Whether a person has put files into the thread of the run. */
  readonly hasUploads?: (() => boolean) | undefined
}

/** Explains a call of an assembled agent. `tool` may be the wire name, which is what a model writes. */
export function explainCall(
  {
    tools,
    policies,
    groups,
    codec,
    hasUploads,
  }: Pick<Assembled, 'tools' | 'policies' | 'groups' | 'codec'> & Uploads,
  state: RunState,
  { tool, args }: { tool: string; args: JsonObject | string },
): Explanation {
  const wired = (known: Codec) => known.offered.find(({ wire }) => wire.name === tool)?.name
  // A tool of a group that is not active has a wire name as well.
  const name = wired(codec) ?? wired(codec.over([...firstByName(tools).values()])) ?? tool
  const rawArgs = typeof args === 'string' ? args : JSON.stringify(args)
  return explain({ tools, policies, groups, state, ...(hasUploads && { hasUploads }) }, { name, rawArgs })
}

function cannot(diagnostics: readonly Diagnostic[]): AppError {
  return new AppError('not_compiled', 'The agent has errors in its drawing. Fix them first.', {
    diagnostics,
  })
}

/** The state of a run in which nothing has happened. */
export function freshState({ start }: Pick<Folding, 'start'>): RunState {
  const agent = { id: '', name: '', version: 'draft' as const, configHash: '' }
  return start({ agent, input: '', threadId: null, historyThrough: null, history: [] })
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
