/** The ledger: runs the calls that are due, each body at most once, each call to exactly one result. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { type Body, begin, type Outcome } from './body'
import { stopOf } from './deps'
import type { Engine } from './engine'
import { Feed } from './feed'
import { observe, observeError, shownBy } from './observe'
import { judge, lost, refused, ruled } from './refuse'
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
  | { readonly type: 'stopped' | 'grace-over' }
  | Extract<EventBody, { type: 'artifact.created' }>

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
  const stop = () => feed.push({ type: 'stopped' })
  signal.addEventListener('abort', stop)
  try {
    for (;;) {
      if (!signal.aborted) yield* fillUp(work)
      if (bodies.size === 0) return
      const item = await feed.take()
      switch (item.type) {
        case 'stopped':
          breakOff(work)
          break
        case 'grace-over':
          return
        case 'done':
          if (hasResult(work, item)) yield emit(await finished(engine, item))
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
  const { state, emit, signal, limits } = engine
  const width = limits.strategy === 'parallel' ? limits.concurrency : 1
  const ready: Ready[] = []
  let isNew = false
  while (bodies.size + ready.length < width && !signal.aborted && state.overBudget === null) {
    const call = work.calls[work.at++]
    if (call === undefined) break
    if (call.status === 'running') {
      const repeated = repeatable(engine, call)
      if (repeated !== undefined) ready.push(repeated)
      else yield emit(refused(call, lost(call)))
      continue
    }
    const judged = judge(engine, call)
    const { name } = judged.runs ? judged.tool : judged.refusal
    for (const ruling of judged.rulings) yield emit(ruled(call, name, ruling))
    if (!judged.runs) {
      yield emit(refused(call, judged.refusal))
      continue
    }
    const { tool, args } = judged
    // Announced before the next call is judged, so that it counts as begun there.
    const { source, node } = tool
    yield emit({ type: 'call.started', callId: call.id, name, args, source, node })
    ready.push({ call, tool, args })
    isNew = true
  }
  if (isNew) await engine.committed()
  if (signal.aborted) return
  for (const each of ready) bodies.set(each.call.id, start(work, each))
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
