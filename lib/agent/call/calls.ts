/** Gives every call of a step its turn, once its answer is complete. */
import type { RunEvent } from '#lib/spec/event'
import type { CallState } from '#lib/spec/state'
import type { Engine } from '../engine'
import { Feed } from '../feed'
import { askTogether } from './approvals'
import { Ledger } from './ledger'
import type { Happening } from './running'

/**
 * Gives every call its turn in call order, as many at once as the strategy lets; returns when all have a result, when
 * those that are left wait for a person, or when the run is stopped. Calls that began beside the stream go on.
 */
export async function* runCalls(engine: Engine, calls: readonly CallState[]): AsyncGenerator<RunEvent, void> {
  engine.ledger ??= new Ledger(engine, new Feed<Happening>(engine.deps.clock))
  engine.ledger.takeAll(calls)
  if (!engine.signal.aborted) yield* askTogether(engine, calls)
  yield* engine.ledger.settle(true)
  closeLedger(engine)
}

/** Lets whoever is at work come to an end, and nobody begin. */
export async function* windDown(engine: Engine): AsyncGenerator<RunEvent, void> {
  if (engine.ledger?.isBusy) yield* engine.ledger.settle(false)
  closeLedger(engine)
}

function closeLedger(engine: Engine): void {
  engine.ledger?.close()
  engine.ledger = undefined
}
