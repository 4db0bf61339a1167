/** What a person is asked before calls run, and what they said. */
import type { RunEvent } from '#lib/spec/event'
import type { Stage } from '#lib/spec/policy'
import type { CallState } from '#lib/spec/state'
import type { Engine } from '../engine'
import type { Ruled } from '../request/offer'
import { askBeforeCall } from './hooks'
import { approvalRequestedEvent, type Judged, judge, rulingEvent } from './refuse'

/** What people have said since; of a call that waits for nobody it counts no more. */
export function* hearDecisions({ state, deps, emit }: Engine): Generator<RunEvent, void> {
  for (const { callId, decision, scope, by, reason, args } of deps.decisions?.take() ?? []) {
    if (state.calls.get(callId)?.status !== 'waiting') continue
    const more = { ...(reason !== undefined && { reason }), ...(args !== undefined && { args }) }
    yield emit({ type: 'approval.decided', callId, decision, scope, by, ...more })
  }
}

/** Stages at which a policy may want a person's word. */
const askingStages: ReadonlySet<Stage> = new Set(['risk', 'taint', 'approval'])

/** All that a person must decide on in a step is asked at once, so that nobody has to come back for each. */
export async function* askTogether(
  engine: Engine,
  calls: readonly CallState[],
): AsyncGenerator<RunEvent, void> {
  if (!engine.deps.policies.some(({ stages }) => stages.some((each) => askingStages.has(each)))) return
  for (const call of calls) {
    if (call.status !== 'due' || call.approval !== undefined) continue
    if (judge(engine, call).runs !== 'asks') continue
    // A person is asked about what hooks have left of it.
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
  // The server may have stopped between a ruling and the question.
  for (const ruling of rulings) if (!isTold(ruling)) yield emit(rulingEvent(call, tool.name, ruling))
  yield emit(approvalRequestedEvent(call, judged, deps.clock.now()))
}
