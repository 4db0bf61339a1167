/** Asks people about calls before they run, and records their decisions. */
import type { RunEvent } from '#lib/spec/event'
import type { Stage } from '#lib/spec/policy'
import type { CallState } from '#lib/spec/state'
import type { Engine } from '../engine'
import type { Ruled } from '../request/offer'
import { askBeforeCall } from './hooks'
import { approvalRequestedEvent, type Judged, judge, rulingEvent } from './refuse'

/** Records the decisions since the last time. A decision on a call that does not wait is ignored. */
export function* hearDecisions({ state, deps, emit }: Engine): Generator<RunEvent, void> {
  for (const { callId, decision, scope, by, reason, args } of deps.decisions?.take() ?? []) {
    if (state.calls.get(callId)?.status !== 'waiting') continue
    const more = { ...(reason !== undefined && { reason }), ...(args !== undefined && { args }) }
    yield emit({ type: 'approval.decided', callId, decision, scope, by, ...more })
  }
}

/** Stages at which a policy may ask for a person's decision. */
const askingStages: ReadonlySet<Stage> = new Set(['risk', 'taint', 'approval'])

/**
 * Asks about all calls of a step that need a person at once, so that the person need not come back for each.
 */
export async function* askTogether(
  engine: Engine,
  calls: readonly CallState[],
): AsyncGenerator<RunEvent, void> {
  if (!engine.deps.policies.some(({ stages }) => stages.some((each) => askingStages.has(each)))) return
  for (const call of calls) {
    if (call.status !== 'due' || call.approval !== undefined) continue
    if (judge(engine, call).runs !== 'asks') continue
    // The person is asked about the arguments that the hooks left.
    if (!(yield* askBeforeCall(engine, call))) return
    const judged = judge(engine, call)
    if (judged.runs === 'asks') yield* askFor(engine, call, judged)
  }
}

export function* askFor(
  { emit, deps }: Engine,
  call: CallState,
  judged: Extract<Judged, { runs: 'asks' }>,
): Generator<RunEvent, void> {
  const { rulings, tool } = judged
  const isTold = ({ node, reason }: Ruled) =>
    call.rulings.some((each) => each.node === node && each.reason === reason)
  // The server may have stopped after the ruling and before the request.
  for (const ruling of rulings) if (!isTold(ruling)) yield emit(rulingEvent(call, tool.name, ruling))
  yield emit(approvalRequestedEvent(call, judged, deps.clock.now()))
}
