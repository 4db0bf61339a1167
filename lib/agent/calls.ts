/** The ledger: runs the calls that are due, each body at most once, each call to exactly one result. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Body, begin, type Outcome } from './body'
import { stopOf } from './deps'
import type { Engine } from './engine'
import { Feed } from './feed'
import { judge, lost, refused } from './refuse'

/** How long a body may take to end once it is told to. */
const graceMs = 500
/** How long a drain waits for a body with an effect, which could not run again: most of what the server has itself. */
const effectGraceMs = 6_000

type Happening =
  | { readonly type: 'done'; readonly call: CallState; readonly tool: BoundTool; readonly outcome: Outcome }
  | { readonly type: 'stopped' | 'grace-over' }

interface Ready {
  readonly call: CallState
  readonly tool: BoundTool
  readonly args: JsonObject
}

interface Work {
  readonly engine: Engine
  readonly feed: Feed<Happening>
  readonly calls: readonly CallState[]
  /** The first call that has had no turn yet. */
  at: number
  readonly bodies: Map<string, Body>
}

/**
 * Gives every call its turn in call order, as many at once as the strategy lets. When the run is stopped, it returns
 * within the grace, leaving without a result whatever did not end well by then: `next` knows what becomes of it.
 */
export async function* runCalls(engine: Engine, calls: readonly CallState[]): AsyncGenerator<RunEvent, void> {
  const { signal, emit } = engine
  const feed = new Feed<Happening>(engine.deps.clock)
  const work: Work = { engine, feed, calls, at: 0, bodies: new Map() }
  const { bodies } = work
  let isStopped = false
  const stop = () => feed.push({ type: 'stopped' })
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      if (!signal.aborted) yield* fillUp(work)
      if (bodies.size === 0) return
      const item = await feed.take()
      switch (item.type) {
        case 'stopped':
          isStopped = true
          breakOff(work)
          break
        case 'grace-over':
          return
        case 'done':
          bodies.delete(item.call.id)
          if (!isStopped || item.outcome.status === 'ok') yield emit(finished(item))
          break
        default:
          yield emit(item)
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    feed.close()
    for (const body of bodies.values()) body.abort(stopOf(signal) ?? 'cancel')
  }
}

/** Takes calls until the width is used or none waits: what may not run is finished at once, the rest begins together. */
async function* fillUp(work: Work): AsyncGenerator<RunEvent, void> {
  const { engine, bodies } = work
  const { emit, signal, limits } = engine
  const width = limits.strategy === 'parallel' ? limits.concurrency : 1
  const again: Ready[] = []
  const fresh: Ready[] = []
  while (bodies.size + again.length + fresh.length < width && !signal.aborted) {
    const call = work.calls[work.at++]
    if (call === undefined) break
    if (call.status === 'running') {
      const ready = repeatable(engine, call)
      if (ready !== undefined) again.push(ready)
      else yield emit(refused(call, lost(call)))
      continue
    }
    const judged = judge(engine, call)
    for (const { policy, node, verdict, reason } of judged.rulings) {
      const tool = judged.runs ? judged.tool.name : judged.refusal.name
      yield emit({ type: 'policy.ruled', policy, node, tool, callId: call.id, verdict, reason })
    }
    if (judged.runs) fresh.push({ call, tool: judged.tool, args: judged.args })
    else yield emit(refused(call, judged.refusal))
  }
  for (const { call, tool, args } of fresh) {
    const { name, source, node } = tool
    yield emit({ type: 'call.started', callId: call.id, name, args, source, node })
  }
  if (fresh.length > 0) await engine.committed()
  if (signal.aborted) return
  for (const ready of [...again, ...fresh]) bodies.set(ready.call.id, start(work, ready))
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
    done: (outcome) => feed.push({ type: 'done', call, tool, outcome }),
  })
}

/** A drain lets a body with an effect end by itself as long as there is time; what can run again is broken off at once. */
function breakOff({ engine, feed, bodies }: Work): void {
  const reason = stopOf(engine.signal) ?? 'cancel'
  let grace = graceMs
  for (const body of bodies.values()) {
    if (reason === 'cancel' || body.tool.effect !== 'effect') body.abort(reason)
    else grace = effectGraceMs
  }
  feed.pushAfter(grace, { type: 'grace-over' })
}

function finished({ call, tool, outcome }: Extract<Happening, { type: 'done' }>): EventBody {
  const { status, code, result, durationMs } = outcome
  const { id: callId, attempts } = call
  return {
    type: 'call.finished',
    callId,
    name: tool.name,
    node: tool.node,
    status,
    code,
    result,
    durationMs,
    attempts,
  }
}
