/** Cuts the run's own steps before a request that would not fit the model's context window. */
import type { Compaction, EventBody, RunEvent } from '#lib/spec/event'
import type { RunState, StepState } from '#lib/spec/state'
import { estimateTokens } from '#lib/spec/tokens'
import type { Engine } from '../engine'
import { type PlannedCut, planCut, type RequestSize } from '../request/plan-cut'
import type { Asking } from '../request/request'
import { awaitsCut, refusalsOf } from '../state/compaction'
import { listSteps, type Summary, summarize } from './summary'

/** How often one step's request is cut again after the provider refused it as too long. */
const mostRefusals = 2

/**
 * Emits `context.compacted` when the request does not fit. A cut on record is never made again, so a resumed
 * run sends what it would have sent.
 */
export async function* fitContext(engine: Engine, asking: Asking): AsyncGenerator<RunEvent, void> {
  const { step, attempt } = asking
  if (step.compacted?.some((cut) => cut.attempt === attempt)) return
  const refusals = awaitsCut(step) ? refusalsOf(step) : 0
  // Without a known window only the provider can say that a request is too long.
  if (refusals === 0 && typeof engine.deps.contextWindow !== 'number') return
  const size = sizeOf(engine, asking)
  const plan = planFor(engine, asking, { size, refusals })
  if (plan === undefined) return
  const cut = await summed(engine, asking, { size, refusals, plan })
  if (engine.signal.aborted) return
  yield engine.emit(compactedEvent(cut))
  estimates.set(step, engine.wire().estimate(asking))
}

/** Whether a request that the provider refused as too long can be cut and sent again. */
export function canCutAgain(engine: Engine, asking: Asking): boolean {
  const refusals = refusalsOf(asking.step) + 1
  if (refusals > mostRefusals) return false
  return planFor(engine, asking, { size: sizeOf(engine, asking), refusals }) !== undefined
}

interface Cutting {
  readonly size: RequestSize
  readonly refusals: number
  /** In place of what the policy says. */
  readonly how?: Compaction
}

function planFor(engine: Engine, asking: Asking, { size, refusals, how }: Cutting): PlannedCut | undefined {
  const { state, limits, deps } = engine
  return planCut({
    state,
    step: asking.step.number,
    cuts: engine.wire().cuts(asking),
    size,
    limits: how === undefined ? limits.context : { ...limits.context, how },
    window: deps.contextWindow ?? undefined,
    refusals,
  })
}

/** No text has fewer or more tokens than this, compared with our estimate: such a count is wrong. */
const leastScale = 0.25
const mostScale = 8
/** Our estimate is trusted as far as this many tokens would prove it, so that a short request says little. */
const trusted = 1_000
/** How many steps are searched for one that the provider counted. */
const countedWithin = 8

/** What the provider counted for the last request, and our estimate of what came since, corrected by that count. */
function sizeOf(engine: Engine, asking: Asking): RequestSize {
  const last = engine.state.steps.slice(-countedWithin).findLast((step) => step.countedTokens !== undefined)
  const counted = last?.countedTokens
  // The cuts of a run are applied in their order, so the earlier request comes first.
  const before = last === undefined ? 0 : estimateOf(engine, last)
  const estimate = engine.wire().estimate(asking)
  estimates.set(asking.step, estimate)
  if (counted === undefined) return { tokens: estimate, scale: 1 }
  const ratio = (counted + trusted) / (before + trusted)
  const scale = Math.min(mostScale, Math.max(leastScale, ratio))
  const tokens = counted + (estimate - before) * scale
  return { tokens: Math.max(tokens, estimate * leastScale), scale }
}

/** Our estimate of the last request of each step, which would take as long to make again as the request. */
const estimates = new WeakMap<StepState, number>()

function estimateOf(engine: Engine, step: StepState): number {
  const known = estimates.get(step)
  if (known !== undefined) return known
  return engine.wire().estimate({ step, attempt: step.request?.attempt ?? 1 })
}

/**
 * The cut with a summary of the steps that it replaces, written by the model where the policy asks for that.
 * When the model writes none, results are taken out instead.
 */
async function summed(
  engine: Engine,
  asking: Asking,
  { plan, ...cutting }: Cutting & { readonly plan: PlannedCut },
): Promise<Cut> {
  const { size } = cutting
  const asksModel = engine.limits.context.how !== 'clear' && plan.through > 0
  const written = asksModel ? await summarize(engine, asking, plan) : undefined
  if (written !== undefined && written.failed === undefined) return { size, plan, summary: written }
  const cleared = written && planFor(engine, asking, { ...cutting, how: 'clear' })
  return listedCut(engine.state, { size, plan: cleared ?? plan, ...(written && { failed: written }) })
}

/** A cut without a model: steps that it replaces are only listed. */
function listedCut(
  state: RunState,
  { size, plan, failed }: { size: RequestSize; plan: PlannedCut; failed?: Summary },
): Cut {
  const text = plan.through === 0 ? undefined : listSteps(state, plan.through)
  return { size, plan, summary: { ...failed, text } }
}

interface Cut {
  readonly size: RequestSize
  readonly plan: PlannedCut
  /** Without a text, no steps are replaced. */
  readonly summary: Omit<Summary, 'text'> & { readonly text: string | undefined }
}

function compactedEvent({ size, plan, summary }: Cut): EventBody {
  const { calls, from, to } = plan
  const { text, usage, costUsd = null, failed, model } = summary
  const added = text === undefined ? 0 : estimateTokens(text) * size.scale
  const isWritten = usage !== undefined && failed === undefined
  return {
    type: 'context.compacted',
    how: !isWritten ? 'clear' : calls.length > 0 ? 'both' : 'summarize',
    from,
    to,
    calls: [...calls],
    tokensBefore: Math.round(size.tokens),
    tokensAfter: Math.round(plan.tokensAfter + added),
    ...(text !== undefined && { summary: text }),
    ...(model && { model }),
    ...(usage && { usage, costUsd }),
    ...(failed !== undefined && { failed }),
  }
}
