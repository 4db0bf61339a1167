/** The model request of a step, rebuilt long after it was sent: its body, its composition, and its target. */
import type { RunDeps } from '#lib/agent/deps'
import { limitsOf } from '#lib/agent/limits'
import { loadPictures } from '#lib/agent/request/pictures'
import { noAgents } from '#lib/spec/agents-port'
import { AppError, type Result } from '#lib/spec/errors'
import type { RunRow, Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { StepRequest } from '#lib/wire/runs'
import type { Assembled } from '../agents/assemble'
import type { LoopFunctions } from './loop-functions'
import { sha256 } from './run-config'
import { depsOf } from './run-deps'
import { historyOf, stateOf } from './run-history'

interface RequestContext {
  readonly stores: Stores
  readonly engine: LoopFunctions
  assemble(configText: string): Promise<Result<Assembled>>
  ports(row: RunRow): Omit<ToolPorts, 'agents'>
  readonly clock: RunDeps['clock']
}

/**
 * Throws `not_found` for a step that called no model, and `unprocessable` when a part of the config is gone.
 */
export async function requestOf(context: RequestContext, row: RunRow, number: number): Promise<StepRequest> {
  const { engine, stores } = context
  const assembled = await context.assemble(row.config)
  if (!assembled.ok) {
    const detail = { diagnostics: assembled.error }
    throw new AppError('unprocessable', 'A part that this run used is no longer on this server.', detail)
  }
  const { value } = assembled
  const limits = limitsOf(value.policies).history
  const history = historyOf(engine, stores.runs, { row, limits })
  const state = stateOf(engine, row, { history, events: stores.runs.settledEvents(row.id) })
  const sent = state.steps[number - 1]?.request
  if (sent === undefined) throw new AppError('not_found', `Step ${number} of this run did not call a model.`)
  // The request holds the tools as they were recorded, so no agent is looked for.
  const ports = { ...context.ports(row), agents: noAgents }
  const deps = depsOf({ ports, clock: context.clock }, value, () => Promise.resolve())
  const shown = engine.requestPictures(state, deps, number)
  const again = engine.request(state, deps, number, await loadPictures(shown, deps.ports.artifacts))
  if (again === undefined) throw new Error('a step with a request cannot be encoded again')
  const { body, context: weight } = again
  return {
    request: JSON.parse(body),
    exact: sha256(body) === sent.hash,
    context: { ...weight, window: value.contextWindow },
    http: targetOf(value),
  }
}

/** Where such a request goes today. The key is shown as the name of the variable that would hold it. */
function targetOf({ model, keyVariable, redact = (text) => text }: Assembled): StepRequest['http'] {
  const target = model.target?.(`$${keyVariable}`)
  if (target === undefined) return null
  const headers = Object.entries(target.headers).map(([name, value]) => [name, redact(value)])
  return { url: redact(target.url), headers: Object.fromEntries(headers) }
}
