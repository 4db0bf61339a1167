/** The model request of a step, rebuilt long after it was sent: its body, its composition, and its target. */
import type { RunDeps } from '#lib/agent/deps'
import { limitsOf } from '#lib/agent/limits'
import { loadPictures } from '#lib/agent/request/pictures'
import { callAt } from '#lib/agent/state/inner-path'
import { noAgents } from '#lib/spec/agents-port'
import { AppError, type Result } from '#lib/spec/errors'
import type { Message } from '#lib/spec/message'
import type { RunState } from '#lib/spec/state'
import type { RunRow, Stores } from '#lib/spec/store'
import type { ToolPorts } from '#lib/spec/tool'
import type { StepRequest } from '#lib/wire/runs'
import type { Assembled } from '../agents/assemble'
import type { LoopFunctions } from './loop-functions'
import { configAround } from './run-answers'
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

/** A step of the run, or of a run inside a call. */
export interface AskedStep {
  readonly step: number
  /** The ids of the calls around the run inside, joined by `/`. */
  readonly parent?: string | undefined
}

/**
 * Throws `not_found` for a step that called no model, and `unprocessable` when a part of the config is gone.
 */
export async function requestOf(
  context: RequestContext,
  row: RunRow,
  { step: number, parent }: AskedStep,
): Promise<StepRequest> {
  if (parent === undefined) {
    const value = await assembledOf(context, row.config)
    const limits = limitsOf(value.policies).history
    const history = historyOf(context.engine, context.stores.runs, { row, limits })
    return requestIn(context, row, { state: wholeState(context, row, history), value, number })
  }
  const inner = callAt(wholeState(context, row, []), parent)?.inner
  const config = inner && configAround(context.stores.runs, row, inner)
  if (inner === undefined || config === undefined)
    throw new AppError('not_found', 'This run has no run inside such a call.', { path: 'parent' })
  return requestIn(context, row, { state: inner, value: await assembledOf(context, config), number })
}

function wholeState({ engine, stores }: RequestContext, row: RunRow, history: readonly Message[]): RunState {
  return stateOf(engine, row, { history, events: stores.runs.settledEvents(row.id) })
}

async function assembledOf({ assemble }: RequestContext, config: string): Promise<Assembled> {
  const assembled = await assemble(config)
  if (!assembled.ok) {
    const detail = { diagnostics: assembled.error }
    throw new AppError('unprocessable', 'A part that this run used is no longer on this server.', detail)
  }
  return assembled.value
}

interface Known {
  readonly state: RunState
  readonly value: Assembled
  readonly number: number
}

async function requestIn(
  context: RequestContext,
  row: RunRow,
  { state, value, number }: Known,
): Promise<StepRequest> {
  const { engine } = context
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
