/** Records what people have said about the calls of a run: decisions on calls, and replies to questions. */
import type { RunEvent } from '#lib/spec/event'
import type { Engine } from '../engine'
import { hearDecisions } from './approvals'
import { hearReplies } from './questions'

export function* hearPeople(engine: Engine): Generator<RunEvent, void> {
  yield* hearDecisions(engine)
  yield* hearReplies(engine)
}
