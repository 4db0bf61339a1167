/** Asks people about calls before they run, and records their decisions. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Stage } from '#lib/spec/policy'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Engine } from '../engine'
import type { Ruled } from '../request/offer'
import { placeOf, splitPath } from '../state/inner-path'
import type { Decided } from './decisions'
import { askBeforeCall } from './hooks'
import { oneDeeper, openCallAt, originalsInside, peopleInside } from './inside'
import { type Hiding, type Replaced, replaceArgs } from './originals'
import { approvalRequestedEvent, fittedArgs, type Judged, judge, rulingEvent } from './refuse'

/** Records the decisions since the last time. A decision on a call that does not wait is ignored. */
export function* hearDecisions(engine: Engine): Generator<RunEvent, void> {
  const { state, deps, emit, tool } = engine
  for (const decided of deps.decisions?.take() ?? []) {
    const body = peopleInside(engine, decided.callId)
    if (body !== undefined) {
      body.push(oneDeeper(decided))
      continue
    }
    const call = openCallAt(state, decided.callId)
    if (call?.status !== 'waiting' || call.approval === undefined) continue
    if (call.approval.decided !== undefined) continue
    const [outermost, rest] = splitPath(decided.callId)
    if (rest !== undefined) engine.rested.add(outermost)
    yield emit(decidedEvent(deps, decided, { call, tool: rest === undefined ? tool(call.name) : undefined }))
  }
}

/** The call that a person decides on, and its tool if it exists. */
interface Waiting {
  readonly call: CallState
  readonly tool: BoundTool | undefined
}

/**
 * The event of a decision. Secrets in the person's arguments are kept and replaced. The tool of a call inside a call
 * is not known here, so placeholders in its arguments stay text.
 */
export function decidedEvent(
  deps: Hiding,
  { args: given, ...decided }: Decided,
  waiting: Waiting,
): EventBody {
  const event = { type: 'approval.decided' as const, ...decided, ...placeOf(decided.callId) }
  if (given === undefined) return event
  const originals = originalsInside(deps.originals, event.parent)
  const { args, redacted } = personsArgs({ ...deps, originals }, given, waiting)
  return { ...event, args, ...(redacted && { redacted }) }
}

/** A person sees no secrets, so what they leave as it was keeps its secrets. */
export function personsArgs(deps: Hiding, given: JsonObject, { call, tool }: Waiting): Replaced {
  const before = tool && fittedArgs(deps, tool, call)
  const own =
    before === undefined ? { shown: {}, original: {} } : { shown: before.shown, original: before.args }
  return replaceArgs(deps, { callId: call.id, source: 'person', given, ...own })
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
    if (call.status !== 'due' || call.startedAt !== undefined || call.approval !== undefined) continue
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
