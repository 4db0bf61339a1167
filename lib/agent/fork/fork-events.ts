/** Builds the first events of a fork: queued, and after that the start and the copied events, if any. */
import type { EventOf, ForkPoint, RunEvent } from '#lib/spec/event'
import type { ConfigRecord } from '../beginning'
import { goingOnInside } from './fork-inside'

type Begin = Omit<EventOf<'run.queued'>, 'type' | 'seq' | 'step'> &
  Pick<EventOf<'run.started'>, 'historyThrough'> & { readonly forkedFrom: ForkPoint }

/**
 * @param parent the start event of the parent run; `taken` are events of that run
 * @param own the fork's model, protocol and tools, where its config differs from the parent's
 */
export function firstEvents(
  { historyThrough, forkedFrom, earlier, groups, mocks, ...begin }: Begin,
  parent: EventOf<'run.started'>,
  taken: readonly RunEvent[],
  own: ConfigRecord = parent,
): RunEvent[] {
  const queued: RunEvent = {
    type: 'run.queued',
    seq: 1,
    step: 0,
    ...begin,
    ...(earlier && { earlier }),
    ...(groups && { groups }),
    ...(mocks && { mocks }),
  }
  if (taken.length === 0) return [queued]
  const { model, protocol, tools } = own
  const started: RunEvent = {
    type: 'run.started',
    seq: 2,
    step: 0,
    ...begin,
    historyThrough,
    forkedFrom: {
      ...forkedFrom,
      copied: stretches(parent, taken),
      startedAt: parent.forkedFrom?.startedAt ?? parent.at,
    },
    model,
    protocol,
    tools,
    // The copied steps have read these texts, and the steps that follow read the same.
    ...(parent.serverTexts && { serverTexts: parent.serverTexts }),
    ...(parent.skills && { skills: parent.skills }),
  }
  const { runId, step } = forkedFrom
  const { threadId } = begin
  const inside = goingOnInside(taken, { runId, step, threadId, through: taken.length + headEvents })
  return [queued, started, ...inside.map((each, index) => ({ ...each, seq: index + headEvents + 1 }))]
}

/** `run.queued` and `run.started`. */
const headEvents = 2

/** Where the copied events of each original run end, and how long they took; a fork of a fork has several. */
function stretches(
  parent: EventOf<'run.started'>,
  taken: readonly RunEvent[],
): { through: number; ms: number }[] {
  const throughs = (parent.forkedFrom?.copied ?? []).map(({ through }) => through)
  const made: { through: number; ms: number }[] = []
  let at = 0
  let last: number | undefined
  for (const [index, event] of taken.entries()) {
    const stood = at
    while (event.seq > (throughs[at] ?? Number.POSITIVE_INFINITY)) at += 1
    const stretch = made.at(-1)
    const through = index + headEvents + 1
    if (stretch === undefined || at !== stood) made.push({ through, ms: 0 })
    else made[made.length - 1] = { through, ms: stretch.ms + Math.max(0, event.at - (last ?? event.at)) }
    last = event.at
  }
  return made
}
