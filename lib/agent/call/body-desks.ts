/** What a body reaches of its own run: the run inside its call, the plan, and who it works for. */
import type { RunEvent } from '#lib/spec/event'
import type { InnerRun } from '#lib/spec/inner-run'
import type { Plan } from '#lib/spec/plan'
import type { CallState, RunState } from '#lib/spec/state'
import type { CallingRun, PlanChange, PlanDesk } from '#lib/spec/tool'
import type { Engine } from '../engine'
import type { Stopping } from '../later'
import { outerOf } from '../outer'
import { planBook } from '../state/plan-fold'
import type { AtWork } from './at-work'
import type { Decisions } from './decisions'

/** What the body reports, and what becomes of it. */
interface Reporting {
  readonly call: CallState
  inner(event: RunEvent, recorded: () => void): void
  plan(change: PlanChange, settle: (outcome: Plan | string) => void): void
}

interface OfTry {
  /** Aborted when the body's further output is ignored. */
  readonly over: Stopping
  readonly atWork: AtWork
  readonly people: Decisions
}

export function innerRun(
  engine: Engine,
  { call, inner }: Reporting,
  { over, atWork, people }: OfTry,
): InnerRun {
  let recorded = Promise.resolve()
  return {
    people,
    resumed: engine.rested.delete(call.id) ? 'decided' : engine.resumed,
    withoutPlace: (work) => atWork.withoutPlace(work),
    whileWaiting: (wait) => atWork.inLine('place', wait),
    outer: outerOf(engine, call.id),
    state: () => structuredClone(call.inner),
    record(event) {
      if (!over.aborted) recorded = new Promise((resolve) => inner(event, resolve))
      return recorded
    },
    async committed() {
      await recorded
      await engine.committed()
    },
  }
}

export function planDesk({ state }: Engine, { plan }: Reporting, over: Stopping): PlanDesk {
  return {
    read: () => planBook(state),
    change: (change) =>
      new Promise((resolve) => {
        if (!over.aborted) plan(change, resolve)
      }),
  }
}

export function callingRun({ start, steps }: RunState, id: string | undefined): CallingRun {
  const { agent, threadId } = start
  return {
    id: id ?? null,
    agent: { id: agent.id, name: agent.name },
    thread: threadId,
    step: steps.at(-1)?.number ?? 0,
  }
}
