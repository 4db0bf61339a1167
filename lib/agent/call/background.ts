/** Runs calls in the background: their bodies outlive the step that began them, and report between other work. */
import type { RunEvent } from '#lib/spec/event'
import type { PeopleSaid } from '#lib/spec/people-said'
import { stopOf } from '../deps'
import type { Engine } from '../engine'
import { Feed, type StreamPiece } from '../feed'
import { runningInBackground } from '../state/background'
import { onlyAsks } from '../state/waiting'
import { beginBody, finishBody, passOn, repeatable, stopBodies } from './body-events'
import { hearPeople } from './people'
import { changePlan } from './plan-change'
import { askAtWork } from './questions'
import { finishRefused, forkedRefusal } from './refuse'
import type { BackgroundCalls, Happening, Placed, RunnableCall } from './running'
import { waitWithoutSlot } from './slot'
import type { Body } from './tool-body'

/** The calls in the background of a run; they are created with the first one. */
export function backgroundOf(engine: Engine): BackgroundCalls {
  engine.background ??= new Background(engine)
  return engine.background
}

export class Background implements BackgroundCalls {
  readonly #engine: Engine
  readonly #feed: Feed<Happening>
  readonly #bodies = new Map<string, Body>()
  /** Calls that begin again as soon as they have a place. */
  readonly #returning = new Set<string>()
  #stage: Feed<Happening> | undefined
  #isAnnounced = false
  #wake: (() => void) | undefined
  readonly #unlisten: () => void

  constructor(engine: Engine) {
    this.#engine = engine
    this.#feed = new Feed(engine.deps.clock, () => this.#announce())
    const { signal } = engine
    const stop = () => {
      stopBodies(this.#bodies.values(), stopOf(signal) ?? 'cancel')
      this.#wake?.()
    }
    signal.addEventListener('abort', stop)
    this.#unlisten = () => signal.removeEventListener('abort', stop)
  }

  get isBusy(): boolean {
    return this.count > 0 || !this.#feed.isEmpty
  }

  get count(): number {
    return this.#bodies.size + this.#returning.size
  }

  get onlyAsks(): boolean {
    return this.#returning.size === 0 && [...this.#bodies.values()].every(({ call }) => onlyAsks(call))
  }

  peopleOf(callId: string): PeopleSaid | undefined {
    return this.#bodies.get(callId)?.people
  }

  begin(placed: Placed): void {
    this.#bodies.set(placed.call.id, beginBody(this.#engine, this.#feed, placed))
  }

  async *resume(): AsyncGenerator<RunEvent, void> {
    const { state, emit, committed } = this.#engine
    const again: RunnableCall[] = []
    for (const call of runningInBackground(state)) {
      const found = repeatable(this.#engine, call)
      if ('args' in found) again.push(found)
      else yield emit(finishRefused(call, call.begunBefore ? forkedRefusal(call) : found))
    }
    if (again.length === 0) return
    await committed()
    for (const ready of again) void this.#beginAgain(ready)
  }

  async *report(): AsyncGenerator<RunEvent, void> {
    while (!this.#feed.isEmpty) yield* this.#heed(await this.#feed.take())
    this.#isAnnounced = false
  }

  announceTo(feed: Feed<Happening>): void {
    this.#stage = feed
    this.#isAnnounced = false
    if (!this.#feed.isEmpty) this.#announce()
  }

  async pause(): Promise<void> {
    const { signal, deps } = this.#engine
    if (!this.#feed.isEmpty || signal.aborted) return
    let unlisten: (() => void) | undefined
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
      unlisten = deps.decisions?.listen(resolve)
    })
    await (this.onlyAsks ? waitWithoutSlot(this.#engine, woken) : woken)
    this.#wake = undefined
    unlisten?.()
  }

  async *breakOff(): AsyncGenerator<RunEvent, void> {
    const grace = stopBodies(this.#bodies.values(), stopOf(this.#engine.signal) ?? 'cancel')
    this.#feed.pushAfter(grace, { type: 'grace-over' })
    while (this.#bodies.size > 0) {
      const item = await this.#feed.take()
      if (item.type === 'grace-over') break
      yield* this.#heed(item)
    }
    this.#bodies.clear()
    this.#returning.clear()
  }

  close(): void {
    this.#unlisten()
    this.#feed.close()
    this.#returning.clear()
    stopBodies(this.#bodies.values(), 'cancel')
  }

  async #beginAgain(ready: RunnableCall): Promise<void> {
    const { deps, signal } = this.#engine
    const { id } = ready.call
    this.#returning.add(id)
    const place = deps.places === undefined ? () => {} : await deps.places.take(signal, { isReturning: true })
    if (place === undefined) return
    if (signal.aborted || !this.#returning.delete(id)) return place()
    this.begin({ ...ready, place, waitedMs: 0 })
    // The run inside may have nothing to report, since it only waits for a person.
    this.#wake?.()
  }

  async *#heed(item: Happening | StreamPiece): AsyncGenerator<RunEvent, void> {
    const { emit, emitInner } = this.#engine
    switch (item.type) {
      case 'done': {
        const isAborted = this.#bodies.get(item.call.id)?.isAborted ?? true
        this.#bodies.delete(item.call.id)
        // An aborted body's outcome counts only if it ended well.
        if (item.outcome.ended.status === 'ok' || !isAborted) yield* finishBody(this.#engine, item)
        if (passOn(this.#engine, item)) yield* hearPeople(this.#engine)
        return
      }
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
      case 'artifact.created':
      case 'call.progressed':
        yield emit(item)
        return
      default:
        // The other items belong to the stages of a step.
        return
    }
  }

  #announce(): void {
    this.#wake?.()
    if (this.#isAnnounced) return
    this.#isAnnounced = true
    this.#stage?.push({ type: 'background' })
  }
}
