/** Decides which call of a step may begin, runs each body at most once and gives each call one result. */
import type { EventBody, RunEvent } from '#lib/spec/event'
import type { PeopleSaid } from '#lib/spec/people-said'
import type { CallState } from '#lib/spec/state'
import type { BoundTool } from '#lib/spec/toolkit'
import { stopOf } from '../deps'
import type { Engine } from '../engine'
import type { Feed, StreamPiece } from '../feed'
import { inTurn } from '../next'
import type { Ruled } from '../request/offer'
import { backgroundText } from '../state/background'
import { answeredRound } from '../state/input-fold'
import { callKey } from '../state/past'
import { onlyAsks } from '../state/waiting'
import { askFor } from './approvals'
import { backgroundOf } from './background'
import { beginBody, continuable, finishBody, passOn, repeatable, stopBodies } from './body-events'
import { cachedResult } from './finished'
import { askBeforeCall, isHooked } from './hooks'
import { isRedacted } from './originals'
import { hearPeople } from './people'
import { PlaceLine } from './place-line'
import { changePlan } from './plan-change'
import { askAtWork } from './questions'
import { isCached } from './recall'
import { busyRefusal, finishRefused, type Judged, judge, type Refusal, rulingEvent } from './refuse'
import type { Happening, Placed, Ran, RunnableCall, RunningCalls } from './running'
import { waitWithoutSlot } from './slot'
import type { Body } from './tool-body'

/** What is done with a call when it has its turn. */
type Turn =
  | { readonly do: 'begin' | 'repeat' | 'continue'; readonly ready: RunnableCall }
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
  /** The next call has no room among those in the background. */
  #awaitsRoom = false
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
    engine.background?.announceTo(feed)
    this.#unlisten = () => {
      unlisten?.()
      signal.removeEventListener('abort', stop)
    }
  }

  get isBusy(): boolean {
    return this.#bodies.size > 0 || this.#places.isWaiting || this.#awaitsRoom
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
    if (!mayBegin) {
      this.#places.leave()
      this.#awaitsRoom = false
    }
    for (;;) {
      yield* this.#hear()
      if (mayBegin) yield* this.fillUp()
      if (!this.isBusy) return
      const item = await this.#nextItem()
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
      case 'background':
        if (this.#engine.background !== undefined) yield* this.#engine.background.report()
        return
      case 'done':
        if (this.#hasResult(item)) yield* finishBody(this.#engine, item)
        if (passOn(this.#engine, item)) yield* this.#hear()
        // The call has its turn again when a person has replied; until then it may hold back those after it.
        if (item.call.result === undefined && isAtRest(item.call)) this.#line.splice(this.#at, 0, item.call)
        if (this.#isAwaited) this.#takeUp()
        return
      case 'asked':
        yield* askAtWork(this.#engine, item)
        return
      case 'inner':
        yield emitInner(item.callId, item.event)
        item.recorded()
        return
      case 'completed':
        yield emit(item.event)
        item.recorded()
        return
      case 'plan':
        yield* changePlan(this.#engine, item)
        return
      case 'decided':
        yield* this.#hear()
        return
      case 'grace-over':
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
    this.#awaitsRoom = false
    const launch = async () => {
      if (mustBeStored) await this.#engine.committed()
      mustBeStored = false
      if (signal.aborted) return
      for (const each of ready.splice(0)) this.#launch(each)
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
      const placed = 'ready' in turn ? this.#places.take(call) : undefined
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
      if (turn.do === 'continue') {
        yield emit({ type: 'call.continued', callId: call.id, round: answeredRound(call)?.number ?? 1 })
        mustBeStored ||= turn.ready.tool.effect !== 'read'
      }
      if (turn.do === 'begin') {
        // Emitted before the next call is judged, so that this one counts as begun.
        const { tool, shown } = turn.ready
        yield emit(startedEvent(this.#engine, { call, tool, args: shown }))
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
  peopleOf(callId: string): PeopleSaid | undefined {
    return this.#bodies.get(callId)?.people
  }

  close(): void {
    this.#unlisten()
    this.#places.leave()
    this.#feed.close()
    for (const body of this.#bodies.values()) body.abort(stopOf(this.#engine.signal) ?? 'cancel')
  }

  #launch(placed: Placed): void {
    const { call } = placed
    if (call.background !== undefined) {
      const background = backgroundOf(this.#engine)
      background.announceTo(this.#feed)
      background.begin(placed)
    } else this.#bodies.set(call.id, beginBody(this.#engine, this.#feed, placed))
  }

  /** Gives overtaken calls their turn again. */
  #takeUp(): void {
    if (this.#held.length === 0) return
    this.#line = [...this.#held, ...this.#line.slice(this.#at)]
    this.#at = 0
    this.#held = []
    this.#isAwaited = false
  }

  #turnOf(call: CallState, ready: readonly RunnableCall[]): Turn {
    const engine = this.#engine
    if (call.startedAt !== undefined) {
      const goesOn = call.status === 'due'
      const found = goesOn ? continuable(engine, call) : repeatable(engine, call)
      if ('args' in found) return { do: goesOn ? 'continue' : 'repeat', ready: found }
      return { do: 'refuse', refusal: found, rulings: [] }
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
    ready: readonly RunnableCall[],
  ): Turn | undefined {
    if (!isCached(tool) || isRedacted(call)) return undefined
    const from = this.#engine.recall?.answerOf(tool, args)
    if (from !== undefined) return { do: 'recall', tool, from }
    const key = callKey({ name: tool.name, args, rawArgs: '' })
    const isAtWork = [...this.#bodies.values(), ...ready].some(({ call }) => callKey(call) === key)
    return isAtWork ? { do: 'await' } : undefined
  }

  /** Whether the call may run with those at work. With `auto`, reads run together and all else alone. */
  #hasRoom(ready: readonly RunnableCall[], call: CallState): boolean {
    const { limits } = this.#engine
    const { strategy, concurrency } = limits
    // A call in the background holds back no call of its step.
    const own = ready.filter(({ call }) => call.background === undefined)
    if (this.#engine.tool(call.name)?.background) {
      const detached = (this.#engine.background?.count ?? 0) + ready.length - own.length
      this.#awaitsRoom = detached >= concurrency
      if (this.#awaitsRoom) return false
    }
    const count = this.#bodies.size + own.length
    if (call.ends) return count === 0 && this.#held.length === 0
    switch (strategy) {
      case 'sequential':
        return count === 0
      case 'parallel':
        return count < concurrency
      case 'auto': {
        const isAlone = (tool: BoundTool | undefined) => tool !== undefined && tool.effect !== 'read'
        const isBarred = [...this.#bodies.values(), ...own].some(({ tool }) => isAlone(tool))
        return count === 0 || (count < concurrency && !isBarred && !isAlone(this.#engine.tool(call.name)))
      }
    }
    return strategy satisfies never
  }

  *#hear(): Generator<RunEvent, void> {
    for (const heard of hearPeople(this.#engine)) {
      yield heard
      this.#takeUp()
    }
  }

  /** While all that is left at work waits for a person, other runs may use this run's slot. */
  async #nextItem(): Promise<Happening | StreamPiece> {
    const taken = this.#feed.take()
    const isAlone = this.#engine.state.waiting > 0 && !this.#places.isWaiting && !this.#awaitsRoom
    if (isAlone && this.#onlyAsks()) await waitWithoutSlot(this.#engine, taken)
    return taken
  }

  #onlyAsks(): boolean {
    if (this.#engine.background?.onlyAsks === false) return false
    return this.#bodies.size > 0 && [...this.#bodies.values()].every(({ call }) => onlyAsks(call))
  }

  #breakOff(): void {
    this.#places.leave()
    const grace = stopBodies(this.#bodies.values(), stopOf(this.#engine.signal) ?? 'cancel')
    this.#feed.pushAfter(grace, { type: 'grace-over' })
  }

  /** Whether the outcome counts. That of an aborted body counts only if it ended well. */
  #hasResult({ call, outcome }: Ran): boolean {
    const isAborted = this.#bodies.get(call.id)?.isAborted ?? true
    this.#bodies.delete(call.id)
    return outcome.ended.status === 'ok' || !isAborted
  }
}

/** Whether the call has ended with questions: it waits, or is due again since none of them was asked. */
function isAtRest({ status }: CallState): boolean {
  return status === 'waiting' || status === 'due'
}

function startedEvent(
  { mocks }: Engine,
  { call: { id }, tool, args }: Pick<RunnableCall, 'call' | 'tool' | 'args'>,
): EventBody {
  const { name, source, node, scopeName } = tool
  const own = scopeName !== name && { scopeName }
  const background = tool.background && { background: backgroundText({ id }) }
  const mock = mocks?.kindOf(tool)
  const mocked = mock !== undefined && { mock }
  return { type: 'call.started', callId: id, name, args, source, node, ...own, ...background, ...mocked }
}
