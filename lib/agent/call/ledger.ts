/** Decides which call of a step may begin, runs each body at most once and gives each call one result. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { JsonObject } from '#lib/spec/json'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import type { Release } from '#lib/spec/turns'
import { stopOf } from '../deps'
import type { Engine } from '../engine'
import type { Feed, StreamPiece } from '../feed'
import { inTurn } from '../next'
import type { Ruled } from '../request/offer'
import { callKey } from '../state/past'
import { askFor, hearDecisions } from './approvals'
import { cachedResult, finishCall } from './finished'
import { askBeforeCall, finishWithHooks, isHooked } from './hooks'
import { isRedacted } from './originals'
import { PlaceLine } from './place-line'
import { isCached } from './recall'
import {
  busyRefusal,
  finishRefused,
  fittedArgs,
  type Judged,
  judge,
  lostRefusal,
  type Refusal,
  rulingEvent,
  secretLostRefusal,
} from './refuse'
import type { Happening, Ran, RunningCalls } from './running'
import { type Body, begin } from './tool-body'

/** How long a body may take to end after it was told to stop, in milliseconds. */
const graceMs = 500
/**
 * How long a drain waits for a body with an effect, which could not run again: most of the time the server
 * has.
 */
const effectGraceMs = 6_000

interface Ready {
  readonly call: CallState
  readonly tool: BoundTool
  /** With their secrets. */
  readonly args: JsonObject
  /** As events have them. */
  readonly shown: JsonObject
}

/** A call that holds a place among all calls at work. */
interface Placed extends Ready {
  readonly place: Release
  readonly waitedMs: number
}

/** What is done with a call when it has its turn. */
type Turn =
  | { readonly do: 'begin' | 'repeat'; readonly ready: Ready }
  | { readonly do: 'recall'; readonly tool: BoundTool; readonly from: CallState }
  | { readonly do: 'ask'; readonly judged: Extract<Judged, { runs: 'asks' }> }
  | { readonly do: 'refuse'; readonly refusal: Refusal; readonly rulings: readonly Ruled[] }
  /** An equal call is at work whose result can be used. */
  | { readonly do: 'await' }

export class Ledger implements RunningCalls {
  readonly #engine: Engine
  readonly #feed: Feed<Happening>
  readonly #bodies = new Map<string, Body>()
  /** Calls in call order; those from `#at` on have had no turn yet. */
  #line: CallState[] = []
  #at = 0
  /** Calls that others have overtaken, since they wait for a person or for an equal call. */
  #held: CallState[] = []
  /** One of the held calls waits for an equal call. */
  #isAwaited = false
  /** More calls may come, so no person is asked yet. */
  #isOpen = true
  /** The line in which the next call waits for a place among all calls at work. No call begins meanwhile. */
  readonly #places: PlaceLine
  readonly #unlisten: () => void

  constructor(engine: Engine, feed: Feed<Happening>) {
    this.#engine = engine
    this.#feed = feed
    const { signal, deps } = engine
    this.#places = new PlaceLine(deps, {
      ahead: (callId, ahead) =>
        feed.piece({ type: 'call.progressed', callId, wait: { for: 'place', ahead } }),
      placed: () => feed.push({ type: 'placed' }),
    })
    const stop = () => feed.push({ type: 'stopped' })
    signal.addEventListener('abort', stop)
    const unlisten = deps.decisions?.listen(() => feed.push({ type: 'decided' }))
    this.#unlisten = () => {
      unlisten?.()
      signal.removeEventListener('abort', stop)
    }
  }

  get isBusy(): boolean {
    return this.#bodies.size > 0 || this.#places.isWaiting
  }

  /** Adds one call of an answer that still streams. */
  add(call: CallState): void {
    this.#line.push(call)
  }

  /** The answer is complete, and these of its calls have no result yet. */
  takeAll(calls: readonly CallState[]): void {
    this.#isOpen = false
    this.#line = inTurn(calls.filter(({ id }) => !this.#bodies.has(id)))
    this.#at = 0
    this.#held = []
    this.#isAwaited = false
  }

  /**
   * Continues until no call is at work and none may begin. When the run is stopped, it continues until the
   * grace period is over and leaves calls that have not ended well without a result: `next` decides about
   * them.
   * @param mayBegin false when calls that have had no turn must not begin
   */
  async *settle(mayBegin: boolean): AsyncGenerator<RunEvent, void> {
    if (this.#engine.signal.aborted) this.#breakOff()
    if (!mayBegin) this.#places.leave()
    for (;;) {
      for (const decided of hearDecisions(this.#engine)) {
        yield decided
        this.#takeUp()
      }
      if (mayBegin) yield* this.fillUp()
      if (!this.isBusy) return
      const item = await this.#feed.take()
      if (item.type === 'grace-over') return
      yield* this.heed(item)
    }
  }

  /** Handles one event among the calls. Pieces of the answer's stream are ignored. */
  async *heed(item: Happening | StreamPiece): AsyncGenerator<RunEvent, void> {
    const { emit, emitInner } = this.#engine
    switch (item.type) {
      case 'stopped':
        this.#breakOff()
        return
      case 'done':
        if (this.#hasResult(item)) {
          const { call, outcome } = item
          if (outcome.ended.status === 'ok' && outcome.ended.groups !== undefined)
            yield emit({ type: 'groups.changed', active: [...outcome.ended.groups], callId: call.id })
          yield* finishWithHooks(this.#engine, call, await finishCall(this.#engine, item))
        }
        if (this.#isAwaited) this.#takeUp()
        return
      case 'inner':
        yield emitInner(item.callId, item.event)
        item.recorded()
        return
      case 'grace-over':
      case 'decided':
      case 'placed':
      case 'ended':
      case 'sealed':
      case 'text.delta':
      case 'reasoning.delta':
      case 'call.delta':
        return
      default:
        // All that is left are events of the calls at work: `emit` takes nothing else.
        yield emit(item)
    }
  }

  /** Takes calls as far as the strategy allows: it finishes those that may not run and begins the others. */
  async *fillUp(): AsyncGenerator<RunEvent, void> {
    if (this.#places.isInLine) return
    const ready: Placed[] = []
    try {
      if ((yield* this.#begin(ready)) !== 'in line') this.#places.leave()
    } finally {
      // A call that could not begin after all gives its place back.
      for (const { place } of ready) place()
    }
  }

  async *#begin(ready: Placed[]): AsyncGenerator<RunEvent, 'in line' | undefined> {
    const { state, emit, signal, limits } = this.#engine
    let mustBeStored = false
    const launch = async () => {
      if (mustBeStored) await this.#engine.committed()
      mustBeStored = false
      if (signal.aborted) return
      for (const each of ready.splice(0)) this.#bodies.set(each.call.id, this.#start(each))
    }
    while (!signal.aborted && state.overBudget === null) {
      const call = this.#line[this.#at]
      if (call === undefined || !this.#hasRoom(ready, call)) break
      if (call.ends && this.#isOpen) {
        // More calls may follow, and all of them run before this one.
        this.#at += 1
        continue
      }
      if (isHooked(this.#engine, call)) {
        // Neither the stream nor calls that are ready wait for a hook's program.
        if (this.#isOpen) break
        await launch()
        if (signal.aborted || !(yield* askBeforeCall(this.#engine, call))) break
      }
      const turn = call.status === 'waiting' ? undefined : this.#turnOf(call, ready)
      if (turn?.do === 'ask' && !this.#isOpen) yield* askFor(this.#engine, call, turn.judged)
      if (turn === undefined || turn.do === 'ask' || turn.do === 'await') {
        // Only parallel calls may overtake a call that waits.
        if (limits.strategy !== 'parallel') break
        this.#at += 1
        this.#held.push(call)
        this.#isAwaited ||= turn?.do === 'await'
        continue
      }
      const placed = turn.do === 'begin' || turn.do === 'repeat' ? this.#places.take(call) : undefined
      if (placed === 'waits') {
        await launch()
        return 'in line'
      }
      this.#at += 1
      if (turn.do === 'refuse') {
        for (const ruling of turn.rulings) yield emit(rulingEvent(call, turn.refusal.name, ruling))
        yield emit(finishRefused(call, turn.refusal))
        continue
      }
      if (turn.do === 'recall') {
        yield emit(cachedResult(call, turn.tool, turn.from))
        continue
      }
      if (placed === undefined || placed === 'late') {
        yield emit(finishRefused(call, busyRefusal(call, turn.ready.tool)))
        continue
      }
      if (turn.do === 'begin') {
        // Emitted before the next call is judged, so that this one counts as begun.
        const { tool, shown } = turn.ready
        yield emit(startedEvent(call, tool, shown))
        // A read leaves nothing behind: if its beginning is lost with the server, the step is asked again.
        mustBeStored ||= tool.effect !== 'read'
      }
      mustBeStored ||= !this.#engine.isRecorded
      ready.push({ ...turn.ready, ...placed })
    }
    await launch()
    return undefined
  }

  /** Closes the ledger: calls still at work are told to stop, and their results are ignored. */
  close(): void {
    this.#unlisten()
    this.#places.leave()
    this.#feed.close()
    for (const body of this.#bodies.values()) body.abort(stopOf(this.#engine.signal) ?? 'cancel')
  }

  /** Gives overtaken calls their turn again. */
  #takeUp(): void {
    if (this.#held.length === 0) return
    this.#line = [...this.#held, ...this.#line.slice(this.#at)]
    this.#at = 0
    this.#held = []
    this.#isAwaited = false
  }

  #turnOf(call: CallState, ready: readonly Ready[]): Turn {
    const engine = this.#engine
    if (call.status === 'running') {
      const found = repeatable(engine, call)
      return 'args' in found ? { do: 'repeat', ready: found } : { do: 'refuse', refusal: found, rulings: [] }
    }
    const judged = judge(engine, call)
    switch (judged.runs) {
      case true:
        return (
          this.#recall(call, judged, ready) ?? {
            do: 'begin',
            ready: { call, tool: judged.tool, args: judged.args, shown: judged.shown },
          }
        )
      case 'asks':
        return { do: 'ask', judged }
      case false:
        return { do: 'refuse', refusal: judged.refusal, rulings: judged.rulings }
    }
    return judged satisfies never
  }

  #recall(
    call: CallState,
    { tool, args }: Extract<Judged, { runs: true }>,
    ready: readonly Ready[],
  ): Turn | undefined {
    if (!isCached(tool) || isRedacted(call)) return undefined
    const from = this.#engine.recall?.answerOf(tool, args)
    if (from !== undefined) return { do: 'recall', tool, from }
    const key = callKey({ name: tool.name, args, rawArgs: '' })
    const isAtWork = [...this.#bodies.values(), ...ready].some(({ call }) => callKey(call) === key)
    return isAtWork ? { do: 'await' } : undefined
  }

  /** Whether the call may run with those at work. With `auto`, reads run together and all else alone. */
  #hasRoom(ready: readonly Ready[], call: CallState): boolean {
    const { limits } = this.#engine
    const { strategy, concurrency } = limits
    const count = this.#bodies.size + ready.length
    if (call.ends) return count === 0 && this.#held.length === 0
    switch (strategy) {
      case 'sequential':
        return count === 0
      case 'parallel':
        return count < concurrency
      case 'auto': {
        const isAlone = (tool: BoundTool | undefined) => tool !== undefined && tool.effect !== 'read'
        const isBarred = [...this.#bodies.values(), ...ready].some(({ tool }) => isAlone(tool))
        return count === 0 || (count < concurrency && !isBarred && !isAlone(this.#engine.tool(call.name)))
      }
    }
    return strategy satisfies never
  }

  #start({ call, tool, args, place, waitedMs }: Placed): Body {
    const feed = this.#feed
    return begin(this.#engine, {
      call,
      tool,
      args,
      place,
      waitedMs,
      waits: (wait) => feed.piece({ type: 'call.progressed', callId: call.id, wait }),
      progress: (update) => feed.piece({ type: 'call.progressed', callId: call.id, ...update }),
      inner: (event, recorded) => feed.push({ type: 'inner', callId: call.id, event, recorded }),
      created: (artifact) => feed.push({ type: 'artifact.created', callId: call.id, artifact }),
      done: (outcome) => feed.push({ type: 'done', call, tool, outcome }),
    })
  }

  /**
   * On a drain, a body with an effect may end by itself within its grace period. Bodies that can run again
   * are aborted at once.
   */
  #breakOff(): void {
    this.#places.leave()
    const reason = stopOf(this.#engine.signal) ?? 'cancel'
    let grace = graceMs
    for (const body of this.#bodies.values()) {
      if (reason !== 'drain' || body.tool.effect !== 'effect') body.abort(reason)
      else grace = effectGraceMs
    }
    this.#feed.pushAfter(grace, { type: 'grace-over' })
  }

  /** Whether the outcome is a result of the call. An aborted body's outcome counts only if it ended well. */
  #hasResult({ call, outcome }: Ran): boolean {
    const isAborted = this.#bodies.get(call.id)?.isAborted ?? true
    this.#bodies.delete(call.id)
    return outcome.ended.status === 'ok' || !isAborted
  }
}

function startedEvent({ id }: CallState, tool: BoundTool, args: JsonObject): EventBody {
  const { name, source, node, scopeName } = tool
  const own = scopeName !== name && { scopeName }
  return { type: 'call.started', callId: id, name, args, source, node, ...own }
}

/** A call cut off by a crash runs again, under its old `call.started`, if that can do no harm. */
function repeatable(engine: Engine, call: CallState): Ready | Refusal {
  const tool = engine.tool(call.name)
  if (tool === undefined || tool.effect === 'effect' || call.args === undefined) return lostRefusal(call)
  if (!isRedacted(call)) return { call, tool, args: call.args, shown: call.args }
  const fitted = fittedArgs(engine.deps, tool, call)
  return fitted === undefined ? secretLostRefusal(call, tool) : { call, tool, ...fitted }
}
