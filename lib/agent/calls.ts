/** The ledger: runs the calls that are due, each body at most once, each call to exactly one result. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { Stage } from '#lib/spec/policy'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Body, begin, type Outcome } from './body'
import { stopOf } from './deps'
import type { Engine } from './engine'
import { Feed } from './feed'
import { observe, observeError, shownBy } from './observe'
import type { Ruled } from './offer'
import { asked, type Judged, judge, lost, type Refusal, refused, ruled } from './refuse'
import { told } from './whole'

/** How long a body may take to end once it is told to. */
const graceMs = 500
/** How long a drain waits for a body with an effect, which could not run again: most of what the server has itself. */
const effectGraceMs = 6_000

interface Done {
  readonly type: 'done'
  readonly call: CallState
  readonly tool: BoundTool
  readonly outcome: Outcome
}

type Happening =
  | Done
  | { readonly type: 'stopped' | 'grace-over' | 'decided' }
  | Extract<EventBody, { type: 'artifact.created' }>

interface Ready {
  readonly call: CallState
  readonly tool: BoundTool
  readonly args: JsonObject
}

interface Work {
  readonly engine: Engine
  readonly feed: Feed<Happening>
  /** Calls in call order; from `at` on they have had no turn yet. */
  line: readonly CallState[]
  at: number
  /** Calls that others have overtaken, since they wait for a person. */
  held: CallState[]
  readonly bodies: Map<string, Body>
}

/**
 * Gives every call its turn in call order, as many at once as the strategy lets; returns when all have a result, or when
 * those that are left wait for a person. When the run is stopped, it returns within the grace, leaving without a result
 * whatever did not end well by then: `next` knows what becomes of it.
 */
export async function* runCalls(engine: Engine, calls: readonly CallState[]): AsyncGenerator<RunEvent, void> {
  const { signal, emit, deps } = engine
  const feed = new Feed<Happening>(deps.clock)
  const work: Work = { engine, feed, line: calls, at: 0, held: [], bodies: new Map() }
  const { bodies } = work
  const stop = () => feed.push({ type: 'stopped' })
  signal.addEventListener('abort', stop)
  const unlisten = deps.decisions?.listen(() => feed.push({ type: 'decided' }))
  try {
    if (!signal.aborted) yield* askTogether(engine, calls)
    for (;;) {
      for (const decided of hearDecisions(engine)) {
        yield decided
        takeUp(work)
      }
      if (!signal.aborted) yield* fillUp(work)
      if (bodies.size === 0) return
      const item = await feed.take()
      switch (item.type) {
        case 'stopped':
          breakOff(work)
          break
        case 'grace-over':
          return
        case 'decided':
          break
        case 'done':
          if (hasResult(work, item)) yield emit(await finished(engine, item))
          break
        default:
          yield emit(item)
      }
    }
  } finally {
    unlisten?.()
    signal.removeEventListener('abort', stop)
    feed.close()
    for (const body of bodies.values()) body.abort(stopOf(signal) ?? 'cancel')
  }
}

/** A call that was overtaken has its turn again. */
function takeUp(work: Work): void {
  if (work.held.length === 0) return
  work.line = [...work.held, ...work.line.slice(work.at)]
  work.at = 0
  work.held = []
}

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
function* askTogether(engine: Engine, calls: readonly CallState[]): Generator<RunEvent, void> {
  if (!engine.deps.policies.some(({ stages }) => stages.some((each) => askingStages.has(each)))) return
  for (const call of calls) {
    if (call.status !== 'due' || call.approval !== undefined) continue
    const judged = judge(engine, call)
    if (judged.runs === 'asks') yield* askFor(engine, call, judged)
  }
}

function* askFor(
  { emit, deps }: Engine,
  call: CallState,
  judged: Extract<Judged, { runs: 'asks' }>,
): Generator<RunEvent, void> {
  const { rulings, tool } = judged
  const isTold = ({ node, reason }: Ruled) =>
    call.rulings.some((each) => each.node === node && each.reason === reason)
  // The server may have stopped between a ruling and the question.
  for (const ruling of rulings) if (!isTold(ruling)) yield emit(ruled(call, tool.name, ruling))
  yield emit(asked(call, judged, deps.clock.now()))
}

/** Takes calls as far as the strategy lets: what may not run is finished at once, the rest begins together. */
async function* fillUp(work: Work): AsyncGenerator<RunEvent, void> {
  const { engine, bodies } = work
  const { state, emit, signal } = engine
  const ready: Ready[] = []
  let isNew = false
  while (!signal.aborted && state.overBudget === null) {
    const call = work.line[work.at]
    if (call === undefined || !hasRoom(work, ready, call)) break
    const turn = call.status === 'waiting' ? undefined : turnOf(engine, call)
    if (turn?.do === 'ask') yield* askFor(engine, call, turn.judged)
    if (turn === undefined || turn.do === 'ask') {
      // Only parallel calls may overtake one that waits for a person.
      if (engine.limits.strategy !== 'parallel') break
      work.at += 1
      work.held.push(call)
      continue
    }
    work.at += 1
    if (turn.do === 'refuse') {
      for (const ruling of turn.rulings) yield emit(ruled(call, turn.refusal.name, ruling))
      yield emit(refused(call, turn.refusal))
      continue
    }
    if (turn.do === 'begin') {
      // Announced before the next call is judged, so that it counts as begun there.
      const { tool, args } = turn.ready
      const { name, source, node } = tool
      yield emit({ type: 'call.started', callId: call.id, name, args, source, node })
      isNew = true
    }
    ready.push(turn.ready)
  }
  if (isNew) await engine.committed()
  if (signal.aborted) return
  for (const each of ready) bodies.set(each.call.id, start(work, each))
}

/** What becomes of a call whose turn it is. */
type Turn =
  | { readonly do: 'begin' | 'repeat'; readonly ready: Ready }
  | { readonly do: 'ask'; readonly judged: Extract<Judged, { runs: 'asks' }> }
  | { readonly do: 'refuse'; readonly refusal: Refusal; readonly rulings: readonly Ruled[] }

function turnOf(engine: Engine, call: CallState): Turn {
  if (call.status === 'running') {
    const ready = repeatable(engine, call)
    return ready === undefined ? { do: 'refuse', refusal: lost(call), rulings: [] } : { do: 'repeat', ready }
  }
  const judged = judge(engine, call)
  switch (judged.runs) {
    case true:
      return { do: 'begin', ready: { call, tool: judged.tool, args: judged.args } }
    case 'asks':
      return { do: 'ask', judged }
    case false:
      return { do: 'refuse', refusal: judged.refusal, rulings: judged.rulings }
  }
  return judged satisfies never
}

/** Whether the call may go beside those at work; by `auto` reads go together, and all else goes alone. */
function hasRoom({ engine, bodies }: Work, ready: readonly Ready[], call: CallState): boolean {
  const { strategy, concurrency } = engine.limits
  const count = bodies.size + ready.length
  switch (strategy) {
    case 'sequential':
      return count === 0
    case 'parallel':
      return count < concurrency
    case 'auto': {
      const isAlone = (tool: BoundTool | undefined) => tool !== undefined && tool.effect !== 'read'
      const isBarred = [...bodies.values(), ...ready].some(({ tool }) => isAlone(tool))
      return count === 0 || (count < concurrency && !isBarred && !isAlone(engine.tool(call.name)))
    }
  }
  return strategy satisfies never
}

/** A call cut off by a crash runs again when that cannot do harm, under the `call.started` it has. */
function repeatable(engine: Engine, call: CallState): Ready | undefined {
  const tool = engine.tool(call.name)
  if (tool === undefined || tool.effect === 'effect' || call.args === undefined) return undefined
  return { call, tool, args: call.args }
}

function start({ engine, feed }: Work, { call, tool, args }: Ready): Body {
  return begin(engine, {
    call,
    tool,
    args,
    progress: (update) => feed.piece({ type: 'call.progressed', callId: call.id, ...update }),
    created: (artifact) => feed.push({ type: 'artifact.created', callId: call.id, artifact }),
    done: (outcome) => feed.push({ type: 'done', call, tool, outcome }),
  })
}

/** The model finds its own arguments in the dialogue, and must not take what came of others for theirs. */
function changed(args: JsonObject): string {
  return `A person changed the arguments of this call before it ran, to ${JSON.stringify(args)}`
}

/** A drain lets a body with an effect end by itself as long as there is time; what can run again is broken off at once. */
function breakOff({ engine, feed, bodies }: Work): void {
  const reason = stopOf(engine.signal) ?? 'cancel'
  let grace = graceMs
  for (const body of bodies.values()) {
    if (reason !== 'drain' || body.tool.effect !== 'effect') body.abort(reason)
    else grace = effectGraceMs
  }
  feed.pushAfter(grace, { type: 'grace-over' })
}

/** What a body says that was told to stop is no result of the call, unless it ended well all the same. */
function hasResult({ bodies }: Work, { call, outcome }: Done): boolean {
  const isAborted = bodies.get(call.id)?.isAborted ?? true
  bodies.delete(call.id)
  return outcome.ended.status === 'ok' || !isAborted
}

async function finished({ deps, toolLimits }: Engine, { call, tool, outcome }: Done): Promise<EventBody> {
  const { ended, tries, durationMs } = outcome
  const whole =
    ended.status === 'ok'
      ? observe(ended.blocks)
      : observeError(ended.message, ended.brokeOff ? shownBy(call) : [])
  const keep = async (content: string) => {
    const name = `${tool.name}-${call.id}.txt`
    try {
      return await deps.ports.artifacts.keep({ name, mediaType: 'text/plain', content })
    } catch (error) {
      deps.report?.(error)
      return undefined
    }
  }
  const { artifact, ...result } = await told(whole, toolLimits(tool).maxChars, keep)
  const edited = call.approval?.decided?.args
  if (edited !== undefined) result.text = `${changed(edited)}\n\n${result.text}`
  return {
    type: 'call.finished',
    callId: call.id,
    name: tool.name,
    node: tool.node,
    status: ended.status,
    code: ended.code,
    result,
    durationMs,
    attempts: call.attempts + tries - 1,
    ...(artifact !== undefined && { artifact }),
  }
}
