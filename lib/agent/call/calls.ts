/** Runs the calls of a step once its answer is complete. */
import type { RunEvent } from '#lib/spec/event'
import type { CallState } from '#lib/spec/state'
import type { Engine } from '../engine'
import { Feed } from '../feed'
import { askTogether } from './approvals'
import { Ledger } from './ledger'
import type { Happening } from './running'

/**
 * Gives every call its turn in call order, as many at once as the strategy allows. Returns when all have a
 * result, when the rest wait for a person, or when the run is stopped. Calls that began while the answer
 * streamed continue.
 */
export async function* runCalls(engine: Engine, calls: readonly CallState[]): AsyncGenerator<RunEvent, void> {
  engine.ledger ??= new Ledger(engine, new Feed<Happening>(engine.deps.clock))
  engine.ledger.takeAll(calls)
  if (!engine.signal.aborted) yield* askTogether(engine, calls)
  yield* engine.ledger.settle(true)
  closeLedger(engine)
}

/** Lets calls at work come to their end, and begins no others. */
export async function* finishStarted(engine: Engine): AsyncGenerator<RunEvent, void> {
  if (engine.ledger?.isBusy) yield* engine.ledger.settle(false)
  closeLedger(engine)
}

function closeLedger(engine: Engine): void {
  engine.ledger?.close()
  engine.ledger = undefined
}
